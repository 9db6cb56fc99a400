/** The listed servers as the Overview tells them: what is the matter with each, since when, why, and what comes next. */
import type { BlocklistCluster, BlocklistEvent, BlocklistServer } from '../../proxy/control/contract.ts';
import type { StateLook } from './server-state.ts';

/**
 * How a listed server stands. `down`: it gets no requests. `waiting`: it is tried again at a time. `trying`: the next
 * request that wants it is let through. `recovering`, `upgrading`, `leaving`: the cluster says so. `released`: it was
 * listed a moment ago.
 */
export type ListedPhase = 'down' | 'waiting' | 'trying' | 'recovering' | 'upgrading' | 'leaving' | 'released';

export interface ListedRow {
  /** The same as long as the server is listed. */
  readonly key: string;
  readonly cluster: string;
  readonly address: string;
  readonly zone: string;
  readonly phase: ListedPhase;
  /** Since when it gets no requests: the first of its listings, ISO. */
  readonly since: string;
  /** In the order in which it came on them. */
  readonly listings: readonly { readonly list: string; readonly reason: string }[];
  /** When it is tried again, ISO; null: not by requests, or not known. */
  readonly retryAt: string | null;
}

/** The colour and shape of each; the word is the text `phase.…`. */
export const phaseLooks: Record<ListedPhase, Omit<StateLook, 'word'>> = {
  down: { tone: 'bad', shape: 'octagon' },
  waiting: { tone: 'warn', shape: 'triangle' },
  trying: { tone: 'info', shape: 'turn' },
  recovering: { tone: 'info', shape: 'turn' },
  upgrading: { tone: 'info', shape: 'arrow' },
  leaving: { tone: 'neutral', shape: 'ring' },
  released: { tone: 'ok', shape: 'disc' },
};

/** Listed longest first; of those listed at once by cluster and address. @param nowMs by the proxy's clock */
export function listedNow(clusters: readonly BlocklistCluster[], nowMs: number): ListedRow[] {
  const rows = clusters.flatMap(({ name, servers }) =>
    servers
      .filter(({ listings }) => listings.length > 0)
      .map((server): ListedRow => {
        const listings = server.listings.toSorted((one, other) => compare(one.since, other.since));
        return {
          key: `${name} ${server.address}`,
          cluster: name,
          address: server.address,
          zone: server.zone,
          phase: phaseNow(server, nowMs),
          since: listings[0]?.since ?? '',
          listings: listings.map(({ list, reason }) => ({ list, reason })),
          retryAt: server.retryAt,
        };
      }),
  );
  return rows.sort(byAge);
}

/** The same of a moment that has passed, from the listings that had not ended by then. */
export function listedThen(listings: readonly BlocklistEvent[]): ListedRow[] {
  const servers = new Map<string, BlocklistEvent[]>();
  for (const listing of listings) {
    const key = `${listing.cluster} ${listing.server}`;
    servers.set(key, [...(servers.get(key) ?? []), listing]);
  }
  const rows = [...servers].map(([key, own]): ListedRow => {
    const ordered = own.toSorted((one, other) => compare(one.at, other.at));
    return {
      key,
      cluster: own[0]?.cluster ?? '',
      address: own[0]?.server ?? '',
      zone: own.at(-1)?.zone ?? '',
      phase: phaseThen(own),
      since: ordered[0]?.at ?? '',
      listings: ordered.map(({ list, reason }) => ({ list, reason })),
      retryAt: null,
    };
  });
  return rows.sort(byAge);
}

function phaseNow({ listings, state, zoneState, retryAt }: BlocklistServer, nowMs: number): ListedPhase {
  const onlyOn = (list: string): boolean => listings.every((listing) => listing.list === list);
  if (onlyOn('alive')) return retryAt !== null && Date.parse(retryAt) > nowMs ? 'waiting' : 'trying';
  return onlyOn('status') ? phaseOfView(state, zoneState) : 'down';
}

function phaseThen(listings: readonly BlocklistEvent[]): ListedPhase {
  if (listings.every(({ list }) => list === 'alive')) return 'waiting';
  const [only] = listings;
  if (listings.length !== 1 || only?.evidence?.kind !== 'view') return 'down';
  return phaseOfView(only.evidence.state, only.evidence.zoneState);
}

function phaseOfView(state: string, zoneState: string): ListedPhase {
  if (state === 'REPLAY') return 'recovering';
  if (state === 'UPGRADE' || zoneState === 'UPGRADE') return 'upgrading';
  return state === 'DELETING' || state === 'DELETED' || zoneState === 'DELETED' ? 'leaving' : 'down';
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const byAge = (one: ListedRow, other: ListedRow): number =>
  compare(one.since, other.since) || compare(one.key, other.key);
