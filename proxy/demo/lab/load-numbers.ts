/** A write, a read that wants the leader, a read that any replica may answer. */
export type LoadKind = 'write' | 'read' | 'weak';

/** What became of one statement. */
export interface LoadOutcome {
  readonly kind: LoadKind;
  readonly tookMs: number;
  /** Where it ran; null: not known. */
  readonly zone: string | null;
  /** Null: it worked. */
  readonly failure: string | null;
}

interface KindNumbers {
  readonly ok: number;
  readonly failed: number;
}

export interface LoadReport {
  readonly total: Readonly<Record<LoadKind, KindNumbers>>;
  /** Of the last ten seconds. */
  readonly recent: Readonly<
    Record<LoadKind, KindNumbers & { readonly slowestMs: number; readonly zones: Readonly<Record<string, number>> }>
  >;
  /** Of the last minute, oldest first; seconds without a statement are left out. */
  readonly seconds: readonly (KindNumbers & { readonly at: string; readonly slowestMs: number })[];
  /** The newest first. */
  readonly failures: readonly { readonly at: string; readonly kind: LoadKind; readonly text: string }[];
}

const RECENT_MS = 10_000;
const KEPT_MS = 60_000;
const KEPT_FAILURES = 8;

/** A statement that was counted. */
export interface Noted extends Omit<LoadOutcome, 'zone'> {
  readonly atMs: number;
  /** Where it ran, as soon as that is known. */
  zone: string | null;
}

/** Counts what becomes of the sample load's statements. Times are milliseconds since 1970. */
export class LoadNumbers {
  readonly #total: Record<LoadKind, { ok: number; failed: number }> = none();
  readonly #failures: { at: string; kind: LoadKind; text: string }[] = [];
  /** Of the last minute: some 1,200. */
  #kept: Noted[] = [];

  note(atMs: number, outcome: LoadOutcome): Noted {
    const { kind, failure } = outcome;
    this.#total[kind][failure === null ? 'ok' : 'failed'] += 1;
    const noted = { atMs, ...outcome };
    this.#kept.push(noted);
    if (failure !== null) {
      this.#failures.unshift({ at: isoTime(atMs), kind, text: failure });
      this.#failures.splice(KEPT_FAILURES);
    }
    return noted;
  }

  report(nowMs: number): LoadReport {
    this.#kept = this.#kept.filter(({ atMs }) => nowMs - atMs < KEPT_MS);
    const recent = {
      write: { ok: 0, failed: 0, slowestMs: 0, zones: {} as Record<string, number> },
      read: { ok: 0, failed: 0, slowestMs: 0, zones: {} as Record<string, number> },
      weak: { ok: 0, failed: 0, slowestMs: 0, zones: {} as Record<string, number> },
    };
    const seconds = new Map<number, { at: string; ok: number; failed: number; slowestMs: number }>();
    for (const { atMs, kind, tookMs, zone, failure } of this.#kept) {
      const second = Math.floor(atMs / 1000);
      const sum = seconds.get(second) ?? { at: isoTime(second * 1000), ok: 0, failed: 0, slowestMs: 0 };
      seconds.set(second, sum);
      count(sum, failure, tookMs);
      if (nowMs - atMs >= RECENT_MS) continue;
      const { zones } = recent[kind];
      count(recent[kind], failure, tookMs);
      if (zone !== null) zones[zone] = (zones[zone] ?? 0) + 1;
    }
    return {
      total: structuredClone(this.#total),
      recent,
      seconds: [...seconds].sort(([a], [b]) => a - b).map(([, sum]) => sum),
      failures: [...this.#failures],
    };
  }
}

function none(): Record<LoadKind, { ok: number; failed: number }> {
  return { write: { ok: 0, failed: 0 }, read: { ok: 0, failed: 0 }, weak: { ok: 0, failed: 0 } };
}

function count(sum: { ok: number; failed: number; slowestMs: number }, failure: string | null, tookMs: number): void {
  sum[failure === null ? 'ok' : 'failed'] += 1;
  sum.slowestMs = Math.max(sum.slowestMs, Math.round(tookMs * 10) / 10);
}

const isoTime = (atMs: number): string => new Date(atMs).toISOString();
