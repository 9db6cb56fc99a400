/** What becomes of a client session when what it waits for does not come in time (C15, C16, case B90). */
import { OdpError } from '../errors/odp-error.ts';
import { errOf } from '../wire/err-packet.ts';
import { framePackets } from '../wire/writer.ts';
import type { ClientSession } from './client-session.ts';

/** Called once the limit of what the session awaits has passed. */
export function limitPassed(session: ClientSession): void {
  const { awaited, limitMs } = session.limits;
  const seconds = `${limitMs / 1000} s`;
  switch (awaited) {
    case 'nothing':
      return;
    case 'login':
      return session.login?.timedOut();
    case 'next-request':
      // Without a word: an error that nobody has asked for would be taken for the next statement's answer (B16).
      return session.closeWith(`it sent nothing for ${seconds}`);
    case 'rest-of-request':
      return refuseSlowSender(session, seconds);
    case 'reply':
      return session.forwarder.replyTimedOut(limitMs);
    case 'client-reads':
      session.closeWith(`it took no bytes for ${seconds}`);
      return session.endAtOnce();
    case 'farewell':
      return session.endAtOnce();
  }
}

/** The client may still read, behind what it has sent. */
function refuseSlowSender(session: ClientSession, seconds: string): void {
  const { uploading, upload } = session.forwarder;
  const error = new OdpError('CLIENT_READ_TIMEOUT', { detail: `nothing more of the request came for ${seconds}` });
  session.refuse(framePackets(errOf(error), uploading ? (upload.lastSequence + 1) & 0xff : 1));
}
