import { PacketWriter } from './writer.ts';

/** The classic EOF packet: 0xfe, warnings, status. */
export function buildEof(status: number, warnings = 0): Buffer {
  return new PacketWriter(5).u8(0xfe).u16(warnings).u16(status).finish();
}
