import type { ConsoleDoor } from './console-door.ts';
import { type ViewedPage, viewedPages } from './pages.ts';

export interface ViewerCounts {
  answers: number;
  events: number;
}

/** All pages open: each has its event stream and looks again as often as the console's own. */
export class Viewers {
  readonly counts: ViewerCounts = { answers: 0, events: 0 };
  readonly #door: ConsoleDoor;
  readonly #end = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  /** Streams and questions, until they have ended. */
  readonly #work = new Set<Promise<void>>();
  #failure: unknown = null;

  private constructor(door: ConsoleDoor) {
    this.#door = door;
  }

  static async open(door: ConsoleDoor): Promise<Viewers> {
    const viewers = new Viewers(door);
    for (const page of viewedPages) {
      for (let viewer = 0; viewer < page.viewers; viewer += 1) await viewers.#openPage(page, viewer / page.viewers);
    }
    return viewers;
  }

  /** @throws Error when a page was refused something meanwhile */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#end.abort();
    await Promise.all(this.#work);
    if (this.#failure !== null) throw this.#failure;
  }

  /** @param phase in [0, 1): people do not open their pages all at once */
  async #openPage({ path, asks }: ViewedPage, phase: number): Promise<void> {
    await this.#door.get(path);
    this.#start(this.#readEvents(await this.#door.stream('/api/events', this.#end.signal)));
    for (const ask of asks) {
      await this.#ask(ask.path);
      const { everyMs } = ask;
      if (everyMs === null) continue;
      const begin = () => {
        this.#timers.push(setInterval(() => this.#start(this.#ask(ask.path)), everyMs));
      };
      this.#timers.push(setTimeout(begin, phase * everyMs));
    }
  }

  async #ask(path: string): Promise<void> {
    await this.#door.get(path);
    this.counts.answers += 1;
  }

  async #readEvents(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.counts.events += decoder.decode(chunk, { stream: true }).match(/^data:/gm)?.length ?? 0;
    }
  }

  #start(work: Promise<void>): void {
    const ended = work.then(
      () => undefined,
      (error: unknown) => {
        // The end of the streams is no failure.
        if (!this.#end.signal.aborted) this.#failure ??= error;
      },
    );
    this.#work.add(ended);
    void ended.then(() => this.#work.delete(ended));
  }
}
