/** All server sessions of a client session, those that are still being opened among them. */
import type { ClientSession } from './client-session.ts';
import { ServerSession, type ServerSessionOwner } from './server-session.ts';

/** Opens one for a session that has logged in. */
export function openServer(
  session: ClientSession,
  target: { readonly address: string; readonly host: string; readonly port: number },
  owner: ServerSessionOwner,
): ServerSession {
  if (session.credentials === null) throw new Error('a server session was opened before log-in');
  session.recent.counters.connects++;
  return new ServerSession(owner, session.context, target, session.credentials, false);
}

/** A copy: they may go while it is walked. */
export function serversOf(session: ClientSession): Set<ServerSession> {
  const servers = new Set(session.servers.all());
  for (const server of [session.login?.server, session.forwarder.currentServer]) if (server) servers.add(server);
  return servers;
}

/** B9: a server is dead. Whoever waits for it goes on elsewhere or gets an error; idle server sessions just go. */
export function loseServer(session: ClientSession, address: string, reason: string): void {
  for (const server of serversOf(session)) if (server.address === address) server.lose(reason);
}
