import { COM, STATUS } from '../../wire/constants.ts';
import { buildEof } from '../../wire/eof-packet.ts';
import { PacketReader } from '../../wire/reader.ts';
import { PacketWriter } from '../../wire/writer.ts';
import type { LocalFileResult, StatementResult } from '../engine/result.ts';
import type { DemoSession } from '../engine/session.ts';
import { MysqlError } from '../mysql-error.ts';
import type { SqlValue } from '../translate/context.ts';
import type { Answer } from './answer.ts';
import { encodeColumn, encodeParameter } from './column-definition.ts';
import { encodeBinaryRow, encodeTextRow, type RowEncoder } from './encode-row.ts';
import { expandTable } from './field-list.ts';
import { openCursor, type PreparedStatement, type PreparedStatements } from './prepared-statements.ts';
import { readParameters } from './read-parameters.ts';
import type { Reply } from './reply.ts';
import { statementText } from './statement-text.ts';

/** What a command needs of its connection. */
export interface CommandPlace {
  readonly session: DemoSession;
  readonly statements: PreparedStatements;
  readonly deprecateEof: boolean;
  /** Asks the client for a file and gives its content; the answer goes on behind the client's last packet. */
  receiveFile(name: string): Promise<Buffer>;
}

const CURSOR_READ_ONLY = 1;

/** Runs one request and writes its whole answer, apart from COM_QUIT, COM_CHANGE_USER and COM_RESET_CONNECTION. */
export async function runCommand(place: CommandPlace, payload: Buffer, reply: Reply, answer: Answer): Promise<void> {
  const { session, statements } = place;
  const command = payload[0];
  const body = payload.subarray(1);
  switch (command) {
    case COM.QUERY:
      return runQuery(place, statementText(body), reply, answer);
    case COM.INIT_DB:
      session.use(statementText(body));
      answer.ok({ kind: 'ok', affectedRows: 0, insertId: 0n, info: '' }, false);
      return;
    case COM.FIELD_LIST:
      return fieldList(session, body, reply, answer);
    case COM.PING:
    case COM.REFRESH:
    case COM.SET_OPTION:
      answer.plainOk();
      return;
    case COM.STATISTICS:
      reply.add(Buffer.from(statisticsText(session)));
      return;
    case COM.DEBUG:
      reply.add(buildEof(answer.status()));
      return;
    case COM.PROCESS_INFO:
      return runQuery(place, 'SHOW PROCESSLIST', reply, answer);
    case COM.PROCESS_KILL:
      return runQuery(place, `KILL ${new PacketReader(body).u32()}`, reply, answer);
    case COM.CREATE_DB:
    case COM.DROP_DB: {
      const name = statementText(body).replaceAll('`', '``');
      return runQuery(place, `${command === COM.CREATE_DB ? 'CREATE' : 'DROP'} DATABASE \`${name}\``, reply, answer);
    }
    case COM.STMT_PREPARE:
      return prepare(place, statementText(body), reply, answer);
    case COM.STMT_EXECUTE:
      return execute(place, new PacketReader(body), answer);
    case COM.STMT_SEND_LONG_DATA:
      keepLongData(statements, body);
      return;
    case COM.STMT_FETCH:
      return fetchRows(place, new PacketReader(body), reply, answer);
    case COM.STMT_RESET: {
      const statement = statements.get(new PacketReader(body).u32());
      statement.cursor = null;
      statement.longData.clear();
      answer.plainOk();
      return;
    }
    case COM.STMT_CLOSE:
      statements.close(new PacketReader(body).u32());
      return;
    default:
      throw new MysqlError('UNSUPPORTED_COMMAND');
  }
}

/** Requests that have no answer at all. */
export function isSilent(command: number | undefined): boolean {
  return command === COM.STMT_CLOSE || command === COM.STMT_SEND_LONG_DATA;
}

async function runQuery(place: CommandPlace, sql: string, reply: Reply, answer: Answer): Promise<void> {
  const { session } = place;
  session.startRequest(sql);
  try {
    const parts = session.engine.split(sql);
    for (const [index, part] of parts.entries()) {
      const result = await session.run(part, [], parts.length === 1);
      await send(place, result, index < parts.length - 1, encodeTextRow, answer);
      if (index < parts.length - 1) await reply.flush();
    }
    if (parts.length === 0) throw new MysqlError('EMPTY_QUERY');
  } finally {
    session.endRequest();
  }
}

async function send(
  place: CommandPlace,
  result: StatementResult,
  more: boolean,
  encode: RowEncoder,
  answer: Answer,
): Promise<void> {
  if (result.kind === 'rows') return answer.rows(result, more, encode);
  answer.ok(result.kind === 'ok' ? result : await receive(place, result), more);
}

async function receive(place: CommandPlace, result: LocalFileResult) {
  return result.load(await place.receiveFile(result.file));
}

function statisticsText({ engine, identity }: DemoSession): string {
  const threads = [...engine.sessions.values()].filter((session) => session.identity.server === identity.server).length;
  return `Uptime: ${Math.floor(process.uptime())}  Threads: ${threads}  Questions: 0  Slow queries: 0`;
}

function fieldList(session: DemoSession, body: Buffer, reply: Reply, answer: Answer): void {
  const reader = new PacketReader(body);
  const table = reader.nullString();
  const pattern = reader.rest().toString('utf8');
  for (const column of expandTable(session, table, pattern)) reply.add(encodeColumn(column, true));
  reply.add(buildEof(answer.status()));
  answer.extraOk();
}

function prepare({ session, statements, deprecateEof }: CommandPlace, sql: string, reply: Reply, answer: Answer): void {
  session.startRequest(sql);
  try {
    const parts = session.engine.split(sql);
    const [only] = parts;
    if (!only || parts.length > 1) throw new MysqlError('SYNTAX', { near: `'${sql.slice(0, 80)}' at line 1` });
    const { paramCount, columns } = session.describe(only);
    const statement = statements.add(only, paramCount);
    const head = new PacketWriter(12).u8(0).u32(statement.id).u16(columns.length).u16(paramCount).u8(0).u16(0);
    reply.add(head.finish());
    for (let index = 0; index < paramCount; index++) reply.add(encodeParameter());
    if (paramCount > 0 && !deprecateEof) reply.add(buildEof(answer.status()));
    for (const column of columns) reply.add(encodeColumn(column));
    if (columns.length > 0 && !deprecateEof) reply.add(buildEof(answer.status()));
    answer.extraOk();
  } finally {
    session.endRequest();
  }
}

async function execute(place: CommandPlace, reader: PacketReader, answer: Answer): Promise<void> {
  const { session, statements } = place;
  const statement = statements.get(reader.u32());
  const flags = reader.u8();
  reader.skip(4);
  const values = boundValues(statement, reader);
  statement.cursor = null;
  session.startRequest(statement.text.text);
  try {
    const result = await session.run(statement.text, values);
    if (result.kind !== 'rows' || !(flags & CURSOR_READ_ONLY)) {
      await send(place, result, false, encodeBinaryRow, answer);
      return;
    }
    statement.cursor = openCursor(result);
    // A cursor's answer ends behind the column definitions, also where EOF packets are left out else.
    answer.columns(result.columns, STATUS.CURSOR_EXISTS);
    if (place.deprecateEof) answer.endOfRows(STATUS.CURSOR_EXISTS);
    answer.extraOk(STATUS.CURSOR_EXISTS);
  } finally {
    session.endRequest();
  }
}

function boundValues(statement: PreparedStatement, reader: PacketReader): SqlValue[] {
  const { values, types } = readParameters(reader, statement.paramCount, statement.types, statement.longData);
  statement.types = types;
  statement.longData.clear();
  return values;
}

function keepLongData(statements: PreparedStatements, body: Buffer): void {
  const reader = new PacketReader(body);
  const statement = statements.find(reader.u32());
  const index = reader.u16();
  if (!statement) return;
  const parts = statement.longData.get(index) ?? [];
  parts.push(Buffer.from(reader.rest()));
  statement.longData.set(index, parts);
}

async function fetchRows(
  { statements }: CommandPlace,
  reader: PacketReader,
  reply: Reply,
  answer: Answer,
): Promise<void> {
  const id = reader.u32();
  const count = reader.u32();
  const { cursor } = statements.get(id);
  if (!cursor) throw new MysqlError('CURSOR_NOT_OPEN', { id });
  const end = Math.min(cursor.rows.length, cursor.at + count);
  for (; cursor.at < end; cursor.at++) {
    if (reply.add(encodeBinaryRow(cursor.columns, cursor.rows[cursor.at] ?? []))) await reply.flush();
  }
  const bits = cursor.at >= cursor.rows.length ? STATUS.LAST_ROW_SENT : STATUS.CURSOR_EXISTS;
  answer.endOfRows(bits);
  answer.extraOk(bits);
}
