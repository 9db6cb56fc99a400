/** `SELECT @obproxy_route_addr` and `SET @obproxy_route_addr = …`: the proxy's own, though they look like the server's. */

/** `set`: the value as written, a number or the text of a string. */
export type RouteAddressStatement = { readonly verb: 'select' } | { readonly verb: 'set'; readonly value: string };

const MAX_BYTES = 128;
const pattern =
  /^\s*(?:(select)\s+@obproxy_route_addr|set\s+@obproxy_route_addr\s*:?=\s*(?:(\d{1,20})|'([^'\\]*)'))\s*;?\s*$/i;
const SELECT: RouteAddressStatement = Object.freeze({ verb: 'select' });

/** Null: the text is another statement. */
export function readRouteAddress(text: Buffer): RouteAddressStatement | null {
  if (text.length > MAX_BYTES) return null;
  const found = pattern.exec(text.toString('latin1'));
  if (found === null) return null;
  const [, select, number, quoted] = found;
  return select === undefined ? { verb: 'set', value: number ?? quoted ?? '' } : SELECT;
}

/**
 * The address in a number, by the reference proxy's encoding: the IPv4 address in the lower 32 bits, the port in the 16
 * above them, both in network byte order read as little-endian numbers. A text `ip:port` is taken as it is. Null: none,
 * as with 0.
 */
export function routeAddressOf(value: string): string | null {
  if (!/^\d+$/.test(value)) return value.trim() === '' ? null : value.trim();
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  if (bytes.every((byte) => byte === 0)) return null;
  return `${bytes.subarray(0, 4).join('.')}:${bytes.readUInt16BE(4)}`;
}
