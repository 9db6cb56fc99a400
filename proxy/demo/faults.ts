import { OdpError } from '../errors/odp-error.ts';
import type { DemoServer, DemoServerStatus, DemoZone } from './cluster-state.ts';
import type { DemoEngine } from './engine/engine.ts';
import type { DemoListener } from './server/listener.ts';
import type { ServerFaults } from './server/server-faults.ts';

export interface FaultyServer {
  readonly server: DemoServer;
  readonly listener: DemoListener;
  readonly faults: ServerFaults;
}

/** What the fault door tells of one server. */
export interface ServerReport {
  readonly address: string;
  readonly zone: string;
  readonly region: string;
  readonly idc: string;
  readonly hostName: string;
  /** Accepts connections. */
  readonly listening: boolean;
  readonly frozen: boolean;
  readonly slowMs: number;
  readonly errorCode: number;
  /** Requests that have come and are not begun. */
  readonly held: number;
  readonly wrongChecksums: number;
  readonly refusesToTakePart: boolean;
  readonly connections: number;
  /** As the cluster's own views show it. */
  readonly status: DemoServerStatus | 'DELETED';
  readonly stopped: boolean;
  /** Tables and partitions whose leader it is. */
  readonly leaders: number;
}

/**
 * Faults on request. Servers are named by `ip:port`, host name or zone. Faults of the process (stop, freeze …) and the
 * cluster's own opinion of the server (status, stop time) are apart, as in a real cluster, where the second lags behind.
 */
export class DemoFaults {
  readonly #engine: DemoEngine;
  readonly #servers: readonly FaultyServer[];

  constructor(engine: DemoEngine, servers: readonly FaultyServer[]) {
    this.#engine = engine;
    this.#servers = servers;
  }

  /**
   * Ends the server's process: connections are reset, new ones refused.
   * @param failover whether its leaders move to other servers at once (default), as an election would do
   */
  async stop(name: string, failover = true): Promise<void> {
    const { server, listener } = this.#find(name);
    await listener.refuse();
    listener.thaw();
    listener.cut();
    if (failover) this.#moveLeadersFrom(server);
  }

  /** Starts a stopped server, on its old port; also ends every other fault of it. */
  async start(name: string): Promise<void> {
    const { listener, faults } = this.#find(name);
    listener.thaw();
    faults.slowMs = 0;
    faults.errorCode = 0;
    faults.letGo();
    faults.wrongChecksums = 0;
    faults.refusesToTakePart = false;
    await listener.listen();
  }

  /** Like SIGSTOP: connections are accepted, nothing is read or answered. */
  freeze(name: string): void {
    this.#find(name).listener.freeze();
  }

  /** Ends `freeze`; what was sent meanwhile is answered. */
  thaw(name: string): void {
    this.#find(name).listener.thaw();
  }

  /** New connections are refused; those that are open go on. */
  async refuse(name: string): Promise<void> {
    await this.#find(name).listener.refuse();
  }

  /** Ends `refuse`. */
  async accept(name: string): Promise<void> {
    await this.#find(name).listener.listen();
  }

  /** Resets all connections; new ones are accepted. */
  cut(name: string): void {
    this.#find(name).listener.cut();
  }

  /** Ends all connections in an orderly way, as for idleness or by an administrator; new ones are accepted. */
  hangUp(name: string): void {
    this.#find(name).listener.hangUp();
  }

  /** The connections that are open now go silent for good, and neither end is told; new ones work. */
  stall(name: string): void {
    this.#find(name).listener.stall();
  }

  /** Requests are taken and not begun. */
  hold(name: string): void {
    this.#find(name).faults.hold();
  }

  /** Ends `hold`; what was held is begun. */
  letGo(name: string): void {
    this.#find(name).faults.letGo();
  }

  /** What runs there now ends with the error for a query time-out. */
  expire(name: string): void {
    this.#find(name).listener.expire();
  }

  /** Waits so long before each answer; 0 ends it. */
  slow(name: string, delayMs: number): void {
    this.#find(name).faults.slowMs = delayMs;
  }

  /** Answers every statement with this error number; 0 ends it. */
  answerError(name: string, errno: number): void {
    this.#find(name).faults.errorCode = errno;
  }

  /** So many answers more carry a wrong checksum: those to connections with protocol 2.0. */
  sendWrongChecksums(name: string, count: number): void {
    this.#find(name).faults.wrongChecksums = count;
  }

  /** Whether the server answers statements of transactions that began elsewhere with error 6279. */
  refuseToTakePart(name: string, refuses: boolean): void {
    this.#find(name).faults.refusesToTakePart = refuses;
  }

  /** What DBA_OB_SERVERS shows. `DELETED` takes the server out of all views. */
  setServerStatus(name: string, status: DemoServerStatus | 'DELETED'): void {
    const { server } = this.#find(name);
    server.deleted = status === 'DELETED';
    if (status !== 'DELETED') server.status = status;
  }

  /**
   * Nothing passes between the proxy and these servers, as if the network were cut: connections stay and say nothing. The
   * cluster elects leaders elsewhere meanwhile. `cut` false ends it; what was on its way arrives then.
   */
  partition(names: readonly string[], cut: boolean): void {
    const found = names.map((name) => this.#find(name));
    for (const { listener } of found) {
      if (cut) listener.freeze();
      else listener.thaw();
    }
    if (cut) for (const { server } of found) this.#moveLeadersFrom(server);
  }

  /** The same for all servers of a region. */
  partitionRegion(region: string, cut: boolean): void {
    const inRegion = this.#servers.filter(({ server }) => this.#findZone(server.zone).region === region);
    if (inRegion.length === 0) throw new OdpError('NOT_FOUND', { detail: `region '${region}' of the demo cluster` });
    this.partition(
      inRegion.map(({ server }) => server.hostName),
      cut,
    );
  }

  /** Sets or clears the server's stop time (`ALTER SYSTEM STOP SERVER`): it is then being upgraded. */
  setStopTime(name: string, stopped: boolean): void {
    this.#find(name).server.stopTime = stopped ? Date.now() * 1000 : null;
  }

  /** Sets or clears the time since when the server serves: without it it still replays its log. */
  setInService(name: string, inService: boolean): void {
    this.#find(name).server.startServiceTime = inService ? Date.now() * 1000 : null;
  }

  setZoneStatus(zone: string, status: DemoZone['status']): void {
    this.#findZone(zone).status = status;
  }

  /** Whether a major merge runs in the zone. */
  setMerging(zone: string, merging: boolean): void {
    this.#findZone(zone).merging = merging;
  }

  setPlace(zone: string, place: { readonly region?: string | undefined; readonly idc?: string | undefined }): void {
    const found = this.#findZone(zone);
    if (place.region !== undefined) found.region = place.region;
    if (place.idc !== undefined) found.idc = place.idc;
  }

  /** What DBA_OB_TENANTS shows as the tenant's primary zone, like `zone1;zone2,zone3`. Leaders stay where they are. */
  setPrimaryZone(tenant: string, zones: string): void {
    const found = this.#engine.tenant(tenant);
    if (!found) throw new OdpError('NOT_FOUND', { detail: `tenant '${tenant}' of the demo cluster` });
    found.primaryZone = zones;
  }

  /** What DBA_OB_TENANTS shows as the tenant's locality. Replicas stay where they are. */
  setLocality(tenant: string, locality: string): void {
    const found = this.#engine.tenant(tenant);
    if (!found) throw new OdpError('NOT_FOUND', { detail: `tenant '${tenant}' of the demo cluster` });
    found.locality = locality;
  }

  /** All log streams of a tenant, with the tables it has now, are led by one server. */
  leadTenant(tenant: string, server: string): void {
    const found = this.#engine.tenant(tenant);
    if (!found) throw new OdpError('NOT_FOUND', { detail: `tenant '${tenant}' of the demo cluster` });
    const { server: target } = this.#find(server);
    this.#engine.state.moveTenant(found.id, target);
    for (const { definition } of found.tables) {
      for (const { tabletId } of definition.tablets) this.#engine.state.moveLeader(tabletId, target);
    }
  }

  /** Leaders stay where they are; those that were never moved keep to read-write zones. */
  setZoneType(zone: string, type: DemoZone['type']): void {
    this.#findZone(zone).type = type;
  }

  /**
   * Moves leaders to a server: of one table (`tenant.database.table`), or all of a server's.
   */
  switchLeader(from: { readonly table: string } | { readonly server: string }, to: string): void {
    const { server: target } = this.#find(to);
    if ('table' in from) {
      for (const tablet of this.#findTable(from.table).tablets) this.#engine.state.moveLeader(tablet.tabletId, target);
    } else {
      const { server } = this.#find(from.server);
      for (const tablet of this.#tabletsLedBy(server)) this.#engine.state.moveLeader(tablet.tabletId, target);
    }
  }

  /** Moves the leader of one partition of a table (`tenant.database.table`). */
  switchPartitionLeader(table: string, partition: number, to: string): void {
    const tablet = this.#findTable(table).tablets[partition];
    if (!tablet) throw new OdpError('NOT_FOUND', { detail: `partition ${partition} of table '${table}'` });
    this.#engine.state.moveLeader(tablet.tabletId, this.#find(to).server);
  }

  /** Leaders that were moved go back to where they were at first. */
  spreadLeaders(): void {
    this.#engine.state.forgetMovedLeaders();
  }

  /** Whether a server's replicas of a table, or of one partition of it, are too old for weak reads. */
  setStale(name: string, table: string, stale: boolean, partition?: number): void {
    const { server } = this.#find(name);
    const { tablets } = this.#findTable(table);
    const meant = partition === undefined ? tablets : tablets.filter((_, index) => index === partition);
    if (meant.length === 0) throw new OdpError('NOT_FOUND', { detail: `partition ${partition} of table '${table}'` });
    for (const { tabletId } of meant) this.#engine.state.setStale(server, tabletId, stale);
  }

  /** The leader of a table's first partition (or of the partition of that index), as `ip:port`. */
  leaderOf(table: string, partition = 0): string {
    const tablet = this.#findTable(table).tablets[partition];
    const leader = tablet && this.#engine.state.leaderOf(tablet);
    if (!leader) throw new OdpError('NOT_FOUND', { detail: `partition ${partition} of table '${table}'` });
    return `${leader.ip}:${leader.sqlPort}`;
  }

  /** Ends every fault of every server; placement and leaders stay as they are. */
  async clear(): Promise<void> {
    for (const { server } of this.#servers) {
      await this.start(server.hostName);
      this.setServerStatus(server.hostName, 'ACTIVE');
      this.setStopTime(server.hostName, false);
      if (server.startServiceTime === null) this.setInService(server.hostName, true);
    }
    this.#engine.state.clearStale();
    for (const zone of this.#engine.state.zones) {
      zone.status = 'ACTIVE';
      zone.merging = false;
    }
  }

  report(): ServerReport[] {
    return this.#servers.map(({ server, listener, faults }) => {
      const zone = this.#findZone(server.zone);
      return {
        address: `${server.ip}:${server.sqlPort}`,
        zone: server.zone,
        region: zone.region,
        idc: zone.idc,
        hostName: server.hostName,
        listening: listener.listening,
        frozen: faults.frozen,
        slowMs: faults.slowMs,
        errorCode: faults.errorCode,
        held: faults.heldCount,
        wrongChecksums: faults.wrongChecksums,
        refusesToTakePart: faults.refusesToTakePart,
        connections: listener.connectionCount,
        status: server.deleted ? 'DELETED' : server.status,
        stopped: server.stopTime !== null,
        leaders: this.#tabletsLedBy(server).length,
      };
    });
  }

  /** The cluster's zones as they are. */
  zones(): DemoZone[] {
    return this.#engine.state.zones.map((zone) => ({ ...zone }));
  }

  /** `ip:port` of a server, however it is named. */
  addressOf(name: string): string {
    const { ip, sqlPort } = this.#find(name).server;
    return `${ip}:${sqlPort}`;
  }

  #find(name: string): FaultyServer {
    const server = this.#engine.state.findServer(name);
    const found = this.#servers.find((candidate) => candidate.server === server);
    if (!found) {
      const known = this.#servers.map((candidate) => candidate.server.hostName).join(', ');
      throw new OdpError('NOT_FOUND', { detail: `demo server '${name}' (there are ${known})` });
    }
    return found;
  }

  #findZone(name: string): DemoZone {
    const zone = this.#engine.state.zone(name);
    if (!zone) throw new OdpError('NOT_FOUND', { detail: `zone '${name}' of the demo cluster` });
    return zone;
  }

  #findTable(path: string) {
    const [tenant = '', database = '', table = ''] = path.split('.');
    const found = this.#engine.tenant(tenant)?.findTable(database, table);
    if (!found) throw new OdpError('NOT_FOUND', { detail: `table '${path}' (write tenant.database.table)` });
    return found.definition;
  }

  #tabletsLedBy(server: DemoServer) {
    const { state, tenants } = this.#engine;
    return [...tenants.values()]
      .flatMap((tenant) => tenant.tables.flatMap((table) => table.definition.tablets))
      .filter((tablet) => state.leaderOf(tablet) === server);
  }

  #moveLeadersFrom(server: DemoServer): void {
    const { state } = this.#engine;
    const candidates = this.#servers.filter(
      (candidate) =>
        candidate.server !== server &&
        candidate.listener.listening &&
        !candidate.faults.frozen &&
        state.leaderCandidates.includes(candidate.server),
    );
    this.#tabletsLedBy(server).forEach((tablet, index) => {
      const next = candidates[index % Math.max(1, candidates.length)];
      if (next) state.moveLeader(tablet.tabletId, next.server);
    });
  }
}
