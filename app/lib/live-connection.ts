/**
 * Keeps one event stream open: notices when it has gone quiet, says so, asks for polling meanwhile and opens it again
 * by itself. All it needs from outside (stream, clock, timers, chance) is passed in.
 */

export type LivePhase = 'connecting' | 'live' | 'stale' | 'paused';

export interface LiveStatus {
  readonly phase: LivePhase;
  /** Wall-clock milliseconds of the last event, pings included; null before the first. */
  readonly lastEventAtMs: number | null;
}

export interface StreamHandlers {
  readonly onData: (data: string) => void;
  readonly onError: () => void;
}

export interface LiveOptions {
  /** Opens the stream; the answer closes it. */
  readonly open: (handlers: StreamHandlers) => () => void;
  readonly onData: (data: string) => void;
  readonly onStatus: (status: LiveStatus) => void;
  /** Called now and again while the stream is lost. */
  readonly poll: () => void;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** The proxy pings every 5 s of silence: two missed pings and a bit mean that nothing comes any more. */
export const quietLimitMs = 12_000;
const pollMs = 5_000;
/** Before a stream that was live and has ended is opened again. */
const againMs = 200;
const firstRetryMs = 1_000;
const longestRetryMs = 15_000;

export class LiveConnection {
  readonly #options: LiveOptions;
  #status: LiveStatus = { phase: 'connecting', lastEventAtMs: null };
  #close: (() => void) | null = null;
  #quietTimer: ReturnType<typeof setTimeout> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  /** Open the stream, or open it anew. */
  start(): void {
    this.#drop();
    if (this.#status.phase !== 'stale') this.#set({ phase: 'connecting', lastEventAtMs: this.#status.lastEventAtMs });
    this.#watch();
    this.#close = this.#options.open({ onData: (data) => this.#received(data), onError: () => this.#ended() });
  }

  /** Close the stream on purpose (hidden tab); `start` resumes. */
  pause(): void {
    this.#drop();
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
    this.#set({ phase: 'paused', lastEventAtMs: this.#status.lastEventAtMs });
  }

  /** Close for good. */
  stop(): void {
    this.#drop();
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
  }

  #received(data: string): void {
    this.#failures = 0;
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
    this.#set({ phase: 'live', lastEventAtMs: Date.now() });
    this.#watch();
    this.#options.onData(data);
  }

  /** Where another generation of the proxy takes over, the next stream is there at once: that is no loss to speak of. */
  #ended(): void {
    if (this.#status.phase !== 'live') {
      this.#lost();
      return;
    }
    this.#drop();
    this.#set({ phase: 'connecting', lastEventAtMs: this.#status.lastEventAtMs });
    this.#retryTimer = setTimeout(() => this.start(), againMs * (0.5 + this.#options.random() / 2));
  }

  #lost(): void {
    this.#drop();
    this.#set({ phase: 'stale', lastEventAtMs: this.#status.lastEventAtMs });
    const base = Math.min(longestRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    // Jitter: after a restart of the proxy not every open page comes back in the same moment.
    this.#retryTimer = setTimeout(() => this.start(), base * (0.5 + this.#options.random() / 2));
    if (this.#pollTimer === undefined) this.#pollLater();
  }

  #pollLater(): void {
    this.#pollTimer = setTimeout(
      () => {
        this.#options.poll();
        this.#pollLater();
      },
      pollMs * (0.8 + this.#options.random() * 0.4),
    );
  }

  #watch(): void {
    clearTimeout(this.#quietTimer);
    this.#quietTimer = setTimeout(() => this.#lost(), quietLimitMs);
  }

  #drop(): void {
    clearTimeout(this.#quietTimer);
    clearTimeout(this.#retryTimer);
    this.#close?.();
    this.#close = null;
  }

  #set(status: LiveStatus): void {
    this.#status = status;
    this.#options.onStatus(status);
  }
}
