/** From the requests of one scenario and the moments of its fault to the figures that are reported. Pure. */
import type { RequestSample } from './load.ts';

/** A listing or release that the proxy made, when its log told it. */
export interface LoggedChange {
  readonly atMs: number;
  readonly server: string;
  readonly list: string;
  readonly change: 'listed' | 'released';
}

/** Times as those of the samples. */
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
  /**
   * From DETECT_DEAD to the last error of a request that was waiting then, and to the last answer of one, which another
   * server gave. Null: there was no such verdict, or nobody waited.
   */
  readonly errorAfterVerdictMs: number | null;
  readonly answerAfterVerdictMs: number | null;
  /** From the end of the fault to the first answer of the server to a request sent after it; null: none came. */
  readonly recoveredMs: number | null;
  /** Answers of the server while it was on the status or detection list; on the alive list it is tried now and then. */
  readonly answersWhileListed: number;
}

/** A request that had waited for less when the verdict came was no hanging one. */
const HANGING_MS = 100;
/** The log and the workers are told at the same moment, but neither arrives at once. */
const TELLING_MS = 50;

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
    errorAfterVerdictMs: lastEndAfter(verdict, waiting, true),
    answerAfterVerdictMs: lastEndAfter(verdict, waiting, false),
    recoveredMs: recovered === undefined ? null : recovered.endedAtMs - marks.liftedAtMs,
    answersWhileListed: answersWhileListed(during, own, marks.serverName),
  };
}

function lastEndAfter(
  verdict: LoggedChange | undefined,
  waiting: readonly RequestSample[],
  isError: boolean,
): number | null {
  const ends = waiting.filter(({ error }) => (error !== null) === isError).map(({ endedAtMs }) => endedAtMs);
  return verdict === undefined || ends.length === 0 ? null : Math.max(...ends) - verdict.atMs;
}

function answersWhileListed(samples: readonly RequestSample[], own: readonly LoggedChange[], name: string): number {
  const spans = own
    .filter(({ list, change }) => list !== 'alive' && change === 'listed')
    .map((listed) => {
      const isEnd = ({ list, change, atMs }: LoggedChange) =>
        list === listed.list && change === 'released' && atMs >= listed.atMs;
      return { from: listed.atMs + TELLING_MS, until: own.find(isEnd)?.atMs ?? Number.POSITIVE_INFINITY };
    });
  const isListed = ({ sentAtMs, endedAtMs }: RequestSample) =>
    spans.some(({ from, until }) => sentAtMs > from && endedAtMs < until);
  return samples.filter((sample) => sample.server === name && isListed(sample)).length;
}

function countBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return new Map([...counts].sort());
}

/** What a line of the proxy's log says of a listing or release; null: it is about something else. */
export function changeInLog(line: string, atMs: number): LoggedChange | null {
  if (!/"msg":"server (listed|released)"/.test(line)) return null;
  const { server, list, change } = JSON.parse(line) as Pick<LoggedChange, 'server' | 'list' | 'change'>;
  return { atMs, server, list, change };
}
