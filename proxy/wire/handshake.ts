import { OdpError } from '../errors/odp-error.ts';
import { SCRAMBLE_LENGTH } from './auth.ts';
import { CAP, NATIVE_PASSWORD } from './constants.ts';
import { parseErr } from './err-packet.ts';
import { PacketReader } from './reader.ts';
import { PacketWriter } from './writer.ts';

/** The greeting holds the scramble in two places: this many bytes come first. */
const SHORT_SCRAMBLE_LENGTH = 8;

/** The server's first packet (HandshakeV10). */
export interface Greeting {
  readonly serverVersion: string;
  readonly connectionId: number;
  /** 20 bytes. */
  readonly scramble: Buffer;
  readonly capabilities: number;
  readonly collation: number;
  readonly status: number;
  readonly authPlugin: string;
}

/** The greeting's payload. */
export const buildGreeting = (greeting: Greeting): Buffer => writeGreeting(greeting).finish();

export function writeGreeting(greeting: Greeting): PacketWriter {
  const { scramble, capabilities } = greeting;
  const writer = new PacketWriter(128)
    .u8(10)
    .nullString(greeting.serverVersion)
    .u32(greeting.connectionId)
    .bytes(scramble.subarray(0, SHORT_SCRAMBLE_LENGTH))
    .u8(0)
    .u16(capabilities & 0xffff)
    .u8(greeting.collation)
    .u16(greeting.status)
    .u16(capabilities >>> 16)
    .u8(capabilities & CAP.PLUGIN_AUTH ? SCRAMBLE_LENGTH + 1 : 0)
    .zeros(10)
    .bytes(scramble.subarray(SHORT_SCRAMBLE_LENGTH, SCRAMBLE_LENGTH))
    .u8(0);
  if (capabilities & CAP.PLUGIN_AUTH) writer.nullString(greeting.authPlugin);
  return writer;
}

/**
 * Reads a server's greeting.
 * @throws OdpError BAD_HANDSHAKE when it is none; its text holds the server's own when that refuses with an ERR packet
 */
export function parseGreeting(payload: Buffer): Greeting {
  return asHandshake(() => readGreeting(payload));
}

/** Whatever does not fit a packet of the log-in phase is a bad handshake. */
function asHandshake<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof OdpError && error.code === 'MALFORMED_PACKET') {
      throw new OdpError('BAD_HANDSHAKE', { detail: String(error.details.detail) });
    }
    throw error;
  }
}

function readGreeting(payload: Buffer): Greeting {
  if (payload[0] === 0xff) {
    const { errno, message } = parseErr(payload);
    throw new OdpError('BAD_HANDSHAKE', { detail: `the server refuses with error ${errno}: ${message}` });
  }
  const reader = new PacketReader(payload);
  const protocol = reader.u8();
  if (protocol !== 10) throw new OdpError('BAD_HANDSHAKE', { detail: `protocol version ${protocol}, 10 expected` });
  const serverVersion = reader.nullString();
  const connectionId = reader.u32();
  const firstPart = reader.bytes(SHORT_SCRAMBLE_LENGTH);
  reader.skip(1);
  const lowCapabilities = reader.u16();
  const collation = reader.u8();
  const status = reader.u16();
  const capabilities = (lowCapabilities | (reader.u16() << 16)) >>> 0;
  reader.skip(11);
  const secondPart = reader.bytes(SCRAMBLE_LENGTH - SHORT_SCRAMBLE_LENGTH);
  if (reader.remaining > 0) reader.skip(1);
  const authPlugin = capabilities & CAP.PLUGIN_AUTH ? reader.nullString() : '';
  const scramble = Buffer.allocUnsafeSlow(SCRAMBLE_LENGTH);
  scramble.set(firstPart);
  scramble.set(secondPart, SHORT_SCRAMBLE_LENGTH);
  return { serverVersion, connectionId, scramble, capabilities, collation, status, authPlugin };
}

/** One connection attribute: the name is text, the value may be raw bytes (`__proxy_scramble`). */
export type ConnectAttribute = readonly [name: string, value: Buffer];

/** The client's login packet (HandshakeResponse41). */
export interface HandshakeResponse {
  readonly capabilities: number;
  readonly maxPacketBytes: number;
  readonly collation: number;
  readonly user: string;
  readonly authAnswer: Buffer;
  /** Empty: none asked for. */
  readonly database: string;
  /** Empty: the client named none. */
  readonly authPlugin: string;
  readonly attributes: readonly ConnectAttribute[];
}

/** One to be written: as above, or its value is text. */
export type WrittenAttribute = ConnectAttribute | readonly [name: string, value: string];

/** A login packet to be written. */
export interface LoginPacket extends Omit<HandshakeResponse, 'attributes'> {
  readonly attributes: readonly WrittenAttribute[];
}

/** Whether a login packet only asks to go on in TLS: 32 bytes with the SSL flag. */
export function isSslRequest(payload: Buffer): boolean {
  return payload.length === 32 && (payload.readUInt32LE(0) & CAP.SSL) !== 0;
}

/**
 * Reads a login packet. Lengths are unsigned (case B08); anything that does not fit the packet is BAD_HANDSHAKE.
 * @param payload bytes are copied, so the packet's buffer may be reused
 */
export function parseHandshakeResponse(payload: Buffer): HandshakeResponse {
  return asHandshake(() => readHandshakeResponse(new PacketReader(Buffer.from(payload))));
}

function readHandshakeResponse(reader: PacketReader): HandshakeResponse {
  const capabilities = reader.u32();
  if (!(capabilities & CAP.PROTOCOL_41)) {
    throw new OdpError('BAD_HANDSHAKE', { detail: 'the client does not speak protocol 4.1' });
  }
  const maxPacketBytes = reader.u32();
  const collation = reader.u8();
  reader.skip(23);
  const user = reader.nullString();
  const authAnswer = readAuthAnswer(reader, capabilities);
  const database = capabilities & CAP.CONNECT_WITH_DB && reader.remaining > 0 ? reader.nullString() : '';
  const authPlugin = capabilities & CAP.PLUGIN_AUTH && reader.remaining > 0 ? reader.nullString() : '';
  const attributes = capabilities & CAP.CONNECT_ATTRS && reader.remaining > 0 ? readAttributes(reader) : [];
  return { capabilities, maxPacketBytes, collation, user, authAnswer, database, authPlugin, attributes };
}

function readAuthAnswer(reader: PacketReader, capabilities: number): Buffer {
  if (capabilities & CAP.PLUGIN_AUTH_LENENC) return reader.lenencBytes();
  if (capabilities & CAP.SECURE_CONNECTION) return reader.bytes(reader.u8());
  return reader.nullBytes();
}

/** Connection attributes as they stand at the end of a login or change-user packet. */
export function readAttributes(reader: PacketReader): ConnectAttribute[] {
  const block = new PacketReader(reader.lenencBytes());
  const attributes: ConnectAttribute[] = [];
  while (block.remaining > 0) attributes.push([block.lenencString(), block.lenencBytes()]);
  return attributes;
}

/** The attributes of one packet at a time, whose length stands before them. */
const block = new PacketWriter(512);

function writeAttributes(writer: PacketWriter, attributes: readonly WrittenAttribute[]): void {
  block.clear();
  for (const [name, value] of attributes) {
    block.lenencString(name);
    if (typeof value === 'string') block.lenencString(value);
    else block.lenencBytes(value);
  }
  writer.lenencBytes(block.finish());
}

/** Asks a server to go on in TLS: the beginning of the login packet, which follows in full behind the handshake. */
export function buildSslRequest({
  capabilities,
  maxPacketBytes,
  collation,
}: Pick<HandshakeResponse, 'capabilities' | 'maxPacketBytes' | 'collation'>): Buffer {
  return new PacketWriter(32).u32(capabilities).u32(maxPacketBytes).u8(collation).zeros(23).finish();
}

/** Builds a login packet; its capability bits say which optional fields it carries. */
export const buildHandshakeResponse = (response: LoginPacket): Buffer => writeHandshakeResponse(response).finish();

export function writeHandshakeResponse(response: LoginPacket): PacketWriter {
  const { capabilities } = response;
  const writer = new PacketWriter(512)
    .u32(capabilities)
    .u32(response.maxPacketBytes)
    .u8(response.collation)
    .zeros(23)
    .nullString(response.user);
  if (capabilities & CAP.PLUGIN_AUTH_LENENC) writer.lenencBytes(response.authAnswer);
  else if (capabilities & CAP.SECURE_CONNECTION) writer.u8(response.authAnswer.length).bytes(response.authAnswer);
  else writer.nullString(response.authAnswer);
  if (capabilities & CAP.CONNECT_WITH_DB) writer.nullString(response.database);
  if (capabilities & CAP.PLUGIN_AUTH) writer.nullString(response.authPlugin || NATIVE_PASSWORD);
  if (capabilities & CAP.CONNECT_ATTRS) writeAttributes(writer, response.attributes);
  return writer;
}

/** Asks the client to answer by another method (AuthSwitchRequest). */
export function buildAuthSwitch(plugin: string, scramble: Buffer): Buffer {
  return new PacketWriter(64).u8(0xfe).nullString(plugin).bytes(scramble).u8(0).finish();
}
