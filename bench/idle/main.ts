/**
 * `npm run bench -- --idle`: what an idle connection holds in the proxy's memory: with the server session that its log-in
 * has opened, after its server has closed that, and the same after some requests. Heap and resident memory, after a
 * collection, in rounds.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { processUsage } from '../process-usage.ts';
import { median, replaceSection } from '../report.ts';
import { type StubServer, startStub } from '../stub/stub-server.ts';
import { startOdp, type Target } from '../targets.ts';
import { IdleClient } from './idle-client.ts';
import { HeapInspector } from './inspect-heap.ts';

/** Log-ins under way at a time. */
const AT_ONCE = 50;
/** Requests of each client before it idles: as many as a session remembers. */
const REQUESTS = 10;

const { values } = parseArgs({
  options: {
    idle: { type: 'boolean' },
    connections: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    'no-write': { type: 'boolean', default: false },
  },
});
const count = Number(values.connections);
const rounds = Number(values.rounds);

interface Memory {
  readonly heapBytes: number;
  readonly rssBytes: number;
}

const states = [
  'with a server session',
  'without one',
  `with a server session, after ${REQUESTS} requests`,
  `without one, after ${REQUESTS} requests`,
] as const;
type State = (typeof states)[number];
const samples = new Map<State, Memory[]>(states.map((state) => [state, []]));

const inspectorUrls: string[] = [];
const stub = await startStub();
const odp = await startOdp({
  databasePort: stub.port,
  nodeOptions: ['--inspect=127.0.0.1:0'],
  parameters: [`client_max_connections=${2 * count}`, 'work_thread_num=1'],
  onErrorLine: (line) => {
    const url = /ws:\S+/.exec(line)?.[0];
    if (url !== undefined) inspectorUrls.push(url);
  },
});
const inspectors = await Promise.all(inspectorUrls.map((url) => HeapInspector.attach(url)));
try {
  // The first round grows what stays: generations of the heap, tables, compiled code.
  for (let round = 0; round <= rounds; round += 1) await measureRound(stub, odp, round > 0);
} finally {
  for (const inspector of inspectors) inspector.close();
  await odp.close();
  await stub.close();
}
await report();

async function measureRound(server: StubServer, { port, user }: Target, counts: boolean): Promise<void> {
  const before = await memory();
  const clients: IdleClient[] = [];
  const note = async (state: State): Promise<void> => {
    const { heapBytes, rssBytes } = await memory();
    const each = { heapBytes: (heapBytes - before.heapBytes) / count, rssBytes: (rssBytes - before.rssBytes) / count };
    if (counts) samples.get(state)?.push(each);
    console.log(`${state}: ${kib(each.heapBytes)} KiB of heap and buffers, ${kib(each.rssBytes)} KiB resident`);
  };
  for (let at = 0; at < count; at += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - at) }, () => IdleClient.connect(port, user));
    clients.push(...(await Promise.all(some)));
  }
  await note(states[0]);
  await dropServers(server, clients);
  await note(states[1]);
  await inTurns(clients, async (some) => {
    for (let request = 0; request < REQUESTS; request += 1) await Promise.all(some.map((client) => client.ask()));
  });
  await note(states[2]);
  await dropServers(server, clients);
  await note(states[3]);
  for (const client of clients) client.close();
  // Those of the proxy's own questions may be there again.
  if ((await server.order('count')) > count / 2) throw new Error('the clients still have server sessions');
}

/** Server sessions end as when a server ends idle ones. */
async function dropServers(server: StubServer, clients: readonly IdleClient[]): Promise<void> {
  await server.order('drop');
  // Answered by the proxy itself, after what its servers have done.
  await inTurns(clients, (some) => Promise.all(some.map((client) => client.ping())));
}

async function inTurns(
  clients: readonly IdleClient[],
  work: (some: readonly IdleClient[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < clients.length; at += AT_ONCE) await work(clients.slice(at, at + AT_ONCE));
}

/** Of all threads of the proxy. */
async function memory(): Promise<Memory> {
  let heapBytes = 0;
  for (const inspector of inspectors) {
    const { usedBytes, backingBytes } = await inspector.measure();
    heapBytes += usedBytes + backingBytes;
  }
  return { heapBytes, rssBytes: processUsage(odp.pid ?? 0).rssBytes };
}

function kib(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}

async function report(): Promise<void> {
  const rows = states.map((state) => {
    const of = (what: keyof Memory): string => kib(median((samples.get(state) ?? []).map((sample) => sample[what])));
    return `| ${state} | ${of('heapBytes')} | ${of('rssBytes')} |`;
  });
  const head = ['| an idle client | KiB of heap and buffers | KiB resident |', '|---|--:|--:|'];
  const machine =
    `Measured ${new Date().toISOString().slice(0, 10)} with ${count} connections on ${cpus()[0]?.model ?? 'unknown'}, ` +
    `Node ${process.versions.node}; medians of ${rounds} rounds.`;
  const section = `${machine}\n\n${[...head, ...rows].join('\n')}`;
  console.log(`\n${section}`);
  if (values['no-write']) return;
  const page = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
  await writeFile(page, replaceSection(await readFile(page, 'utf8'), section, 'idle'));
}
