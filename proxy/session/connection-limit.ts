/**
 * `client_max_connections`: what happens when more clients are connected than it allows (case B89). All workers share
 * one count of connections, those that have not logged in yet included; 0 is no limit.
 */
import { OdpError } from '../errors/odp-error.ts';
import type { ClientSession } from './client-session.ts';
import type { SessionContext } from './session-context.ts';

/**
 * Called for a client that has sent its log-in; those of the proxy's own tenant are let in whatever the count is.
 * @throws OdpError TOO_MANY_SESSIONS (the reference's number, 1203), unless idle clients make room
 */
export function checkConnectionCount(context: SessionContext): void {
  const { config } = context;
  const limit = config.int('client_max_connections');
  if (limit === 0 || context.countConnection(0) <= limit) return;
  if (!config.bool('enable_client_connection_lru_disconnect')) throw new OdpError('TOO_MANY_SESSIONS', { limit });
  makeRoom(context);
}

/**
 * With `enable_client_connection_lru_disconnect`: ends this worker's sessions that are idle longest until as many are
 * connected as may be. Busy ones stay, even above the limit, and are ended once they are idle (as the reference does).
 */
export function makeRoom(context: SessionContext): void {
  const { config, registry } = context;
  const limit = config.int('client_max_connections');
  if (limit === 0 || !config.bool('enable_client_connection_lru_disconnect')) return;
  while (context.countConnection(0) > limit) {
    const session = idleLongest(registry);
    if (session === null) return;
    session.closeWith(`client_max_connections (${limit}) is passed, and it was idle longest`);
  }
}

/** Of the sessions that only wait for their client's next request, outside a transaction. */
function idleLongest(sessions: Iterable<ClientSession>): ClientSession | null {
  let found: ClientSession | null = null;
  for (const session of sessions) {
    if (session.limits.awaited !== 'next-request' || session.inTransaction || session.cluster === null) continue;
    if (found === null || session.limits.sinceMs < found.limits.sinceMs) found = session;
  }
  return found;
}
