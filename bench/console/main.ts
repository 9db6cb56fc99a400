/**
 * `npm run bench -- --console`: what ten open pages of the console cost the data path, with many idle sessions and many
 * servers in the cluster. The pages are played by HTTP: real browsers would take more of a small machine than the proxy.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { conditionsNow } from '../conditions.ts';
import { consoleSection } from '../document/other-sections.ts';
import { keepFigures } from '../figures.ts';
import { IdleClient } from '../idle/idle-client.ts';
import { LoadProcess } from '../load/load-process.ts';
import { median } from '../median.ts';
import { positive } from '../positive.ts';
import { Started } from '../started.ts';
import { startOdp, type Target } from '../targets.ts';
import { ConsoleDoor } from './console-door.ts';
import type { ConsoleFigures, ConsoleRow } from './figures.ts';
import { viewedPages } from './pages.ts';
import { pinTree, WorkerThreads } from './threads.ts';
import { Viewers } from './viewers.ts';

/** Clients of the load. */
const CONNECTIONS = 16;
/** Log-ins of idle clients under way at a time. */
const AT_ONCE = 50;
/** As many idle clients have server sessions at a time, which their server then ends. */
const WITH_SERVERS = 2_000;
const SHORT_MS = 100;
const [DATA_CORE, OTHER_CORE] = [0, 1];

const { values } = parseArgs({
  options: {
    console: { type: 'boolean' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    sessions: { type: 'string', default: '10000' },
    servers: { type: 'string', default: '500' },
    short: { type: 'boolean', default: false },
    'no-write': { type: 'boolean', default: false },
  },
});
const seconds = positive('--seconds', values.seconds);
const rounds = values.short ? 1 : positive('--rounds', values.rounds);
const sessions = values.short ? AT_ONCE : positive('--sessions', values.sessions);
const servers = values.short ? 20 : positive('--servers', values.servers);

interface Scene {
  readonly load: LoadProcess;
  readonly door: ConsoleDoor;
  readonly workers: WorkerThreads;
}

interface Throughput {
  readonly perSecond: number;
  readonly workerUs: number;
}

interface Sample {
  readonly closed: Throughput;
  readonly open: Throughput;
  readonly answers: number;
  readonly events: number;
}

if (!values.short)
  console.log(`about ${Math.ceil((4 * (rounds + 1) * (seconds + 1) + 30 + sessions / 500) / 60)} minutes`);
const started = new Started();
try {
  const load = started.add(await LoadProcess.start(servers));
  const parameters = [`client_max_connections=${2 * sessions}`, 'work_thread_num=1'];
  const proxy = started.add(await startOdp(load, { withConsole: true, parameters, logLevel: 'error' }));
  const door = await ConsoleDoor.open(proxy.said);
  const idle = await connectIdle(load, proxy);
  started.add({ close: async () => closeAll(idle) });
  await load.connect(proxy, CONNECTIONS);
  const scene: Scene = { load, door, workers: new WorkerThreads(proxy.pid ?? 0) };
  const rows: ConsoleRow[] = [await measureRow('all on the same cores', scene)];
  if (availableParallelism() > 1) {
    for (const pid of [proxy.pid ?? 0, process.pid]) await pinTree(pid, OTHER_CORE);
    await pinTree(load.pid, DATA_CORE);
    await scene.workers.pin(DATA_CORE);
    rows.unshift(await measureRow('data path on a core of its own', scene));
  }
  const viewers = viewedPages.reduce((sum, page) => sum + page.viewers, 0);
  const figures: ConsoleFigures = { conditions: conditionsNow(rounds), seconds, viewers, sessions, servers, rows };
  console.log(`\n${consoleSection(figures)}`);
  if (!values['no-write'] && !values.short) await keepFigures({ console: figures });
} finally {
  await started.close();
}

/** Long idle: their servers have ended their sessions, so that each takes one open file of the proxy and not two. */
async function connectIdle(load: LoadProcess, { port, user }: Target): Promise<IdleClient[]> {
  const clients: IdleClient[] = [];
  while (clients.length < sessions) {
    const some = Math.min(AT_ONCE, sessions - clients.length);
    const made = await Promise.all(Array.from({ length: some }, () => IdleClient.connect(port, user)));
    clients.push(...made);
    if (clients.length % WITH_SERVERS > 0 && clients.length < sessions) continue;
    await load.drop();
    // Answered by the proxy itself, after what its servers have done.
    for (const client of made) await client.ping();
  }
  return clients;
}

function closeAll(clients: readonly IdleClient[]): void {
  for (const client of clients) client.close();
}

async function measureRow(cores: ConsoleRow['cores'], scene: Scene): Promise<ConsoleRow> {
  const samples: Sample[] = [];
  // The first round is there for what is compiled in it.
  for (let round = values.short ? 1 : 0; round <= rounds; round += 1) {
    const isOpenFirst = round % 2 === 1;
    const before = isOpenFirst ? await withViewers(scene) : null;
    const closed = await throughput(scene);
    const sample = { closed, ...(before ?? (await withViewers(scene))) };
    const [without, within] = [closed.perSecond, sample.open.perSecond].map((perSecond) => perSecond.toFixed(0));
    console.log(`${cores}, round ${round}: closed ${without}, open ${within} a second`);
    if (round > 0) samples.push(sample);
  }
  const of = (read: (sample: Sample) => number): number => median(samples.map(read));
  return {
    cores,
    closedPerSecond: of(({ closed }) => closed.perSecond),
    openPerSecond: of(({ open }) => open.perSecond),
    ratio: of(({ open, closed }) => open.perSecond / closed.perSecond),
    closedWorkerUs: of(({ closed }) => closed.workerUs),
    openWorkerUs: of(({ open }) => open.workerUs),
    answersPerSecond: of(({ answers }) => answers),
    eventsPerSecond: of(({ events }) => events),
  };
}

async function withViewers(scene: Scene): Promise<Omit<Sample, 'closed'>> {
  const viewers = await Viewers.open(scene.door);
  const before = { ...viewers.counts };
  const began = performance.now();
  const open = await throughput(scene);
  const perSecond = (count: number) => (count * 1_000) / (performance.now() - began);
  const [answers, events] = [viewers.counts.answers - before.answers, viewers.counts.events - before.events];
  const sample = { open, answers: perSecond(answers), events: perSecond(events) };
  await viewers.close();
  return sample;
}

async function throughput({ load, workers }: Scene): Promise<Throughput> {
  const before = workers.cpuSeconds;
  const { replies, ms } = await load.run('point select', values.short ? SHORT_MS : seconds * 1_000);
  return { perSecond: (replies * 1_000) / ms, workerUs: ((workers.cpuSeconds - before) * 1e6) / replies };
}
