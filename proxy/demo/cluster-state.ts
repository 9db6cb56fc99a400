/** A zone of the demo cluster, as the internal views show it. */
export interface DemoZone {
  readonly name: string;
  region: string;
  idc: string;
  type: 'ReadWrite' | 'ReadOnly';
  status: 'ACTIVE' | 'INACTIVE';
  /** Whether a major merge runs in the zone. */
  merging: boolean;
}

export type DemoServerStatus = 'ACTIVE' | 'INACTIVE' | 'DELETING';

/** An OBServer of the demo cluster. */
export interface DemoServer {
  readonly id: number;
  readonly zone: string;
  readonly hostName: string;
  /** Loopback address; like a separate host. */
  readonly ip: string;
  sqlPort: number;
  readonly rpcPort: number;
  status: DemoServerStatus;
  /** Microseconds since 1970; null: not in service yet. */
  startServiceTime: number | null;
  /** Microseconds since 1970; null: not stopped. */
  stopTime: number | null;
  /** A server that was deleted is in no view any more. */
  deleted: boolean;
}

/** Placement R28: idc1 with zones 1 and 2, idc2 with zone 3, idc3 (another city, read-only) with zones 4 and 5. */
const PLACEMENT = [
  { name: 'zone1', region: 'SHANGHAI', idc: 'idc1', type: 'ReadWrite' },
  { name: 'zone2', region: 'SHANGHAI', idc: 'idc1', type: 'ReadWrite' },
  { name: 'zone3', region: 'SHANGHAI', idc: 'idc2', type: 'ReadWrite' },
  { name: 'zone4', region: 'HANGZHOU', idc: 'idc3', type: 'ReadOnly' },
  { name: 'zone5', region: 'HANGZHOU', idc: 'idc3', type: 'ReadOnly' },
] as const;

/** The cluster's own idea of its zones, servers and leaders: what the internal views are made from. */
export class ClusterState {
  readonly clusterName: string;
  readonly zones: DemoZone[];
  readonly servers: DemoServer[];
  /** Replicas that are too old for weak reads: `server id / tablet id`. */
  readonly #stale = new Set<string>();
  /** Leaders that were moved: tablet id → index of the server. */
  readonly #movedLeaders = new Map<number, number>();
  /** Tenants led by one server: tenant id → server. */
  readonly #tenantLeaders = new Map<number, DemoServer>();

  /** @param ips one address per zone of the placement */
  constructor(clusterName: string, ips: readonly string[], rpcPort: number, startedAtMicros: number) {
    this.clusterName = clusterName;
    this.zones = PLACEMENT.map((zone) => ({ ...zone, status: 'ACTIVE', merging: false }));
    this.servers = this.zones.map((zone, index) => ({
      id: index + 1,
      zone: zone.name,
      hostName: `${clusterName}-${zone.name}-1`,
      ip: ips[index] ?? '127.0.0.1',
      sqlPort: 0,
      rpcPort,
      status: 'ACTIVE',
      startServiceTime: startedAtMicros,
      stopTime: null,
      deleted: false,
    }));
  }

  zone(name: string): DemoZone | undefined {
    return this.zones.find((zone) => zone.name.toLowerCase() === name.toLowerCase());
  }

  /** A server by `ip:port`, host name or zone. */
  findServer(name: string): DemoServer | undefined {
    return this.servers.find((server) =>
      [`${server.ip}:${server.sqlPort}`, server.hostName, server.zone, server.ip].includes(name),
    );
  }

  /** Servers that hold replicas. */
  get present(): DemoServer[] {
    return this.servers.filter((server) => !server.deleted);
  }

  /** Servers that may lead: those of ReadWrite zones. */
  get leaderCandidates(): DemoServer[] {
    return this.present.filter((server) => this.zone(server.zone)?.type === 'ReadWrite');
  }

  /** The leader of a tablet. Unmoved leaders are spread over the ReadWrite zones by their slot. */
  leaderOf(tablet: { readonly tabletId: number; readonly leaderSlot: number }): DemoServer | undefined {
    const moved = this.#movedLeaders.get(tablet.tabletId);
    const server = moved === undefined ? undefined : this.servers[moved];
    if (server && !server.deleted) return server;
    const candidates = this.leaderCandidates;
    return candidates[tablet.leaderSlot % Math.max(1, candidates.length)];
  }

  setStale(server: DemoServer, tabletId: number, isStale: boolean): void {
    if (isStale) this.#stale.add(`${server.id}/${tabletId}`);
    else this.#stale.delete(`${server.id}/${tabletId}`);
  }

  /** A leader is never too old. */
  isStale(server: DemoServer, tablet: { readonly tabletId: number; readonly leaderSlot: number }): boolean {
    return this.#stale.has(`${server.id}/${tablet.tabletId}`) && this.leaderOf(tablet) !== server;
  }

  clearStale(): void {
    this.#stale.clear();
  }

  /** The server that all log streams of a tenant were moved to. */
  tenantLeader(tenantId: number): DemoServer | undefined {
    return this.#tenantLeaders.get(tenantId);
  }

  moveTenant(tenantId: number, to: DemoServer): void {
    this.#tenantLeaders.set(tenantId, to);
  }

  moveLeader(tabletId: number, to: DemoServer): void {
    this.#movedLeaders.set(tabletId, this.servers.indexOf(to));
  }

  /** Every leader is where it was at first. */
  forgetMovedLeaders(): void {
    this.#movedLeaders.clear();
    this.#tenantLeaders.clear();
  }
}
