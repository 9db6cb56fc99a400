/** One window of the client sessions of all workers: each picks keys of its own, only those in the window are told whole. */
import { addressText } from '../config/server-address.ts';
import type { SessionSort, SessionState } from './contract.ts';

/** What is looked at to choose and sort; every client session has it. */
export interface ListedSession {
  readonly id: number;
  readonly user: string;
  readonly tenant: string;
  readonly clusterName: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** A request is being served. */
  readonly active: boolean;
  readonly inTransaction: boolean;
  /** Milliseconds of the thread's clock. */
  readonly transactionBeganAtMs: number;
  /** Wall clock. */
  readonly connectedAtMs: number;
  readonly servers: { readonly size: number; find(address: string): unknown };
  readonly recent: { readonly running: { readonly beganAtMs: number } | null };
}

/** Undefined: any. */
interface SessionFilter {
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
  readonly cluster?: string | undefined;
  readonly client?: string | undefined;
  readonly database?: string | undefined;
  readonly server?: string | undefined;
  readonly state?: SessionState | undefined;
  readonly text?: string | undefined;
}

export interface SessionPick {
  readonly filter: SessionFilter;
  readonly sort: SessionSort;
  readonly order: 'asc' | 'desc';
  /** The first so many of the sorted list. */
  readonly count: number;
}

/** The first sessions of one worker, or of all: two lists of the same length, since that is quick to hand over. */
export interface SessionKeys {
  readonly ids: readonly number[];
  /** What they are sorted by. */
  readonly keys: readonly (number | string)[];
  readonly matches: number;
  readonly states: Readonly<Record<SessionState, number>>;
}

interface Keyed {
  readonly id: number;
  readonly key: number | string;
}

/** Walks through all sessions once, and keeps only as many as are wanted. @param nowMs of the thread's clock */
export function pickSessions(sessions: Iterable<ListedSession>, pick: SessionPick, nowMs: number): SessionKeys {
  const { filter, sort, order, count } = pick;
  const text = filter.text?.toLowerCase();
  const states = { running: 0, 'in-transaction': 0, idle: 0 };
  const found: Keyed[] = [];
  let matches = 0;
  // Sorting at twice the size keeps the list short without a search for each session.
  const most = 2 * count + 64;
  for (const session of sessions) {
    if (!fits(session, filter, text)) continue;
    const state = stateOf(session);
    states[state] += 1;
    if (filter.state !== undefined && state !== filter.state) continue;
    matches += 1;
    found.push({ id: session.id, key: keyOf(session, state, sort, nowMs) });
    if (found.length === most) cut(found, order, count);
  }
  cut(found, order, count);
  return { ids: found.map(({ id }) => id), keys: found.map(({ key }) => key), matches, states };
}

/** The lists of all workers as one. */
export function mergeKeys(lists: readonly SessionKeys[], order: 'asc' | 'desc', count: number): SessionKeys {
  const found = lists.flatMap(({ ids, keys }) => ids.map((id, at): Keyed => ({ id, key: keys[at] ?? 0 })));
  cut(found, order, count);
  const total = (state: SessionState): number => lists.reduce((sum, { states }) => sum + states[state], 0);
  return {
    ids: found.map(({ id }) => id),
    keys: found.map(({ key }) => key),
    matches: lists.reduce((sum, { matches }) => sum + matches, 0),
    states: { running: total('running'), 'in-transaction': total('in-transaction'), idle: total('idle') },
  };
}

export function stateOf({ active, inTransaction }: Pick<ListedSession, 'active' | 'inTransaction'>): SessionState {
  if (active) return 'running';
  return inTransaction ? 'in-transaction' : 'idle';
}

function fits(session: ListedSession, filter: SessionFilter, text: string | undefined): boolean {
  if (filter.user !== undefined && session.user !== filter.user) return false;
  if (filter.tenant !== undefined && session.tenant !== filter.tenant) return false;
  if (filter.cluster !== undefined && session.clusterName !== filter.cluster) return false;
  if (filter.database !== undefined && session.database !== filter.database) return false;
  if (filter.client !== undefined && !clientOf(session).startsWith(filter.client)) return false;
  if (filter.server !== undefined && session.servers.find(filter.server) === undefined) return false;
  if (text === undefined) return true;
  const { id, user, tenant, clusterName, database } = session;
  return `${id} ${user}@${tenant}#${clusterName} ${clientOf(session)} ${database}`.toLowerCase().includes(text);
}

/** Where its client is connected from. */
export function clientOf({ host, port }: Pick<ListedSession, 'host' | 'port'>): string {
  return addressText(host, port);
}

/** Most urgent first. */
const stateRank: Readonly<Record<SessionState, number>> = { running: 0, 'in-transaction': 1, idle: 2 };

function keyOf(session: ListedSession, state: SessionState, sort: SessionSort, nowMs: number): number | string {
  switch (sort) {
    case 'id':
      return session.id;
    case 'user':
    case 'tenant':
    case 'database':
      return session[sort];
    case 'cluster':
      return session.clusterName;
    case 'client':
      return clientOf(session);
    case 'state':
      return stateRank[state];
    case 'transaction':
      return session.inTransaction ? nowMs - session.transactionBeganAtMs : -1;
    case 'servers':
      return session.servers.size;
    case 'statement':
      return session.recent.running === null ? -1 : nowMs - session.recent.running.beganAtMs;
    case 'since':
      return session.connectedAtMs;
  }
}

/** Sorts, and drops what is not wanted. Equal ones stand by id, so that they never change places. */
function cut(found: Keyed[], order: 'asc' | 'desc', count: number): void {
  const sign = order === 'asc' ? 1 : -1;
  found.sort((left, right) => {
    if (left.key === right.key) return left.id - right.id;
    return left.key < right.key ? -sign : sign;
  });
  if (found.length > count) found.length = count;
}
