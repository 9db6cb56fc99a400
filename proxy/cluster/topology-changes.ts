/** What has changed from one state of knowledge about a cluster to the next, for people: like changes told together. */
import type { ServerState, ZoneState } from './states.ts';
import type { ClusterTopology } from './topology.ts';

export interface TopologyChange {
  /** Null: it was not there before. */
  readonly before: string | null;
  /** Null: it is no more. */
  readonly after: string | null;
  /** The change in a few words. */
  readonly summary: string;
}

/** Of many servers, zones or tenants that change alike so many are named. */
const MAX_NAMED = 20;

/**
 * Servers that came, left or changed their state, zones that did, and tenants whose leader is another server. Nothing
 * while only the configured addresses were known: what is read first is no change.
 */
export function topologyChanges(before: ClusterTopology, after: ClusterTopology): TopologyChange[] {
  if (before.source === 'rslist' || after.source === 'rslist') return [];
  return [
    ...serverChanges(before, after),
    ...stateChanges('zone', statesOf(before.zones, 'name'), statesOf(after.zones, 'name')),
    ...stateChanges('server', statesOf(before.servers, 'address'), statesOf(after.servers, 'address')),
    ...leaderChanges(before.singleLeaders, after.singleLeaders),
    ...reachChanges(before.error, after.error),
  ];
}

function serverChanges(before: ClusterTopology, after: ClusterTopology): TopologyChange[] {
  const told = ({ servers }: ClusterTopology) =>
    new Map(servers.map(({ address, zone }) => [address, `${address} (${zone})`]));
  const [old, now] = [told(before), told(after)];
  const added = [...now].filter(([address]) => !old.has(address)).map(([, text]) => text);
  const removed = [...old].filter(([address]) => !now.has(address)).map(([, text]) => text);
  return [
    ...(added.length === 0
      ? []
      : [{ before: null, after: named(added), summary: `${counted(added.length, 'server')} added` }]),
    ...(removed.length === 0
      ? []
      : [{ before: named(removed), after: null, summary: `${counted(removed.length, 'server')} removed` }]),
  ];
}

function statesOf<Key extends string, State>(
  things: readonly (Readonly<Record<Key, string>> & { readonly state: State })[],
  key: Key,
): ReadonlyMap<string, State> {
  return new Map(things.map((thing): [string, State] => [thing[key], thing.state]));
}

function stateChanges(
  what: 'server' | 'zone',
  before: ReadonlyMap<string, ServerState | ZoneState>,
  after: ReadonlyMap<string, ServerState | ZoneState>,
): TopologyChange[] {
  const groups = new Map<string, { old: string; now: string; names: string[] }>();
  for (const [name, now] of after) {
    const old = before.get(name);
    if (old === undefined || old === now) continue;
    const group = groups.get(`${old} ${now}`) ?? { old, now, names: [] };
    groups.set(`${old} ${now}`, group);
    group.names.push(name);
  }
  return [...groups.values()].map(({ old, now, names }) => ({
    before: old,
    after: now,
    summary: `${names.length === 1 ? what : counted(names.length, what)} ${named(names)}: ${old} → ${now}`,
  }));
}

/** Tenants are told by the server that leads them now: a switch moves many at once. */
function leaderChanges(
  before: ClusterTopology['singleLeaders'] = {},
  after: ClusterTopology['singleLeaders'] = {},
): TopologyChange[] {
  const moves = new Map<string, { old: string; now: string; tenants: string[] }>();
  for (const [tenant, now] of Object.entries(after)) {
    const old = before[tenant];
    if (old === undefined || old === now) continue;
    const move = moves.get(`${old} ${now}`) ?? { old, now, tenants: [] };
    moves.set(`${old} ${now}`, move);
    move.tenants.push(tenant);
  }
  return [...moves.values()].map(({ old, now, tenants }) => ({
    before: old,
    after: now,
    summary: `leader of ${counted(tenants.length, 'tenant')} moved: ${named(tenants)}`,
  }));
}

function reachChanges(before: string | null, after: string | null): TopologyChange[] {
  if ((before === null) === (after === null)) return [];
  const summary = after === null ? 'its views can be read again' : 'its views cannot be read';
  return [{ before, after, summary }];
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).join(', ');
  return names.length > MAX_NAMED ? `${shown} and ${names.length - MAX_NAMED} more` : shown;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
