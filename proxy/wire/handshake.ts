import { OdpError } from '../errors/odp-error.ts';
import { SCRAMBLE_LENGTH } from './auth.ts';
import { CAP, NATIVE_PASSWORD } from './constants.ts';
import { PacketReader } from './reader.ts';
import { PacketWriter } from './writer.ts';

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

export function buildGreeting(greeting: Greeting): Buffer {
  const { scramble, capabilities } = greeting;
  const writer = new PacketWriter(128)
    .u8(10)
    .nullString(greeting.serverVersion)
    .u32(greeting.connectionId)
    .bytes(scramble.subarray(0, 8))
    .u8(0)
    .u16(capabilities & 0xffff)
    .u8(greeting.collation)
    .u16(greeting.status)
    .u16(capabilities >>> 16)
    .u8(capabilities & CAP.PLUGIN_AUTH ? SCRAMBLE_LENGTH + 1 : 0)
    .zeros(10)
    .bytes(scramble.subarray(8, SCRAMBLE_LENGTH))
    .u8(0);
  if (capabilities & CAP.PLUGIN_AUTH) writer.nullString(greeting.authPlugin);
  return writer.finish();
}

export function parseGreeting(payload: Buffer): Greeting {
  const reader = new PacketReader(payload);
  const protocol = reader.u8();
  if (protocol !== 10) throw new OdpError('BAD_HANDSHAKE', { detail: `protocol version ${protocol}, 10 expected` });
  const serverVersion = reader.nullString();
  const connectionId = reader.u32();
  const firstPart = Buffer.from(reader.bytes(8));
  reader.skip(1);
  let capabilities = reader.u16();
  let collation = 0;
  let status = 0;
  let secondPart = Buffer.alloc(0);
  let authPlugin = '';
  if (reader.remaining > 0) {
    collation = reader.u8();
    status = reader.u16();
    capabilities = (capabilities | (reader.u16() << 16)) >>> 0;
    reader.skip(11);
    secondPart = Buffer.from(reader.bytes(Math.min(SCRAMBLE_LENGTH - 8, reader.remaining)));
    if (reader.remaining > 0) reader.skip(1);
    if (reader.remaining > 0) authPlugin = reader.nullString();
  }
  return {
    serverVersion,
    connectionId,
    scramble: Buffer.concat([firstPart, secondPart]),
    capabilities,
    collation,
    status,
    authPlugin,
  };
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

/** Whether a login packet only asks to go on in TLS: 32 bytes with the SSL flag. */
export function isSslRequest(payload: Buffer): boolean {
  return payload.length === 32 && (payload.readUInt32LE(0) & CAP.SSL) !== 0;
}

/**
 * Reads a login packet. Lengths are unsigned (case B08); anything that does not fit the packet is BAD_HANDSHAKE.
 * @param payload bytes are copied, so the packet's buffer may be reused
 */
export function parseHandshakeResponse(payload: Buffer): HandshakeResponse {
  try {
    return readHandshakeResponse(new PacketReader(Buffer.from(payload)));
  } catch (error) {
    if (error instanceof OdpError && error.code === 'MALFORMED_PACKET') {
      throw new OdpError('BAD_HANDSHAKE', { detail: String(error.details.detail) });
    }
    throw error;
  }
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

export function writeAttributes(writer: PacketWriter, attributes: readonly ConnectAttribute[]): void {
  const block = new PacketWriter(512);
  for (const [name, value] of attributes) block.lenencString(name).lenencBytes(value);
  writer.lenencBytes(block.finish());
}

/** Builds a login packet; its capability bits say which optional fields it carries. */
export function buildHandshakeResponse(response: HandshakeResponse): Buffer {
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
  return writer.finish();
}
