/** An OBServer's SQL endpoint. `text` is the identity used everywhere: `ip:port`, IPv6 in brackets (case B100). */
import { isIPv4, isIPv6 } from 'node:net';

/** Where a server listens for SQL. */
export interface ServerAddress {
  readonly text: string;
  readonly host: string;
  readonly port: number;
}

/** Ports a server may have. */
const MAX_PORT = 65_535;

/**
 * Puts host and port together in the one canonical spelling. Null when the host is no usable IP (unspecified addresses
 * such as 0.0.0.0 count as none: OceanBase fills them in for servers that have left) or the port is out of range.
 */
export function toServerAddress(host: string, port: number): ServerAddress | null {
  if (!Number.isInteger(port) || port < 1 || port > MAX_PORT) return null;
  if (isIPv4(host)) return host === '0.0.0.0' ? null : { text: `${host}:${port}`, host, port };
  // A zone id (fe80::1%eth0) means something on one machine only, so it cannot be an identity.
  if (!isIPv6(host) || host.includes('%')) return null;
  const canonical = new URL(`http://[${host}]/`).hostname.slice(1, -1);
  return canonical === '::' ? null : { text: `[${canonical}]:${port}`, host: canonical, port };
}

/** `ip:port` of any endpoint, as it is; IPv6 in brackets. */
export function addressText(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The reverse of `text`: null when it is not `ip:port` or `[ip6]:port`. */
export function parseServerAddress(text: string): ServerAddress | null {
  const parts = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  if (parts === null) return null;
  const [, bracketed, plain, port] = parts;
  if (bracketed !== undefined && !isIPv6(bracketed)) return null;
  return toServerAddress(bracketed ?? plain ?? '', Number(port));
}
