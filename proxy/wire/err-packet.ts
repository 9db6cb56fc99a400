import type { OdpError } from '../errors/odp-error.ts';
import { PacketReader } from './reader.ts';
import { PacketWriter } from './writer.ts';

/** What an ERR packet says. `sqlState` has five characters. */
export interface ErrPacket {
  readonly errno: number;
  readonly sqlState: string;
  readonly message: string;
}

/** An ERR packet's payload. */
export function buildErr(error: ErrPacket): Buffer {
  return new PacketWriter(64)
    .u8(0xff)
    .u16(error.errno)
    .string('#')
    .string(error.sqlState)
    .string(error.message)
    .finish();
}

/** An error of the product's own table as an ERR packet's payload. */
export function errOf(error: OdpError): Buffer {
  return buildErr({ errno: error.spec.errno, sqlState: error.spec.sqlState, message: error.message });
}

/** Reads an ERR packet; one without SQLSTATE (before log-in) gets HY000. @throws OdpError MALFORMED_PACKET */
export function parseErr(payload: Buffer): ErrPacket {
  const reader = new PacketReader(payload, 1);
  const errno = reader.u16();
  const rest = reader.rest();
  if (rest[0] !== 0x23) return { errno, sqlState: 'HY000', message: rest.toString('utf8') };
  return { errno, sqlState: rest.toString('latin1', 1, 6), message: rest.toString('utf8', 6) };
}
