/**
 * The PROXY protocol, versions 1 and 2: what a load balancer puts in front of a client's bytes to tell where the client
 * is (case B12). Both signatures can begin no packet of a log-in: its sequence id would be 0x0a or 0x58.
 */
import { isIP } from 'node:net';
import { OdpError } from '../errors/odp-error.ts';

const V1 = Buffer.from('PROXY ', 'latin1');
const V2 = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
/** Longest line of version 1, its end included. */
const V1_MAX_BYTES = 107;
const V2_FIXED_BYTES = 16;
/** Of version 2, addresses and what senders add to them: certificates are the longest. */
const V2_MAX_BYTES = 4096;

const COMMAND = { LOCAL: 0x20, PROXY: 0x21 } as const;
const FAMILY = { TCP4: 0x11, TCP6: 0x21 } as const;
const ADDRESS_BYTES = { [FAMILY.TCP4]: 4, [FAMILY.TCP6]: 16 } as const;

interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Both ends of the connection as the client has made it. */
export interface ProxiedEnds {
  readonly source: Endpoint;
  readonly destination: Endpoint;
}

export type ProxyHeader =
  /** The bytes begin with something else. */
  | { readonly kind: 'none' }
  /** They may, or do, begin with a header, which is not whole. */
  | { readonly kind: 'begun' }
  /** `ends` null: the sender speaks for itself (a health check), or of no TCP connection. */
  | { readonly kind: 'header'; readonly length: number; readonly ends: ProxiedEnds | null };

const NONE: ProxyHeader = { kind: 'none' };
const BEGUN: ProxyHeader = { kind: 'begun' };

/** @param bytes the first ones of a connection @throws OdpError BAD_HANDSHAKE for a header that is none */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (beginsAs(bytes, V2)) return bytes.length < V2_FIXED_BYTES ? BEGUN : readV2(bytes);
  if (beginsAs(bytes, V1)) return readV1(bytes);
  return NONE;
}

/** As far as there are bytes. */
function beginsAs(bytes: Buffer, signature: Buffer): boolean {
  if (bytes[0] !== signature[0] && bytes.length > 0) return false;
  const length = Math.min(bytes.length, signature.length);
  return bytes.compare(signature, 0, length, 0, length) === 0;
}

function readV1(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, V1_MAX_BYTES).indexOf('\r\n');
  if (end < 0) {
    if (bytes.length < V1_MAX_BYTES) return BEGUN;
    throw malformed(`no line of at most ${V1_MAX_BYTES} bytes`);
  }
  const [, protocol = '', from = '', to = '', fromPort = '', toPort = '', ...more] = bytes
    .toString('latin1', 0, end)
    .split(' ');
  const length = end + 2;
  if (protocol === 'UNKNOWN') return { kind: 'header', length, ends: null };
  const version = protocol === 'TCP4' ? 4 : protocol === 'TCP6' ? 6 : -1;
  const isAddress = (text: string): boolean => isIP(text) === version && !text.includes('%');
  const isRead = isAddress(from) && isAddress(to) && isPort(fromPort) && isPort(toPort);
  if (!isRead || more.length > 0)
    throw malformed('its line is not PROXY TCP4 or TCP6 with two addresses and two ports');
  return {
    kind: 'header',
    length,
    ends: { source: endpoint(from, Number(fromPort)), destination: endpoint(to, Number(toPort)) },
  };
}

const isPort = (text: string): boolean => /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;

function readV2(bytes: Buffer): ProxyHeader {
  const command = bytes[12] ?? 0;
  const family = bytes[13] ?? 0;
  const length = V2_FIXED_BYTES + bytes.readUInt16BE(14);
  if (command !== COMMAND.LOCAL && command !== COMMAND.PROXY) {
    throw malformed(`version and command are 0x${command.toString(16)}`);
  }
  if (length > V2_MAX_BYTES) throw malformed(`it is to have ${length} bytes, more than ${V2_MAX_BYTES}`);
  if (bytes.length < length) return BEGUN;
  if (command === COMMAND.LOCAL || (family !== FAMILY.TCP4 && family !== FAMILY.TCP6)) {
    return { kind: 'header', length, ends: null };
  }
  const addressBytes = ADDRESS_BYTES[family];
  const portsAt = V2_FIXED_BYTES + 2 * addressBytes;
  if (length < portsAt + 4) throw malformed('its addresses are cut short');
  const from = addressText(bytes.subarray(V2_FIXED_BYTES, V2_FIXED_BYTES + addressBytes));
  const to = addressText(bytes.subarray(V2_FIXED_BYTES + addressBytes, portsAt));
  const ends = {
    source: endpoint(from, bytes.readUInt16BE(portsAt)),
    destination: endpoint(to, bytes.readUInt16BE(portsAt + 2)),
  };
  return { kind: 'header', length, ends };
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  return Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(2 * group).toString(16)).join(':');
}

/** Addresses as connections have them: IPv6 in its short form, IPv4 in IPv6 as IPv4. */
function endpoint(host: string, port: number): Endpoint {
  if (isIP(host) === 4) return { host, port };
  const short = new URL(`http://[${host}]/`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return { host: short, port };
  const mapped = Buffer.alloc(4);
  mapped.writeUInt16BE(Number.parseInt(high, 16), 0);
  mapped.writeUInt16BE(Number.parseInt(low, 16), 2);
  return { host: mapped.join('.'), port };
}

const malformed = (detail: string): OdpError => new OdpError('BAD_HANDSHAKE', { detail: `a PROXY header: ${detail}` });
