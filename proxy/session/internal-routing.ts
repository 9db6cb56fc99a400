/**
 * Transactions whose statements go to several servers (C9): which of them leave the coordinator, the server session
 * where the transaction began. The state that the others need goes along in blocks (shared-blocks.ts).
 */
import { COM, STATUS } from '../wire/constants.ts';
import type { ClientSession } from './client-session.ts';
import { isUnforced } from './forced-servers.ts';
import type { LogicalSession } from './logical-session.ts';
import { asksAboutLast, beginsReadOnly, type ClientRequest } from './request.ts';
import type { ServerSession } from './server-session.ts';

/** What the reference counts as "not supported at a participant": OB_TRANS_FREE_ROUTE_NOT_SUPPORTED. */
const NOT_FOR_PARTICIPANTS = 6279;

const COMMANDS: ReadonlySet<number> = new Set<number>([COM.QUERY, COM.STMT_PREPARE, COM.STMT_EXECUTE]);

/**
 * Notes whether a request leaves the coordinator of an open transaction.
 * @returns the server session that it must use since it asks about the statement before, or null
 */
export function lastInside(session: ClientSession, request: ClientRequest): ServerSession | null {
  const { servers } = session;
  const { bound } = servers;
  servers.isRoaming = false;
  if (bound === null || !servers.routesInside) return null;
  if (asksAboutLast(request.info)) return servers.last?.ready ? servers.last : bound;
  const isFree = servers.pinned === null && !servers.stayOnLast && isUnforced(session, request.info);
  servers.isRoaming = isFree && mayRoam(request);
  return null;
}

/** A single statement of DML with a table, that takes nothing which only one server session can have. */
function mayRoam({ command, complete, info }: ClientRequest): boolean {
  if (info === null || !complete || !COMMANDS.has(command)) return false;
  if (!info.isDml || info.isMulti || info.table === null) return false;
  if (info.table.database === null && info.table.name.toLowerCase() === 'dual') return false;
  return !info.takesSessionLock && !info.releasesSessionLock;
}

/** The coordinator has to do what this error says a participant does not. */
export function isForCoordinator(session: ClientSession, server: ServerSession, errno: number): boolean {
  const { roamedFrom } = session.servers;
  return errno === NOT_FOR_PARTICIPANTS && roamedFrom !== null && roamedFrom !== server;
}

/** Tells a server session, before a request, whether the transaction's statements may go to several servers. */
export function offerInternalRouting(session: ClientSession, server: ServerSession): void {
  const { framing } = server;
  if (framing === null) return;
  const { bound, routesInside, stayOnLast } = session.servers;
  if (bound !== null) framing.offersInternalRouting = routesInside;
  // One that only reads may have begun at a follower, and stays there (R12).
  else if (stayOnLast || (session.heldBegin !== null && beginsReadOnly(session.heldBegin))) {
    framing.offersInternalRouting = false;
  } else framing.offersInternalRouting = session.config.bool('enable_transaction_internal_routing');
}

/** A server has answered inside the transaction: it coordinates it if it is the first, and says how it goes on. */
export function noteInTransaction(session: LogicalSession, server: ServerSession): void {
  const { servers } = session;
  // The coordinator went while this one was at work: the client is told at its next request (C6).
  if (servers.bound === null && servers.isRoaming) {
    session.status &= ~STATUS.IN_TRANS;
    return session.dropServer(server);
  }
  const isGranted = server.framing?.offersInternalRouting === true && server.framing.grantsInternalRouting;
  if (servers.bound === null) servers.bind(server, isGranted);
  else if (!isGranted) servers.routesInside = false;
}

/**
 * Whether nothing of the client's is lost with a server, so that a request may be taken to another one. What a server
 * that takes part in a transaction has been sent may have changed the transaction's state, be it a read.
 */
export function canMove({ servers }: ClientSession, server: ServerSession, request: ClientRequest): boolean {
  return servers.lossOf(server) === null && !(servers.isRoaming && request.sent);
}

/**
 * A server has failed under a request: what became of the request nobody knows. A transaction that it took part in ends
 * with it, for its coordinator cannot know either.
 * @returns the reason, with what is lost
 */
export function loseWith(session: ClientSession, server: ServerSession, reason: string): string {
  const { servers } = session;
  const { bound, isRoaming } = servers;
  if (!isRoaming || bound === null || bound === server) return servers.withLoss(server, reason);
  const text = servers.withLoss(bound, reason);
  session.dropServer(bound);
  return text;
}
