/** What is done to a server, and what the proxy owes its clients meanwhile. */
import type { Figures } from './measure.ts';

interface Expectation {
  readonly text: string;
  readonly holds: (figures: Figures) => boolean;
}

export interface Scenario {
  /** Name for `--scenarios`. */
  readonly id: string;
  readonly system: 'demo' | 'mariadb';
  /** As `ChaosSystem.faults` calls it. */
  readonly fault: string;
  readonly title: string;
  /** The parameters' default values in place of the short ones. */
  readonly withDefaults: boolean;
  /** List that the server is to come on; null: none, the fault is then kept up for some seconds. */
  readonly list: 'status' | 'detection' | 'alive' | null;
  readonly expectations: readonly Expectation[];
}

/** The parameters' values that the limits follow from, milliseconds. */
interface Timing {
  readonly probeMs: number;
  readonly intervalMs: number;
  readonly retryMs: number;
  readonly keepMs: number;
  readonly refreshMs: number;
}

const short: Timing = { probeMs: 1_000, intervalMs: 1_000, retryMs: 2_000, keepMs: 2_000, refreshMs: 1_000 };
const byDefault: Timing = { probeMs: 5_000, intervalMs: 1_000, retryMs: 20_000, keepMs: 20_000, refreshMs: 20_000 };

/** For the load's own turn, and for a machine that has other things to do. */
const SLACK_MS = 500;
/** The requirement's: a request that hangs ends so soon after the verdict. */
const AFTER_VERDICT_MS = 100;
/** More than `server_detect_fail_threshold` (3) failed probes. */
const PROBES = 4;

const onlyInFlight: Expectation = {
  text: 'only requests and transactions that were in flight fail',
  holds: ({ failedLater }) => failedLater === 0,
};
const nothingFails: Expectation = { text: 'no request fails', holds: ({ failed }) => failed === 0 };
const noReadFails: Expectation = {
  text: 'no read outside a transaction fails',
  holds: ({ failures }) => ![...failures.keys()].some((key) => key.startsWith('read')),
};
const failsUntilListed: Expectation = {
  text: 'nothing fails once the server is listed',
  holds: ({ lastErrorMs, listedMs }) => (lastErrorMs ?? 0) <= Math.min(...listedMs.values()) + AFTER_VERDICT_MS,
};
const notListed: Expectation = { text: 'the server is on no list', holds: ({ listedMs }) => listedMs.size === 0 };
const nothingWhileListed: Expectation = {
  text: 'a listed server answers nothing',
  holds: ({ answersWhileListed }) => answersWhileListed === 0,
};
const waitsEndWithVerdict: Expectation = {
  text: 'no request waits longer than until DETECT_DEAD: then errors come within 100 ms, answers of another server within 600 ms',
  holds: ({ longestWaitMs, listedMs, errorAfterVerdictMs, answerAfterVerdictMs }) =>
    (errorAfterVerdictMs ?? 0) <= AFTER_VERDICT_MS &&
    // The other server needs its time as well, for a log-in and the request.
    (answerAfterVerdictMs ?? 0) <= AFTER_VERDICT_MS + SLACK_MS &&
    longestWaitMs <= (listedMs.get('detection') ?? 0) + AFTER_VERDICT_MS + SLACK_MS,
};

function listedWithin(list: string, limitMs: number): Expectation {
  return {
    text: `on the ${list} list within ${seconds(limitMs)}`,
    holds: ({ listedMs }) => (listedMs.get(list) ?? Number.POSITIVE_INFINITY) <= limitMs + SLACK_MS,
  };
}

function backWithin(limitMs: number): Expectation {
  return {
    text: `requests again within ${seconds(limitMs)}`,
    holds: ({ recoveredMs }) => (recoveredMs ?? Number.POSITIVE_INFINITY) <= limitMs + SLACK_MS,
  };
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

type Place = Pick<Scenario, 'id' | 'system' | 'fault' | 'title'>;

function frozen(place: Place, timing: Timing): Scenario {
  const { probeMs, intervalMs, retryMs } = timing;
  // A failed connection attempt may have put it on the alive list as well, which it leaves at a retry.
  const backMs = probeMs + intervalMs + retryMs;
  return {
    ...place,
    withDefaults: timing === byDefault,
    list: 'detection',
    expectations: [
      listedWithin('detection', PROBES * Math.max(probeMs, intervalMs) + intervalMs),
      waitsEndWithVerdict,
      noReadFails,
      nothingWhileListed,
      backWithin(backMs),
    ],
  };
}

/** @param losses what may fail */
function killed(place: Place, losses: Expectation): Scenario {
  const { probeMs, intervalMs, retryMs } = short;
  return {
    ...place,
    withDefaults: false,
    list: 'detection',
    expectations: [losses, noReadFails, nothingWhileListed, backWithin(probeMs + intervalMs + retryMs)],
  };
}

function unlisted(place: Place): Scenario {
  return { ...place, withDefaults: false, list: null, expectations: [nothingFails, notListed] };
}

function taken(place: Place): Scenario {
  const { refreshMs, keepMs, retryMs } = short;
  return {
    ...place,
    withDefaults: false,
    list: 'status',
    expectations: [
      listedWithin('status', refreshMs),
      nothingFails,
      nothingWhileListed,
      backWithin(refreshMs + keepMs + retryMs),
    ],
  };
}

export const scenarios: readonly Scenario[] = [
  killed(
    { id: 'demo-stop', system: 'demo', fault: 'stop', title: 'process ends, leaders move, comes back' },
    onlyInFlight,
  ),
  frozen({ id: 'demo-freeze', system: 'demo', fault: 'freeze', title: 'accepts, answers nothing' }, short),
  unlisted({ id: 'demo-refuse', system: 'demo', fault: 'refuse', title: 'refuses new connections, serves open ones' }),
  unlisted({ id: 'demo-slow', system: 'demo', fault: 'slow', title: 'every answer 400 ms late' }),
  {
    id: 'demo-initialising',
    system: 'demo',
    fault: 'initialising',
    title: 'answers probes and requests with error 8001',
    withDefaults: false,
    list: 'alive',
    // Reads and what had not begun are done elsewhere; a statement in a transaction cannot be.
    expectations: [noReadFails, failsUntilListed, backWithin(short.retryMs + short.keepMs)],
  },
  taken({
    id: 'demo-inactive',
    system: 'demo',
    fault: 'inactive',
    title: 'INACTIVE in the view, answers all the while',
  }),
  taken({ id: 'demo-upgrade', system: 'demo', fault: 'stop-time', title: 'has a stop time in the view' }),
  killed({ id: 'mariadb-kill', system: 'mariadb', fault: 'stop', title: 'SIGKILL, started again' }, onlyInFlight),
  frozen({ id: 'mariadb-stop', system: 'mariadb', fault: 'freeze', title: 'SIGSTOP, SIGCONT' }, short),
  frozen({ id: 'mariadb-drop', system: 'mariadb', fault: 'drop', title: 'firewall drops its packets' }, short),
  // Nobody is told before the next packet: writes on open connections find out.
  killed(
    { id: 'mariadb-reject', system: 'mariadb', fault: 'reject', title: 'firewall resets its connections' },
    failsUntilListed,
  ),
  frozen(
    {
      id: 'demo-freeze-defaults',
      system: 'demo',
      fault: 'freeze',
      title: 'accepts, answers nothing; default parameters',
    },
    byDefault,
  ),
];
