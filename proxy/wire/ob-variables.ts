/**
 * The session-state part of an OK packet (CLIENT_SESSION_TRACK), as OceanBase fills it for a proxy: one entry of type
 * 0 holds (name, value) pairs of system variables, the pair (`__NULL`, `__NULL`) and (name, SQL literal) pairs of user
 * variables; an entry of type 2 (`02 02 01 31`) ends it. MySQL and MariaDB use the same frame with one pair an entry.
 * Layout read off a genuine kernel.
 */
import { PacketReader } from './reader.ts';
import { PacketWriter } from './writer.ts';

const SEPARATOR = '__NULL';
const TRACK = { SYSTEM_VARIABLES: 0, SCHEMA: 1, STATE_CHANGE: 2 } as const;

/** A variable and the bytes of its value. */
export type NamedValue = readonly [name: string, value: Buffer];

/** What one OK packet tells of changed variables. */
export interface VariableBlock {
  readonly system: readonly NamedValue[];
  /** Values are SQL literals: `5`, `'q'`. */
  readonly user: readonly NamedValue[];
  /** Name of the new current database, or null when it did not change. */
  readonly schema: string | null;
}

/**
 * Everything that stands after the warnings of an OK packet: an empty message, then the state entries.
 * The packet's status needs SESSION_STATE_CHANGED (0x4000).
 */
export function encodeVariableBlock(block: {
  readonly system?: readonly NamedValue[];
  readonly user?: readonly NamedValue[];
  readonly schema?: string;
}): Buffer {
  const pairs = new PacketWriter(256);
  for (const [name, value] of block.system ?? []) pairs.lenencString(name).lenencBytes(value);
  if (block.user && block.user.length > 0) {
    pairs.lenencString(SEPARATOR).lenencString(SEPARATOR);
    for (const [name, value] of block.user) pairs.lenencString(name).lenencBytes(value);
  }
  const variables = pairs.finish();
  const state = new PacketWriter(variables.length + 32);
  if (variables.length > 0) state.u8(TRACK.SYSTEM_VARIABLES).lenencBytes(variables);
  if (block.schema !== undefined) {
    state.u8(TRACK.SCHEMA).lenencBytes(new PacketWriter(64).lenencString(block.schema).finish());
  }
  state.u8(TRACK.STATE_CHANGE).lenencBytes(new PacketWriter(2).lenencString('1').finish());
  return new PacketWriter(variables.length + 48).u8(0).lenencBytes(state.finish()).finish();
}

/** Reads the `state` of a parsed OK packet. Unknown entry types are skipped (case B40). */
export function decodeVariableBlock(state: Buffer): VariableBlock {
  const system: NamedValue[] = [];
  const user: NamedValue[] = [];
  let schema: string | null = null;
  const entries = new PacketReader(state);
  while (entries.remaining > 0) {
    const type = entries.u8();
    if (entries.remaining === 0) break;
    const body = new PacketReader(entries.lenencBytes());
    if (type === TRACK.SCHEMA && body.remaining > 0) schema = body.lenencString();
    if (type === TRACK.SYSTEM_VARIABLES) readPairs(body, system, user);
  }
  return { system, user, schema };
}

/** The value of one variable in a state with very many; null when it is not there. */
export function findVariable(state: Buffer, name: string): Buffer | null {
  const written = new PacketWriter(name.length + 1).lenencString(name).finish();
  const at = state.indexOf(written);
  return at < 0 ? null : new PacketReader(state, at + written.length).lenencBytes();
}

function readPairs(pairs: PacketReader, system: NamedValue[], user: NamedValue[]): void {
  let target = system;
  while (pairs.remaining > 0) {
    const name = pairs.lenencString();
    const value = pairs.remaining > 0 ? pairs.lenencBytes() : Buffer.alloc(0);
    if (target === system && name === SEPARATOR && value.toString('latin1') === SEPARATOR) target = user;
    else target.push([name, value]);
  }
}
