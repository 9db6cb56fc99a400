/**
 * Blocks of session state inside EXTRA_INFO.SESSION_STATE: type (2), length (4), value. Nobody but servers knows what
 * is in them: a proxy keeps the newest of each type and takes it to the next server.
 */
import { malformed } from './frame-header.ts';

/** Types of blocks; 5 to 8 are the state of the open transaction. */
export const SESSION_BLOCK = {
  APPLICATION_INFO: 0,
  APPLICATION_CONTEXT: 1,
  CLIENT_ID: 2,
  CONTROL_INFO: 3,
  SYSTEM_VARIABLES: 4,
  TRANSACTION_STATIC: 5,
  TRANSACTION_DYNAMIC: 6,
  TRANSACTION_PARTICIPANTS: 7,
  TRANSACTION_EXTRA: 8,
} as const;

const BLOCK_HEADER_LENGTH = 6;

/** One block: `bytes` has its head as well, so that it can be passed on as it is. */
export interface SessionBlock {
  readonly type: number;
  readonly bytes: Buffer;
}

export const blockValue = ({ bytes }: SessionBlock): Buffer => bytes.subarray(BLOCK_HEADER_LENGTH);

export function makeBlock(type: number, value: Uint8Array): SessionBlock {
  const bytes = Buffer.allocUnsafe(BLOCK_HEADER_LENGTH + value.length);
  bytes.writeUInt16LE(type, 0);
  bytes.writeUInt32LE(value.length, 2);
  bytes.set(value, BLOCK_HEADER_LENGTH);
  return { type, bytes };
}

/** Reads blocks that stand one behind the other; views. @throws OdpError MALFORMED_PACKET */
export function splitBlocks(bytes: Buffer): SessionBlock[] {
  const blocks: SessionBlock[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < BLOCK_HEADER_LENGTH) throw malformed('session state ends in the head of a block');
    const type = bytes.readUInt16LE(at);
    const end = at + BLOCK_HEADER_LENGTH + bytes.readUInt32LE(at + 2);
    if (end > bytes.length) throw malformed(`the session-state block of type ${type} goes beyond its end`);
    blocks.push({ type, bytes: bytes.subarray(at, end) });
    at = end;
  }
  return blocks;
}
