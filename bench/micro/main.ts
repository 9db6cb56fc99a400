/** `npm run bench -- --micro`: what a request's route costs once everything about it is known, by number of known places. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Partition, Partitioning } from '../../proxy/cluster/partitioning.ts';
import type { ClusterTopology, TableLocation } from '../../proxy/cluster/topology.ts';
import { ConfigView } from '../../proxy/config/config-view.ts';
import { LeveledConfig } from '../../proxy/config/leveled-config.ts';
import { BlocklistView } from '../../proxy/congestion/blocklist-view.ts';
import { LocationCache } from '../../proxy/routing/location/location-cache.ts';
import { RefreshBudget } from '../../proxy/routing/location/refresh-budget.ts';
import { DescribedSession } from '../../proxy/session/described-session.ts';
import { type ClientRequest, UNROUTED } from '../../proxy/session/request.ts';
import { routeRequest } from '../../proxy/session/route-request.ts';
import type { SessionCluster } from '../../proxy/session/session-context.ts';
import { StatementCache } from '../../proxy/sql/statement-cache.ts';
import { COM, HEADER_LENGTH } from '../../proxy/wire/constants.ts';
import { median, replaceSection } from '../report.ts';

const PARTITIONS = 10;
const ROUNDS = 7;
const REQUESTS = 100_000;

const addresses = ['10.0.0.1:2881', '10.0.0.2:2881', '10.0.0.3:2881'];
const topology: ClusterTopology = {
  clusterName: 'c',
  revision: 1,
  source: 'views',
  zones: ['z1', 'z2', 'z3'].map((name) => ({ name, region: 'r', idc: 'i', type: 'ReadWrite', state: 'ACTIVE' })),
  servers: addresses.map((address, at) => ({
    address,
    host: address.slice(0, -5),
    port: 2881,
    zone: `z${at + 1}`,
    state: 'ACTIVE',
    reason: '',
  })),
  refreshedAtMs: 0,
  error: null,
};
const partitions = Array.from(
  { length: PARTITIONS },
  (_, at): Partition => ({ name: `p${at}`, tabletId: String(200_001 + at), bounds: [], subPartitions: [] }),
);
/** BIGINT, as the cluster numbers its types. */
const column = { name: 'id', type: 5, collation: 63, length: -1, precision: 20, scale: 0 };
const partitioning: Partitioning = {
  rule: { kind: 'hash', columns: [column], expression: null },
  subRule: null,
  partitions,
};

const placeOf = (tenant: string, database: string, table: string): TableLocation => ({
  tenant,
  database,
  table,
  tableId: '500001',
  partitionCount: PARTITIONS,
  schemaVersion: '1',
  replicas: addresses.map((address, at) => ({ address, role: at === 0 ? 'leader' : 'follower' })),
});

/** A cluster all of whose places are known: tables of ten partitions each, until there are so many. */
async function clusterWith(places: number): Promise<{ cluster: SessionCluster; tables: number }> {
  const cache = new LocationCache({
    load: async ({ tenant, database, table }) => placeOf(tenant, database, table),
    onLoadError: () => undefined,
    nowMs: () => performance.now(),
    random: Math.random,
    maxBytes: () => Number.POSITIVE_INFINITY,
    maxMissing: 100_000,
    negativeLifetimeMs: 1_000,
    minUpdateGapMs: () => 5_000,
    lifetimeMs: () => 0,
    usesOldMeanwhile: () => true,
    budget: new RefreshBudget(() => 100),
    clusterVersion: () => 1,
  });
  const tables = Math.max(1, Math.floor(places / (PARTITIONS + 1)));
  for (let at = 0; at < tables; at += 1) {
    await cache.locate('t', 'd', `t${at}`);
    for (const { tabletId, name } of partitions) await cache.locate('t', 'd', `t${at}`, tabletId, name);
  }
  const cluster: Partial<SessionCluster> = {
    name: 'c',
    topology,
    blocklist: new BlocklistView(),
    serves: () => true,
    locate: (tenant, database, table) => cache.locate(tenant, database, table),
    partitioning: () => partitioning,
    locatePartition: ({ tenant, database, table }, { tabletId, name }) =>
      cache.locate(tenant, database, table, tabletId, name),
  };
  return { cluster: cluster as SessionCluster, tables };
}

/** Microseconds for one request: its text looked at, its table, partition and place found, the servers in order. */
async function measure(places: number): Promise<number> {
  const { cluster, tables } = await clusterWith(places);
  const config = new ConfigView({});
  const context = { config, levels: new LeveledConfig(config), random: Math.random, statements: new StatementCache() };
  const session = new DescribedSession(context, cluster, {
    tenant: 't',
    database: 'd',
    idcName: null,
    proxyRoutePolicy: null,
    obRoutePolicy: null,
    readConsistency: null,
    sqlMode: null,
    autocommit: true,
    begun: 'no',
    boundServer: null,
    lastServer: null,
  });
  // A thousand texts, over tables from all over the cache.
  const frames = Array.from({ length: 1_000 }, (_, at) => {
    const sql = `SELECT * FROM t${(at * 7919) % tables} WHERE id = ${at}`;
    return Buffer.concat([Buffer.alloc(HEADER_LENGTH + 1), Buffer.from(sql)]);
  });
  const route = (bytes: Buffer): void => {
    const info = session.classify(bytes.subarray(HEADER_LENGTH + 1), false);
    const request: ClientRequest = {
      command: COM.QUERY,
      bytes,
      complete: true,
      info,
      replyKind: 'result',
      statement: null,
      ...UNROUTED,
    };
    const found = routeRequest(session, request, context.random);
    if (found instanceof Promise || found.addresses[0] !== addresses[0] || request.place === null) {
      throw new Error('a request was not routed by the place of its partition');
    }
  };
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    // Processor time: what else runs on the machine counts less.
    const began = process.cpuUsage();
    for (let at = 0; at < REQUESTS; at += 1) route(frames[at % frames.length] as Buffer);
    // The first round warms up.
    if (round > 0) rounds.push(process.cpuUsage(began).user / REQUESTS);
  }
  return median(rounds);
}

const lines = ['| known places | µs for a route |', '|--:|--:|'];
for (const places of [10, 1_000, 10_000, 100_000]) {
  const us = await measure(places);
  lines.push(`| ${places} | ${us.toFixed(2)} |`);
  console.log(lines.at(-1));
}
if (!process.argv.includes('--no-write')) {
  const page = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
  const machine = `Measured ${new Date().toISOString().slice(0, 10)} on one core of ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}.`;
  await writeFile(page, replaceSection(await readFile(page, 'utf8'), `${machine}\n\n${lines.join('\n')}`, 'micro'));
}
