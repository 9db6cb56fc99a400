/** The state machine with a clock of its own, and generations that do what they are told: for tests. */
import { firstStart, initialState, reduce } from './reduce.ts';
import type { UpgradePhase } from './status-names.ts';
import type {
  GenerationReport,
  Moment,
  Reduced,
  Refusal,
  StartOrder,
  UpgradeEffect,
  UpgradeEvent,
  UpgradeSettings,
  UpgradeState,
} from './types.ts';

export function aReport(
  parts: Partial<GenerationReport> = {},
  settings: Partial<UpgradeSettings> = {},
): GenerationReport {
  return {
    version: '1.0.0',
    workers: 1,
    clientSessions: 0,
    requests: 0,
    errors: 0,
    rssBytes: 1,
    settings: { ...initialState().settings, ...settings },
    moved: 0,
    refused: 0,
    waiting: [],
    waitingTotal: 0,
    ...parts,
  };
}

export class Bench {
  state: UpgradeState;
  refusal: Refusal | null = null;
  #nowMs = 0;
  #effects: UpgradeEffect[];

  constructor() {
    const { state, effects } = firstStart(initialState(), '/one', this.at());
    this.state = state;
    this.#effects = [...effects];
  }

  /** Generation 1 serves. */
  static serving(settings: Partial<UpgradeSettings> = {}): Bench {
    const bench = new Bench();
    bench.tell({ type: 'ready', generation: 1 });
    bench.tell({ type: 'report', generation: 1, report: aReport({ clientSessions: 1 }, settings) });
    bench.effects();
    return bench;
  }

  /** Generation 2 has just taken over from generation 1. */
  static moving(order: Partial<StartOrder> = {}, settings: Partial<UpgradeSettings> = {}): Bench {
    const bench = Bench.serving(settings);
    bench.order(order);
    bench.tell({ type: 'ready', generation: 2 });
    bench.tell({ type: 'accepting', generation: 2 });
    bench.tell({ type: 'stopped', generation: 1 });
    bench.tell({ type: 'report', generation: 2, report: aReport({}, settings) });
    bench.effects();
    return bench;
  }

  /** A run of generations 1 and 2 in a phase. */
  static in(phase: Exclude<UpgradePhase, 'idle' | 'watch'>): Bench {
    if (phase === 'prepare' || phase === 'switch') {
      const bench = Bench.serving();
      bench.order();
      if (phase === 'switch') bench.tell({ type: 'ready', generation: 2 });
      return bench;
    }
    const bench = Bench.moving();
    if (phase !== 'move') bench.tell({ type: phase, by: 'ann', source: 'console', reason: 'why' });
    return bench;
  }

  order(parts: Partial<StartOrder> = {}): void {
    const order = {
      directory: '/two',
      hold: false,
      watchMs: 10_000,
      md5: null,
      by: 'ann',
      source: 'console' as const,
      reason: 'why',
      ...parts,
    };
    this.tell({ type: 'start', kind: 'upgrade', ...order });
  }

  tell(event: UpgradeEvent): void {
    this.#take(reduce(this.state, event, this.at()));
  }

  /** Lets time pass, at once. */
  pass(ms: number): void {
    this.#nowMs += ms;
    this.tell({ type: 'tick' });
  }

  /** Lets time pass while these generations tell what they told last. */
  live(ms: number, ...generations: readonly number[]): void {
    for (let left = ms; left > 0; left -= 1_000) {
      this.pass(Math.min(1_000, left));
      for (const { id, report } of this.state.generations) {
        if (generations.includes(id)) this.tell({ type: 'report', generation: id, report: report ?? aReport() });
      }
    }
  }

  /** What was wanted since the last time, one line each; steps and words of runs are left out. */
  effects(): string[] {
    const lines = this.#effects.flatMap(lineOf);
    this.#effects = [];
    return lines;
  }

  /** All generations do what they are told from now on, until nothing is due any more. */
  settle(): void {
    for (let turns = 0; turns < 400; turns++) {
      for (const effect of this.#effects.splice(0)) this.#obey(effect);
      for (const { id, role, isEnding } of this.state.generations) {
        if (isEnding) this.tell({ type: 'ended', generation: id, how: 'code 0' });
        else if (role === 'starting') this.tell({ type: 'ready', generation: id });
        else {
          if (id !== this.state.active) this.tell({ type: 'stopped', generation: id });
          this.tell({ type: 'report', generation: id, report: aReport() });
        }
      }
      const { run } = this.state;
      if (this.state.phase === 'switch') this.tell({ type: 'accepting', generation: run?.fresh ?? 0 });
      if (this.state.phase === 'rollback' && this.state.active !== run?.old) {
        this.tell({ type: 'accepting', generation: run?.old ?? 0 });
      }
      this.pass(500);
    }
  }

  #obey(effect: UpgradeEffect): void {
    if (effect.type === 'kill') this.tell({ type: 'ended', generation: effect.generation, how: 'SIGKILL' });
  }

  #take({ state, effects, refusal }: Reduced): void {
    this.state = state;
    this.refusal = refusal;
    this.#effects.push(...effects);
  }

  at(): Moment {
    return { nowMs: this.#nowMs, wallMs: 1_700_000_000_000 + this.#nowMs };
  }
}

function lineOf(effect: UpgradeEffect): string[] {
  switch (effect.type) {
    case 'start':
      return [`start ${effect.generation} ${effect.directory}${effect.trial ? ' as a trial' : ''}`];
    case 'hand-over':
      return [`hand-over ${effect.from} to ${effect.to}`];
    case 'stop-hand-over':
      return [`stop-hand-over ${effect.from}`];
    case 'end':
      return [`end ${effect.generation} after ${effect.delayMs} ms`];
    case 'say':
      return /^(upgrade|restart) /.test(effect.text) ? [] : [`say ${effect.text}`];
    case 'record':
      return [];
    default:
      return [`${effect.type} ${effect.generation}`];
  }
}
