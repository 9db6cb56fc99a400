import type { RawClient, RawPacket } from '../../../testing/raw-client.ts';
import { COM } from '../../../wire/constants.ts';
import { PacketWriter } from '../../../wire/writer.ts';
import type { Sequence, Step, StepParameter } from './step.ts';

const CURSOR_READ_ONLY = 1;
const TYPE_NULL = 6;
const TYPE_BIGINT = 8;
const TYPE_VAR_STRING = 253;

/** What a server's answers to one step looked like: the step, then a line for each packet, sequence id first. */
export type StepRecord = readonly string[];

/** A statement that has been prepared. */
export interface Prepared {
  readonly id: number;
  readonly columnCount: number;
}

/**
 * Runs a sequence on a connection of its own and records every packet that comes back. What may differ between two
 * servers, the numbers of prepared statements, is left out.
 * @param tables that `{a}` and `{b}` stand for
 */
export async function runSequence(
  client: RawClient,
  sequence: Sequence,
  tables: readonly [string, string],
): Promise<StepRecord[]> {
  const prepared = new Map<string, Prepared>();
  const records: StepRecord[] = [];
  for (const step of sequence.steps) {
    const packets = await runStep(client, step, prepared, (sql) =>
      sql.replaceAll('{a}', tables[0]).replaceAll('{b}', tables[1]),
    );
    records.push([JSON.stringify(step), ...packets.map(describe)]);
  }
  return records;
}

const describe = ({ sequence, payload }: RawPacket): string =>
  `${sequence} ${JSON.stringify(payload.toString('latin1'))}`;

/** Sends one step and takes all of its answer. */
export async function runStep(
  client: RawClient,
  step: Step,
  prepared: Map<string, Prepared>,
  fill: (sql: string) => string,
): Promise<RawPacket[]> {
  switch (step.kind) {
    case 'query':
      return client.query(fill(step.sql));
    case 'prepare':
      return prepare(client, step.name, fill(step.sql), prepared);
    case 'execute':
      client.command(COM.STMT_EXECUTE, executeBody(idOf(prepared, step.name), step.values, 0));
      return client.reply();
    case 'cursor': {
      client.command(COM.STMT_EXECUTE, executeBody(idOf(prepared, step.name), step.values, CURSOR_READ_ONLY));
      const opened = await client.reply();
      return [...opened, ...(await fetchRows(client, idOf(prepared, step.name), step.rows))];
    }
    case 'fetch':
      return fetchRows(client, idOf(prepared, step.name), step.rows);
    case 'long-data': {
      const head = new PacketWriter().u32(idOf(prepared, step.name)).u16(step.parameter).finish();
      client.command(COM.STMT_SEND_LONG_DATA, Buffer.concat([head, Buffer.from(step.data)]));
      return [];
    }
    case 'reset-statement':
      client.command(COM.STMT_RESET, new PacketWriter().u32(idOf(prepared, step.name)).finish());
      return client.reply();
    case 'close':
      client.command(COM.STMT_CLOSE, new PacketWriter().u32(idOf(prepared, step.name)).finish());
      return [];
    case 'database':
      client.command(COM.INIT_DB, step.name);
      return client.reply();
    case 'ping':
      client.command(COM.PING);
      return client.reply();
    case 'reset-connection':
      client.command(COM.RESET_CONNECTION);
      return client.reply();
    case 'multi-statements':
      client.command(COM.SET_OPTION, Buffer.from([step.on ? 0 : 1, 0]));
      return [await client.packet()];
  }
}

/** The number that a statement which could not be prepared would have had. */
const NO_STATEMENT = 0xffffff;
const idOf = (prepared: Map<string, Prepared>, name: string): number => prepared.get(name)?.id ?? NO_STATEMENT;

async function prepare(
  client: RawClient,
  name: string,
  sql: string,
  prepared: Map<string, Prepared>,
): Promise<RawPacket[]> {
  client.command(COM.STMT_PREPARE, sql);
  const first = await client.packet();
  if (first.payload[0] === 0xff) return [first];
  const [columnCount, parameterCount] = [first.payload.readUInt16LE(5), first.payload.readUInt16LE(7)];
  prepared.set(name, { id: first.payload.readUInt32LE(1), columnCount });
  first.payload.writeUInt32LE(0, 1);
  const packets = [first];
  for (const count of [parameterCount, columnCount]) {
    if (count === 0) continue;
    // The definitions, and the end mark behind them.
    for (let left = count + 1; left > 0; left--) packets.push(await client.packet());
  }
  return packets;
}

async function fetchRows(client: RawClient, id: number, rows: number): Promise<RawPacket[]> {
  client.command(COM.STMT_FETCH, new PacketWriter().u32(id).u32(rows).finish());
  const packets: RawPacket[] = [];
  for (;;) {
    const packet = await client.packet();
    packets.push(packet);
    const first = packet.payload[0];
    if (first === 0xff || (first === 0xfe && packet.payload.length < 9)) return packets;
  }
}

function executeBody(id: number, values: readonly StepParameter[], flags: number): Buffer {
  const writer = new PacketWriter().u32(id).u8(flags).u32(1);
  if (values.length === 0) return writer.finish();
  const nulls = Buffer.alloc((values.length + 7) >> 3);
  values.forEach((value, index) => {
    if (value === null) nulls[index >> 3] = (nulls[index >> 3] ?? 0) | (1 << (index & 7));
  });
  writer.bytes(nulls).u8(1);
  for (const value of values) {
    writer.u16(value === null ? TYPE_NULL : typeof value === 'number' ? TYPE_BIGINT : TYPE_VAR_STRING);
  }
  for (const value of values) {
    if (typeof value === 'number') writer.u64(BigInt.asUintN(64, BigInt(value)));
    else if (value !== null) writer.lenencString(value);
  }
  return writer.finish();
}
