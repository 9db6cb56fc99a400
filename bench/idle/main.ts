/**
 * `npm run bench -- --idle`: what an idle connection holds in the proxy's memory: with the server session that its log-in
 * has opened, after its server has closed that, and the same after some requests. Heap and resident memory, after a
 * collection, in rounds.
 */
import { parseArgs } from 'node:util';
import { conditionsNow } from '../conditions.ts';
import { idleSection } from '../document/other-sections.ts';
import { keepFigures } from '../figures.ts';
import { median } from '../median.ts';
import { positive } from '../positive.ts';
import { descriptorLimit, processUsage } from '../process-usage.ts';
import { Started } from '../started.ts';
import { type StubServer, startStub } from '../stub/stub-server.ts';
import { startOdp, type Target } from '../targets.ts';
import { type IdleFigures, type IdleRow, type IdleState, idleStates, REQUESTS } from './figures.ts';
import { IdleClient } from './idle-client.ts';
import { HeapInspector } from './inspect-heap.ts';

/** Log-ins under way at a time. */
const AT_ONCE = 50;
/** Open files of a proxy beside the clients and their server sessions. */
const SPARE_DESCRIPTORS = 250;

const { values } = parseArgs({
  options: {
    idle: { type: 'boolean' },
    connections: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    'no-write': { type: 'boolean', default: false },
  },
});
const wanted = positive('--connections', values.connections);
const rounds = positive('--rounds', values.rounds);

type Memory = Omit<IdleRow, 'state'>;
const samples = new Map<IdleState, Memory[]>(idleStates.map((state) => [state, []]));

const inspectorUrls: string[] = [];
const started = new Started();
const stub = started.add(await startStub());
const odp = started.add(
  await startOdp(stub, {
    nodeOptions: ['--inspect=127.0.0.1:0'],
    parameters: [`client_max_connections=${2 * wanted}`, 'work_thread_num=1'],
    onErrorLine: (line) => {
      const url = /ws:\S+/.exec(line)?.[0];
      if (url !== undefined) inspectorUrls.push(url);
    },
  }),
);
const limit = descriptorLimit(odp.pid ?? 0);
const count = Math.min(wanted, Math.floor((limit - SPARE_DESCRIPTORS) / 2));
if (count < wanted) console.log(`${count} connections: ${limit} files may be open, and each takes two (ulimit -n)`);
const inspectors = await Promise.all(inspectorUrls.map((url) => HeapInspector.attach(url)));
try {
  // The first round grows what stays: generations of the heap, tables, compiled code.
  for (let round = 0; round <= rounds; round += 1) await measureRound(stub, odp, round > 0);
} finally {
  for (const inspector of inspectors) inspector.close();
  await started.close();
}
await report();

async function measureRound(server: StubServer, { port, user }: Target, counts: boolean): Promise<void> {
  const before = await memory();
  const clients: IdleClient[] = [];
  const note = async (state: IdleState): Promise<void> => {
    const { heapBytes, rssBytes } = await memory();
    const each = { heapBytes: (heapBytes - before.heapBytes) / count, rssBytes: (rssBytes - before.rssBytes) / count };
    if (counts) samples.get(state)?.push(each);
    console.log(`${state}: ${kib(each.heapBytes)} KiB of heap and buffers, ${kib(each.rssBytes)} KiB resident`);
  };
  for (let at = 0; at < count; at += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - at) }, () => IdleClient.connect(port, user));
    clients.push(...(await Promise.all(some)));
  }
  await note(idleStates[0]);
  await dropServers(server, clients);
  await note(idleStates[1]);
  await inTurns(clients, async (some) => {
    for (let request = 0; request < REQUESTS; request += 1) await Promise.all(some.map((client) => client.ask()));
  });
  await note(idleStates[2]);
  await dropServers(server, clients);
  await note(idleStates[3]);
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
  const rows = idleStates.map((state): IdleRow => {
    const of = (what: keyof Memory): number => median((samples.get(state) ?? []).map((sample) => sample[what]));
    return { state, heapBytes: of('heapBytes'), rssBytes: of('rssBytes') };
  });
  const figures: IdleFigures = { conditions: conditionsNow(rounds), connections: count, rows };
  console.log(`\n${idleSection(figures)}`);
  if (!values['no-write']) await keepFigures({ idle: figures });
}
