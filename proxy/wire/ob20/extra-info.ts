/**
 * Extra information before a frame's packets: four bytes of length, then items in one of two forms. With
 * FRAME_FLAG.NEW_EXTRA_INFO type (2), length (4) and value of each; else pairs of serialised varchar objects, a name and
 * a value (reference protocol page §2.2; the objects' layout: type, collation level, collation and scale in a byte
 * each, then length as a variable integer, bytes, and a zero).
 */
import { malformed } from './frame-header.ts';

/** Types of items. 1–1000 are the drivers', 1001–2000 the proxies', the rest everybody's. */
export const EXTRA_INFO = {
  /** What a server tells a proxy: blocks as those of SESSION_STATE; type 0 is one byte, 1: the session holds locks. */
  FEEDBACK: 1001,
  /** Text `client_ip=…`. */
  TRACE: 2001,
  /** Session-state blocks. */
  SESSION_STATE: 2002,
  /** Ids and spans of full-link tracing. */
  FULL_TRACE: 2003,
  /** Checks of the session state. */
  SESSION_CHECK: 2004,
} as const;

const NAMES: ReadonlyMap<number, string> = new Map<number, string>([
  [EXTRA_INFO.SESSION_STATE, 'sess_inf'],
  [EXTRA_INFO.FULL_TRACE, 'full_trc'],
  [EXTRA_INFO.SESSION_CHECK, 'sess_ver'],
  [EXTRA_INFO.TRACE, 'ob_trace_info'],
]);
const TYPES = new Map([...NAMES].map(([type, name]) => [name, type]));

const ITEM_HEADER_LENGTH = 6;
const OBJECT_META_LENGTH = 4;
const VARCHAR = 22;
const UTF8MB4_GENERAL_CI = 45;
const COERCIBLE = 4;

/** Items of a type that is not known are type -1 in the old form, where they have a name only. */
export interface ExtraItem {
  readonly type: number;
  readonly value: Buffer;
}

/** The items, without the length before them. @throws RangeError for a type that has no name, in the old form */
export function encodeExtraInfo(items: readonly ExtraItem[], isNew: boolean): Buffer {
  return Buffer.concat(items.map((item) => (isNew ? encodeItem(item) : encodePair(item))));
}

function encodeItem({ type, value }: ExtraItem): Buffer {
  const item = Buffer.allocUnsafe(ITEM_HEADER_LENGTH + value.length);
  item.writeUInt16LE(type, 0);
  item.writeUInt32LE(value.length, 2);
  item.set(value, ITEM_HEADER_LENGTH);
  return item;
}

function encodePair({ type, value }: ExtraItem): Buffer {
  const name = NAMES.get(type);
  if (name === undefined) throw new RangeError(`extra information of type ${type} has no name`);
  return Buffer.concat([encodeVarchar(Buffer.from(name)), encodeVarchar(value)]);
}

function encodeVarchar(bytes: Buffer): Buffer {
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest > 0x7f; rest >>>= 7) length.push((rest & 0x7f) | 0x80);
  length.push(rest);
  const meta = [VARCHAR, COERCIBLE, UTF8MB4_GENERAL_CI, 0xff];
  return Buffer.concat([Buffer.from([...meta, ...length]), bytes, Buffer.alloc(1)]);
}

/** Reads the items; their values are views. @throws OdpError MALFORMED_PACKET */
export function decodeExtraInfo(bytes: Buffer, isNew: boolean): ExtraItem[] {
  return isNew ? decodeItems(bytes) : decodePairs(bytes);
}

function decodeItems(bytes: Buffer): ExtraItem[] {
  const items: ExtraItem[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < ITEM_HEADER_LENGTH) throw malformed('extra information ends in the head of an item');
    const type = bytes.readUInt16LE(at);
    const start = at + ITEM_HEADER_LENGTH;
    const end = start + bytes.readUInt32LE(at + 2);
    if (end > bytes.length) throw malformed(`extra information of type ${type} goes beyond its end`);
    items.push({ type, value: bytes.subarray(start, end) });
    at = end;
  }
  return items;
}

function decodePairs(bytes: Buffer): ExtraItem[] {
  const items: ExtraItem[] = [];
  for (let at = 0; at < bytes.length; ) {
    const name = decodeVarchar(bytes, at);
    const value = decodeVarchar(bytes, name.end);
    items.push({ type: TYPES.get(name.value.toString('latin1').toLowerCase()) ?? -1, value: value.value });
    at = value.end;
  }
  return items;
}

function decodeVarchar(bytes: Buffer, at: number): { readonly value: Buffer; readonly end: number } {
  const type = bytes[at];
  if (type !== VARCHAR) throw malformed(`extra information holds an object of type ${type}`);
  let start = at + OBJECT_META_LENGTH;
  let length = 0;
  for (let shift = 1, byte = 0x80; byte & 0x80; shift *= 0x80) {
    byte = bytes[start++] ?? -1;
    if (byte < 0 || shift > 0x10000000) throw malformed('extra information ends in the length of an object');
    length += (byte & 0x7f) * shift;
  }
  // A zero follows the bytes.
  const end = start + length + 1;
  if (end > bytes.length) throw malformed('an object of the extra information goes beyond its end');
  return { value: bytes.subarray(start, end - 1), end };
}
