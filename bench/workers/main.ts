/**
 * `npm run bench -- --workers`: throughput of two workers against one, and how sessions spread over them. On a machine
 * of two cores clients and server take their share of what the workers could have: what is possible is told beside.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { conditionsNow } from '../conditions.ts';
import { workersSection } from '../document/other-sections.ts';
import { keepFigures } from '../figures.ts';
import { IdleClient } from '../idle/idle-client.ts';
import { LoadProcess } from '../load/load-process.ts';
import { type RequestName, requestNames } from '../load/requests.ts';
import { median } from '../median.ts';
import { positive } from '../positive.ts';
import { processUsage } from '../process-usage.ts';
import { Started } from '../started.ts';
import { startOdp, type Target } from '../targets.ts';
import type { WorkersFigures, WorkersRow } from './figures.ts';
import { possibleRatio } from './possible.ts';

const CONNECTIONS = 64;
const AT_ONCE = 50;
const SHORT_MS = 100;

const { values } = parseArgs({
  options: {
    workers: { type: 'boolean' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    short: { type: 'boolean', default: false },
    'no-write': { type: 'boolean', default: false },
  },
});
const seconds = positive('--seconds', values.seconds);
const rounds = values.short ? 1 : positive('--rounds', values.rounds);
/** Whose spread is counted. */
const sessions = values.short ? 2 * AT_ONCE : 1_000;

interface Sample {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly besideUs: number;
}
/** Of one request: rounds, each with one worker and with two. */
type Rounds = Map<RequestName, { readonly one: Sample; readonly two: Sample }[]>;

if (!values.short)
  console.log(`about ${Math.ceil((requestNames.length * 2 * (rounds + 1) * (seconds + 0.2) + 15) / 60)} minutes`);
const started = new Started();
try {
  const load = started.add(await LoadProcess.start());
  const one = await startWith(1, load);
  const two = await startWith(2, load);
  const samples: Rounds = new Map(requestNames.map((request) => [request, []]));
  // The first round is there for what is compiled in it.
  for (let round = values.short ? 1 : 0; round <= rounds; round += 1) {
    await measureRound(load, one, two, round, samples);
  }
  // The load's own would be counted, too.
  await load.connect(one, CONNECTIONS);
  const spread = await countSessions(two);
  await report(samples, spread);
} finally {
  await started.close();
}

async function startWith(workers: number, load: LoadProcess): Promise<Target> {
  // Told, not found out by the number of cores.
  const parameters = [`work_thread_num=${workers}`, 'automatic_match_work_thread=False'];
  return started.add(await startOdp(load, { parameters, logLevel: 'error' }));
}

async function measureRound(
  load: LoadProcess,
  one: Target,
  two: Target,
  round: number,
  samples: Rounds,
): Promise<void> {
  for (const request of requestNames) {
    const found = new Map<Target, Sample>();
    for (const proxy of round % 2 === 0 ? [one, two] : [two, one]) {
      found.set(proxy, await measure(load, proxy, request));
    }
    const [withOne, withTwo] = [found.get(one), found.get(two)];
    if (withOne === undefined || withTwo === undefined) continue;
    console.log(
      `round ${round}, ${request}: ${withOne.perSecond.toFixed(0)} and ${withTwo.perSecond.toFixed(0)} a second`,
    );
    if (round > 0) samples.get(request)?.push({ one: withOne, two: withTwo });
  }
}

async function measure(load: LoadProcess, proxy: Target, request: RequestName): Promise<Sample> {
  await load.connect(proxy, CONNECTIONS);
  const before = processUsage(proxy.pid ?? 0);
  const { replies, ms, cpuSeconds } = await load.run(request, values.short ? SHORT_MS : seconds * 1_000);
  const proxySeconds = processUsage(proxy.pid ?? 0).cpuSeconds - before.cpuSeconds;
  const each = (total: number) => (total * 1e6) / replies;
  return { perSecond: (replies * 1_000) / ms, cpuUs: each(proxySeconds), besideUs: each(cpuSeconds) };
}

/** Sessions that came one after the other, by the worker that has them. */
async function countSessions({ port, user }: Target): Promise<number[]> {
  const clients: IdleClient[] = [];
  while (clients.length < sessions) {
    clients.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => IdleClient.connect(port, user)))));
  }
  const connection = await createConnection({ host: '127.0.0.1', port, user: 'root@proxysys' });
  try {
    const [rows] = await connection.query<RowDataPacket[]>('SHOW PROXYSESSION');
    const own = rows.filter((row) => row.User === 'sb');
    return [...Map.groupBy(own, (row) => String(row.tid)).values()].map((sessions) => sessions.length);
  } finally {
    connection.destroy();
    for (const client of clients) client.close();
  }
}

async function report(samples: Rounds, spread: readonly number[]): Promise<void> {
  const rows = [...samples].map(([request, all]): WorkersRow => {
    const of = (read: (round: { readonly one: Sample; readonly two: Sample }) => number): number =>
      median(all.map(read));
    const one = { perSecond: of((round) => round.one.perSecond), cpuUs: of((round) => round.one.cpuUs) };
    const besideUs = of((round) => round.one.besideUs);
    return {
      load: request,
      connections: CONNECTIONS,
      one,
      two: { perSecond: of((round) => round.two.perSecond), cpuUs: of((round) => round.two.cpuUs) },
      ratio: of((round) => round.two.perSecond / round.one.perSecond),
      besideUs,
      possible: possibleRatio(availableParallelism(), one.cpuUs, besideUs),
    };
  });
  const figures: WorkersFigures = { conditions: conditionsNow(rounds), seconds, rows, spread };
  console.log(`\n${workersSection(figures)}`);
  if (!values['no-write'] && !values.short) await keepFigures({ workers: figures });
}
