/**
 * COM_CHANGE_USER is a log-in of its own: a fresh server session proves the new user's answer, and only then are the
 * old ones closed. So nothing of the old identity can be left anywhere, and a failed change leaves nothing half done
 * (cases B27, B28).
 */
import { OdpError } from '../errors/odp-error.ts';
import { CAP, HEADER_LENGTH } from '../wire/constants.ts';
import { errOf } from '../wire/err-packet.ts';
import { type HandshakeResponse, readAttributes } from '../wire/handshake.ts';
import { PacketReader } from '../wire/reader.ts';
import { framePackets } from '../wire/writer.ts';
import { ClientLogin, type LoginPort } from './client-login.ts';
import type { ClientSession } from './client-session.ts';
import type { RequestRange } from './dispatch-command.ts';
import type { LoginCredentials } from './login-credentials.ts';

export function changeUser(session: ClientSession, range: RequestRange): void {
  const { credentials } = session;
  if (credentials === null) return;
  try {
    const payload = Buffer.from(range.chunk.subarray(range.start + HEADER_LENGTH + 1, range.end));
    const response = readChangeUser(payload, credentials);
    session.answerLater(relogin(session, credentials, response));
  } catch (error) {
    if (!(error instanceof OdpError)) throw error;
    session.refuse(framePackets(errOf(error), 1));
  }
}

function readChangeUser(payload: Buffer, credentials: LoginCredentials): HandshakeResponse {
  const reader = new PacketReader(payload);
  const user = reader.nullString();
  const authAnswer = reader.bytes(reader.u8());
  const database = reader.nullString();
  const collation = reader.remaining >= 2 ? reader.u16() & 0xff : credentials.collation;
  const hasPlugin = credentials.capabilities & CAP.PLUGIN_AUTH && reader.remaining > 0;
  const authPlugin = hasPlugin ? reader.nullString() : '';
  const hasAttributes = credentials.capabilities & CAP.CONNECT_ATTRS && reader.remaining > 0;
  const attributes = hasAttributes ? readAttributes(reader) : credentials.clientAttributes;
  return { ...credentials, user, authAnswer, database, collation, authPlugin, attributes };
}

/** Resolves when the change is over; a failed one ends the connection, as servers do. */
function relogin(session: ClientSession, credentials: LoginCredentials, response: HandshakeResponse): Promise<void> {
  return new Promise((resolve) => {
    const port: LoginPort = {
      id: session.id,
      host: session.host,
      port: session.port,
      usesTls: session.usesTls,
      vip: session.vip,
      recent: session.recent,
      send: (frame) => session.send(frame),
      startTls: () => session.closeWith('TLS can begin in the first log-in only'),
      refuse: (frame) => {
        session.refuse(frame);
        resolve();
      },
      loginDone: (result) => {
        session.loginDone(result);
        resolve();
      },
      onBroken: (error) => session.onBroken(error),
    };
    const login = new ClientLogin(port, session.context, credentials);
    session.beginLogin(login);
    login.begin(response, 1);
  });
}
