import type { ClientSession } from '../session/client-session.ts';
import { ServerSession } from '../session/server-session.ts';
import type { SessionContext } from '../session/session-context.ts';
import { COM } from '../wire/constants.ts';
import { framePackets } from '../wire/writer.ts';

/**
 * Makes the server interrupt what a session's server session is running: on a connection of its own, as the same user
 * (C19). Resolves with false when the session is gone or idle: then there is nothing to interrupt.
 */
export function killRunningQuery(session: ClientSession | undefined, context: SessionContext): Promise<boolean> {
  const running = session?.forwarder.currentServer ?? null;
  const target = session?.cluster?.topology.servers.find((server) => server.address === running?.address);
  const credentials = session?.credentials;
  if (session === undefined) return Promise.resolve(false);
  if (running === null || !target || !credentials) return Promise.resolve(true);
  return new Promise((resolve, reject) => {
    const killer = new ServerSession(
      {
        onServerLogin: (server, answer) => {
          // By the time the log-in is done another statement may run there, which must not be hit (case B81).
          if (answer.kind !== 'ok' || session.forwarder.currentServer !== running) return end();
          const text = Buffer.concat([Buffer.from([COM.QUERY]), Buffer.from(`KILL QUERY ${running.connectionId}`)]);
          server.write(framePackets(text, 0));
        },
        onServerData: () => end(),
        onServerDrain: () => undefined,
        onServerClosed: () => resolve(true),
        onServerBroken: (_server, error) => reject(error),
      },
      context,
      target,
      credentials,
      false,
    );
    const end = (): void => {
      killer.close();
      resolve(true);
    };
  });
}
