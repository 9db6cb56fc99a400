/** Whether a client session can go to another generation now, and if not, why. */
import { rawHandles, socketsInUse } from '../../net/handles.ts';
import type { ClientSession } from '../client-session.ts';
import type { ServerSession } from '../server-session.ts';

/**
 * A question about the statement before (FOUND_ROWS, SHOW WARNINGS) comes right behind it or not at all: behind so much
 * silence a server session that only answers such is let go.
 */
const LAST_ASKED_WITHIN_MS = 1000;

/** In words; null: it can go. */
export function reasonToStay(session: ClientSession): string | null {
  if (rawHandles === null) return `connections of this process cannot be handed over: they are ${socketsInUse}`;
  if (session.usesTls) return 'its client is connected over TLS';
  if (session.login !== null || !session.loggedIn) return 'it is logging in';
  if (!session.isAtRest) return 'a request is being served';
  for (const server of session.servers.all()) {
    if (server.lend() !== null) continue;
    if (!server.usesTls) return 'a request is being served';
    const tie = tieTo(session, server);
    if (tie !== null) return `its server session over TLS to ${server.address} holds ${tie}`;
  }
  return null;
}

/** What only this server session has, so that the client would notice another one in its place; null: nothing. */
function tieTo(session: ClientSession, server: ServerSession): string | null {
  const { servers } = session;
  if (servers.bound === server) return 'a transaction';
  if (servers.bound !== null && servers.routesInside) return 'a part of a transaction';
  const held = servers.holdings(server);
  if (held !== null) return held;
  for (const { holder, id } of session.prepared.all()) if (holder === server) return `statement ${id}`;
  // Only an OBServer tells what its session's state is, so that another one can be given the same.
  if (!server.extraOk) return 'the session’s variables';
  if (servers.last !== server) return null;
  if (servers.stayOnLast) return 'what the next transaction is to be like';
  const { awaited, waitedMs } = session.limits;
  const isSilent = awaited === 'next-request' && waitedMs >= LAST_ASKED_WITHIN_MS;
  return isSilent ? null : 'the statement before';
}
