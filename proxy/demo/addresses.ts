import { OdpError } from '../errors/odp-error.ts';

const BLOCKS = 200;

/**
 * The loopback addresses that a demo cluster may take, in the order to try: the base's own block, then the same hosts
 * one network further (127.0.0.11 … 15, then 127.0.1.11 … 15 and so on), so that several demos run on one machine.
 * @throws OdpError INVALID_ARGUMENT when the base is not in 127.0.0.0/8 or leaves no room
 */
export function* addressBlocks(base: string, count: number): Generator<string[]> {
  const parts = base.split('.').map(Number);
  const [a, b = 0, c = 0, d = 0] = parts;
  const valid = parts.length === 4 && parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255);
  if (!valid || a !== 127 || d < 1 || d + count - 1 > 254) {
    throw new OdpError('INVALID_ARGUMENT', {
      detail: `'${base}' is no base address for the demo cluster: it takes ${count} addresses of 127.0.0.0/8`,
    });
  }
  for (let block = 0; block < BLOCKS; block++) {
    const network = b * 256 + c + block;
    if (network > 65_535) return;
    const prefix = `127.${network >> 8}.${network & 255}`;
    yield Array.from({ length: count }, (_, index) => `${prefix}.${d + index}`);
  }
}
