/** Client sessions in the test's own process, before scripted servers: no coordinator, no metadata, a clock by hand. */
import type { ClusterTopology, TableLocation } from '../../cluster/topology.ts';
import { ConfigView } from '../../config/config-view.ts';
import { LeveledConfig } from '../../config/leveled-config.ts';
import { BlocklistView } from '../../congestion/blocklist-view.ts';
import { OdpError } from '../../errors/odp-error.ts';
import { Deadlines } from '../../net/deadlines.ts';
import { acceptOn, bindSocket } from '../../net/listener.ts';
import { StaleReplicas } from '../../routing/stale-replicas.ts';
import { StatementCache } from '../../sql/statement-cache.ts';
import { RawClient, type RawLogin } from '../../testing/raw-client.ts';
import { ClientSession } from '../client-session.ts';
import type { SessionCluster, SessionContext, SessionTls } from '../session-context.ts';
import { SessionRegistry } from '../session-registry.ts';
import { TenantCounts } from '../tenant-counts.ts';
import { TenantLimit } from '../tenant-limit.ts';

export interface SessionProxy {
  readonly port: number;
  readonly context: SessionContext;
  /** What was logged, `level text`. */
  readonly log: string[];
  /** Where tables lead, by name: addresses. */
  readonly leaders: Map<string, string>;
  /** Tables whose places were asked for, each time. */
  readonly located: string[];
  /** Tables that servers said to be elsewhere. */
  readonly dirty: string[];
  /** Servers where requests ended in an error, each time. */
  readonly erroneous: string[];
  readonly tenantCounts: TenantCounts;
  /** Lets time pass: deadlines that are due fire. */
  advance(ms: number): void;
  client(login?: Partial<RawLogin>): Promise<RawClient>;
  close(): void;
}

export function startSessionProxy(
  servers: readonly { readonly address: string }[],
  parameters: Readonly<Record<string, string>> = {},
  tls: SessionTls = { forClients: null, forServers: null, required: false },
  upgradeBit: 0 | 1 = 0,
): SessionProxy {
  const topology: ClusterTopology = {
    clusterName: 'c1',
    revision: 1,
    source: 'rslist',
    zones: [],
    servers: servers.map(({ address }) => ({
      address,
      host: address.slice(0, address.lastIndexOf(':')),
      port: Number(address.slice(address.lastIndexOf(':') + 1)),
      zone: 'z1',
      state: 'ACTIVE',
      reason: '',
    })),
    refreshedAtMs: null,
    error: null,
  };
  const leaders = new Map<string, string>();
  const located: string[] = [];
  const dirty: string[] = [];
  const erroneous: string[] = [];
  const log: string[] = [];
  const note = (level: string) => (fields: object, text: string) =>
    log.push(`${level} ${text} ${JSON.stringify(fields)}`);
  let nowMs = 0;
  let connectionCount = 0;
  const deadlines = new Deadlines(() => nowMs);
  const cluster: SessionCluster = {
    name: 'c1',
    topology,
    serves: () => true,
    locate: (tenant, database, { name: table }): TableLocation | null => {
      located.push(table);
      const leader = leaders.get(table);
      if (leader === undefined) return null;
      const replicas = [{ address: leader, role: 'leader' as const }];
      return { tenant, database, table, tableId: '1', partitionCount: 1, schemaVersion: '1', replicas };
    },
    partitioning: () => null,
    locatePartition: () => null,
    told: () => null,
    tellAgain: () => false,
    routine: () => null,
    singleLeader: () => null,
    doubtSingleLeader: () => undefined,
    doubt: ({ table }) => dirty.push(table),
    confirm: () => undefined,
    blocklist: new BlocklistView(),
    health: { failed: () => undefined, retryStarted: () => undefined, worked: () => undefined },
    staleReplicas: new StaleReplicas({
      nowMs: () => nowMs,
      wallMs: () => nowMs,
      forgetAfterMs: () => 60_000,
    }),
    countRequest: () => undefined,
    countError: (address) => erroneous.push(address),
    countServerSession: () => undefined,
  };
  const levels = new LeveledConfig(new ConfigView(parameters));
  const tenantCounts = new TenantCounts(TenantCounts.memory(1), 0);
  const context: SessionContext = {
    config: levels.global,
    levels,
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') } as never,
    deadlines,
    statements: new StatementCache(),
    registry: new SessionRegistry(() => ({ version: 1, proxyId: 0, worker: 0, workerCount: 1, upgradeBit })),
    commands: { run: () => null, isInternal: () => false },
    tls,
    proxyVersion: 'test',
    random: () => 0,
    findCluster: (name) => {
      if (name !== 'c1') throw new OdpError('CLUSTER_NOT_EXIST', { cluster: name });
      return cluster;
    },
    defaultCluster: () => 'c1',
    countConnection: (change) => {
      connectionCount += change;
      return connectionCount;
    },
    tenantLimit: new TenantLimit(levels, tenantCounts),
    serverCapabilities: 0,
    taker: null,
  };
  const socket = bindSocket('127.0.0.1', 0);
  const listener = acceptOn(socket.fd, (handle) => new ClientSession(handle, context));
  const clients: RawClient[] = [];
  return {
    port: socket.port,
    context,
    log,
    leaders,
    located,
    dirty,
    erroneous,
    tenantCounts,
    advance: (ms) => {
      nowMs += ms;
      deadlines.tick();
    },
    client: async (login) => {
      const client = await RawClient.connect(socket.port);
      clients.push(client);
      await client.login({ user: 'u1@t1#c1', ...login });
      return client;
    },
    close: () => {
      for (const client of clients) client.destroy();
      listener.close();
    },
  };
}
