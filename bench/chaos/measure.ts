/** From the requests of one scenario and the moments of its fault to the figures that are reported. Pure. */
import type { RequestSample } from './load.ts';

/** A listing or release that the proxy made, as its log tells it. */
export interface LoggedChange {
  readonly atMs: number;
  readonly server: string;
  readonly list: string;
  readonly change: 'listed' | 'released';
}

/** Times: milliseconds since 1970. */
export interface ScenarioMarks {
  /** Just before and just after the fault was made. */
  readonly faultAtMs: number;
  readonly faultyAtMs: number;
  /** When the server was well again. */
  readonly liftedAtMs: number;
  /** Of the server with the fault: `ip:port`, and as the answers name it. */
  readonly address: string;
  readonly serverName: string;
}

export interface Figures {
  readonly requests: number;
  /** By `kind: error number`. */
  readonly failures: ReadonlyMap<string, number>;
  readonly failed: number;
  /** Those among them that began, or whose transaction began, after the fault. */
  readonly failedLater: number;
  /** From the fault; null: no request failed. */
  readonly lastErrorMs: number | null;
  readonly longestWaitMs: number;
  /** From the fault to each list that the server came on. */
  readonly listedMs: ReadonlyMap<string, number>;
  /** From DETECT_DEAD to the end of the last request that was waiting then; null: there was no such verdict, or nobody waited. */
  readonly afterVerdictMs: number | null;
  /** From the end of the fault to the first answer of the server to a request sent after it; null: none came. */
  readonly recoveredMs: number | null;
  /** Answers of the server while it was on a list, its own retries included. */
  readonly answersWhileListed: number;
}

/** A request that had waited for less when the verdict came was no hanging one. */
const HANGING_MS = 100;

export function measure(
  samples: readonly RequestSample[],
  changes: readonly LoggedChange[],
  marks: ScenarioMarks,
): Figures {
  const during = samples.filter(({ endedAtMs }) => endedAtMs >= marks.faultAtMs);
  const failed = during.filter(({ error }) => error !== null);
  const own = changes.filter(({ server, atMs }) => server === marks.address && atMs >= marks.faultAtMs);
  const listed = own.filter(({ change }) => change === 'listed');
  const verdict = listed.find(({ list }) => list === 'detection');
  const waiting =
    verdict === undefined
      ? []
      : during.filter(({ sentAtMs, endedAtMs }) => sentAtMs < verdict.atMs - HANGING_MS && endedAtMs > verdict.atMs);
  const recovered = during.find(({ sentAtMs, server }) => sentAtMs >= marks.liftedAtMs && server === marks.serverName);
  const lastError = failed.reduce((last, { endedAtMs }) => Math.max(last, endedAtMs), 0);
  return {
    requests: during.length,
    failures: countBy(failed, ({ kind, error }) => `${kind}: ${error?.errno}`),
    failed: failed.length,
    failedLater: failed.filter(({ begunAtMs }) => begunAtMs > marks.faultyAtMs).length,
    lastErrorMs: failed.length === 0 ? null : lastError - marks.faultAtMs,
    longestWaitMs: during.reduce((longest, { sentAtMs, endedAtMs }) => Math.max(longest, endedAtMs - sentAtMs), 0),
    listedMs: new Map(listed.toReversed().map(({ list, atMs }) => [list, atMs - marks.faultAtMs])),
    afterVerdictMs:
      verdict === undefined || waiting.length === 0
        ? null
        : Math.max(...waiting.map(({ endedAtMs }) => endedAtMs - verdict.atMs)),
    recoveredMs: recovered === undefined ? null : recovered.endedAtMs - marks.liftedAtMs,
    answersWhileListed: answersWhileListed(during, own, marks.serverName),
  };
}

function answersWhileListed(samples: readonly RequestSample[], own: readonly LoggedChange[], name: string): number {
  const spans = new Map<string, number>();
  const listed: [number, number][] = [];
  for (const { list, change, atMs } of own) {
    const since = spans.get(list);
    if (change === 'listed') spans.set(list, atMs);
    else if (since !== undefined) {
      listed.push([since, atMs]);
      spans.delete(list);
    }
  }
  for (const since of spans.values()) listed.push([since, Number.POSITIVE_INFINITY]);
  return samples.filter(
    ({ server, sentAtMs, endedAtMs }) =>
      server === name && listed.some(([since, until]) => sentAtMs > since && endedAtMs < until),
  ).length;
}

function countBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return new Map([...counts].sort());
}

/** The listings and releases among the lines of the proxy's log. */
export function changesInLog(log: string): LoggedChange[] {
  return log.split('\n').flatMap((line) => {
    // The first line of the kept end may be cut.
    if (!line.startsWith('{') || !/"msg":"server (listed|released)"/.test(line)) return [];
    const { time, server, list, change } = JSON.parse(line) as {
      time: number;
      server: string;
      list: string;
      change: LoggedChange['change'];
    };
    return [{ atMs: time, server, list, change }];
  });
}
