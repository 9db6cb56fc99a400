/** What a request's route costs once everything about it is known, by number of known places. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Partition, Partitioning } from '../../../proxy/cluster/partitioning.ts';
import { ReplicaLists } from '../../../proxy/cluster/replica-lists.ts';
import type { ClusterTopology, TableLocation } from '../../../proxy/cluster/topology.ts';
import { ConfigView } from '../../../proxy/config/config-view.ts';
import { LeveledConfig } from '../../../proxy/config/leveled-config.ts';
import { BlocklistView } from '../../../proxy/congestion/blocklist-view.ts';
import { LocationCache } from '../../../proxy/routing/location/location-cache.ts';
import { RefreshBudget } from '../../../proxy/routing/location/refresh-budget.ts';
import { PartitioningCache } from '../../../proxy/routing/partition/partitioning-cache.ts';
import { StaleReplicas } from '../../../proxy/routing/stale-replicas.ts';
import { DescribedSession } from '../../../proxy/session/described-session.ts';
import { type ClientRequest, UNROUTED } from '../../../proxy/session/request.ts';
import { routeRequest } from '../../../proxy/session/route-request.ts';
import type { SessionCluster } from '../../../proxy/session/session-context.ts';
import { StatementCache } from '../../../proxy/sql/statement-cache.ts';
import { COM, HEADER_LENGTH } from '../../../proxy/wire/constants.ts';
import type { MicroOperation } from '../operation.ts';

const PARTITIONS = 10;

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
/** BIGINT, as the cluster numbers its types. */
const typeOfKey = { type: 5, collation: 63, length: -1, precision: 20, scale: 0 };

/** Made anew for each table, texts and all, as from rows of a cluster. */
const partitioningOf = (tableId: string): Partitioning => ({
  rule: { kind: 'hash', columns: [{ name: ['i', 'd'].join(''), ...typeOfKey }], expression: null },
  subRule: null,
  partitions: Array.from(
    { length: PARTITIONS },
    (_, at): Partition => ({
      name: `p${at}`,
      tabletId: `${tableId}${at}`,
      bounds: [],
      subPartitions: [],
    }),
  ),
});

/** The same text in memory of its own. */
const copyOf = (text: string): string => Buffer.from(text).toString();

/** As in a look-up. */
const lists = new ReplicaLists();

const placeOf = (tenant: string, database: string, table: string): TableLocation => ({
  tenant,
  database,
  table,
  tableId: `5${table.slice(1).padStart(5, '0')}`,
  partitionCount: PARTITIONS,
  schemaVersion: '1',
  replicas: lists.shared(
    addresses.map((address, at) => ({ address: copyOf(address), role: at === 0 ? 'leader' : 'follower' })),
  ),
});

/** What the caches think they hold, and what the heap has grown by. */
export interface HeldMemory {
  readonly places: number;
  readonly estimatedBytes: number;
  readonly heapBytes: number;
}

interface World {
  readonly cluster: SessionCluster;
  readonly tables: number;
  /** What the caches think they hold, and what the heap has grown by, in bytes. */
  readonly estimated: number;
  readonly heap: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** A cluster all of whose places are known: tables of ten partitions each, until there are so many. */
async function clusterWith(places: number): Promise<World> {
  const heapBefore = heapBytes();
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
  const partitionings = new PartitioningCache({
    load: async (_tenant, tableId) => partitioningOf(tableId),
    onLoadError: () => undefined,
    nowMs: () => performance.now(),
    maxBytes: () => Number.POSITIVE_INFINITY,
    retryAfterMs: 1_000,
  });
  const tables = Math.max(1, Math.floor(places / (PARTITIONS + 1)));
  for (let at = 0; at < tables; at += 1) {
    const location = await cache.locate('t', 'd', { name: `t${at}` });
    const partitioning = location === null ? null : await partitionings.get(location);
    if (location === null || partitioning === null) throw new Error('a table is not known');
    for (const partition of partitioning.partitions) await cache.locatePartition(location, partition);
  }
  const cluster: Partial<SessionCluster> = {
    name: 'c',
    topology,
    blocklist: new BlocklistView(),
    staleReplicas: new StaleReplicas({ nowMs: () => performance.now(), wallMs: Date.now, forgetAfterMs: () => 1_000 }),
    serves: () => true,
    locate: (tenant, database, table) => cache.locate(tenant, database, table),
    partitioning: (location) => partitionings.get(location),
    locatePartition: (location, partition) => cache.locatePartition(location, partition),
    told: (whole, place) => cache.told(whole, place),
    tellAgain: (told) => cache.tellAgain(told),
  };
  const estimated = cache.counters().bytes + partitionings.bytes;
  return { cluster: cluster as SessionCluster, tables, estimated, heap: heapBytes() - heapBefore };
}

/** One request after the other: its text looked at, its table, partition and place found, the servers in order. */
function requestsOf({ cluster, tables }: World): () => void {
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
    parameters: {},
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
  let at = 0;
  return () => {
    route(frames[at] as Buffer);
    at = (at + 1) % frames.length;
  };
}

/** Operations on caches of this many places, and what those hold. */
export async function routeOperations(
  sizes: readonly number[],
): Promise<{ readonly operations: readonly MicroOperation[]; readonly held: readonly HeldMemory[] }> {
  const operations: MicroOperation[] = [];
  const held: HeldMemory[] = [];
  for (const places of sizes) {
    const world = await clusterWith(places);
    operations.push({ name: `route: point select, ${places.toLocaleString('en')} places`, run: requestsOf(world) });
    held.push({ places, estimatedBytes: world.estimated, heapBytes: world.heap });
  }
  return { operations, held };
}
