/** The packets of a log-in: what the proxy says to a client, reads of it, and says to a server. */
import { makeScramble } from '../../../proxy/wire/auth.ts';
import { CAP, COLLATION, HEADER_LENGTH, NATIVE_PASSWORD, STATUS } from '../../../proxy/wire/constants.ts';
import {
  buildGreeting,
  type Greeting,
  type LoginPacket,
  parseGreeting,
  parseHandshakeResponse,
  writeGreeting,
  writeHandshakeResponse,
} from '../../../proxy/wire/handshake.ts';
import { PacketSplitter } from '../../../proxy/wire/stream.ts';
import type { MicroOperation } from '../operation.ts';

const capabilities =
  CAP.PROTOCOL_41 |
  CAP.SECURE_CONNECTION |
  CAP.PLUGIN_AUTH |
  CAP.PLUGIN_AUTH_LENENC |
  CAP.CONNECT_ATTRS |
  CAP.CONNECT_WITH_DB;

const greeting = (scramble: Buffer): Greeting => ({
  serverVersion: '5.7.25',
  connectionId: 0x1234567,
  scramble,
  capabilities,
  collation: COLLATION.UTF8MB4_GENERAL_CI,
  status: STATUS.AUTOCOMMIT,
  authPlugin: NATIVE_PASSWORD,
});

/** With as many attributes as clients send, and the proxy. */
const login: LoginPacket = {
  capabilities,
  maxPacketBytes: 1 << 24,
  collation: COLLATION.UTF8MB4_GENERAL_CI,
  user: 'u1@t1#c1',
  authAnswer: makeScramble(),
  database: 'db1',
  authPlugin: NATIVE_PASSWORD,
  attributes: Array.from({ length: 10 }, (_, index) => [`_attribute_${index}`, `value ${index}`] as const),
};

const fromServer = buildGreeting(greeting(makeScramble()));
const fromClient = writeHandshakeResponse(login).frame(1);

function check(name: string, isRight: boolean): void {
  if (!isRight) throw new Error(`${name}: not what it should be`);
}

const operation = (name: string, works: () => boolean): MicroOperation => ({ name, run: () => check(name, works()) });

export const loginOperations: readonly MicroOperation[] = [
  operation('log-in: greeting made', () => writeGreeting(greeting(makeScramble())).frame(0).length > HEADER_LENGTH),
  operation('log-in: answer read', () => {
    const [packet] = new PacketSplitter().push(fromClient);
    return packet !== undefined && parseHandshakeResponse(packet.payload).attributes.length === 10;
  }),
  operation('log-in: server greeted and answered', () => {
    const { connectionId } = parseGreeting(fromServer);
    return connectionId === 0x1234567 && writeHandshakeResponse(login).frame(1).length === fromClient.length;
  }),
];
