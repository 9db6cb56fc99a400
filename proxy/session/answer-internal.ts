import { OdpError } from '../errors/odp-error.ts';
import { COM } from '../wire/constants.ts';
import { buildResultSet } from '../wire/result-set.ts';
import { framePackets } from '../wire/writer.ts';
import type { ClientSession } from './client-session.ts';
import { type ClientRequest, UNROUTED } from './request.ts';

/** Answers a statement that is the proxy's own to answer. */
export function answerInternal(session: ClientSession, statement: string): void {
  const pending = session.context.commands.run(session, statement);
  if (pending === null) {
    session.sendError(new OdpError('BAD_INTERNAL_COMMAND', { detail: statement.slice(0, 80) }));
    return;
  }
  session.recent.counters.internalRequests++;
  session.answerLater(
    pending.then((reply) => {
      if (session.closed) return;
      switch (reply.kind) {
        case 'ok':
          return session.sendOk(session.status, reply.affectedRows);
        case 'forward':
          return forwardText(session, reply.statement);
        case 'error':
          return session.sendError(reply.error);
        case 'close':
          if (reply.error !== null) session.sendError(reply.error);
          return session.close();
        case 'rows':
          return session.send(
            buildResultSet({
              columns: reply.columns,
              rows: reply.rows,
              status: session.status,
              deprecateEof: session.deprecateEof,
            }),
          );
      }
    }),
  );
}

/** Has a server answer a text of the proxy's in place of what the client has sent in one packet. */
export function forwardText(session: ClientSession, statement: string): void {
  const text = Buffer.from(statement);
  const request: ClientRequest = {
    command: COM.QUERY,
    bytes: framePackets(Buffer.concat([Buffer.from([COM.QUERY]), text]), 0),
    complete: true,
    info: session.classify(text, false),
    replyKind: 'result',
    statement: null,
    ...UNROUTED,
  };
  session.forwarder.forward(request);
}
