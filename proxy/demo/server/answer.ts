import { STATUS } from '../../wire/constants.ts';
import { buildEof } from '../../wire/eof-packet.ts';
import { buildErr } from '../../wire/err-packet.ts';
import { encodeVariableBlock } from '../../wire/ob-variables.ts';
import { buildOk } from '../../wire/ok-packet.ts';
import { PacketWriter } from '../../wire/writer.ts';
import type { OkResult, ResultColumn, RowsResult } from '../engine/result.ts';
import type { DemoSession } from '../engine/session.ts';
import type { MysqlError } from '../mysql-error.ts';
import { encodeColumn } from './column-definition.ts';
import type { RowEncoder } from './encode-row.ts';
import type { Reply } from './reply.ts';

/** How answers look on one connection. */
export interface AnswerStyle {
  readonly deprecateEof: boolean;
  /** Session tracking was agreed: the text of an OK packet has a length before it. */
  readonly sessionTrack: boolean;
  /** A proxy's connection: changed variables in OKs, an extra OK after results and errors. */
  readonly proxied: boolean;
}

/** Writes the answers of one request. */
export class Answer {
  readonly #reply: Reply;
  readonly #session: DemoSession;
  readonly #style: AnswerStyle;

  constructor(reply: Reply, session: DemoSession, style: AnswerStyle) {
    this.#reply = reply;
    this.#session = session;
    this.#style = style;
  }

  /** Server status as the session stands, with further bits. */
  status(more = 0): number {
    const { transaction, autocommit } = this.#session;
    return (autocommit ? STATUS.AUTOCOMMIT : 0) | (transaction.open ? STATUS.IN_TRANS : 0) | more;
  }

  ok(result: OkResult, moreResults: boolean): void {
    const more = moreResults ? STATUS.MORE_RESULTS : 0;
    this.#reply.add(this.#okPacket(result, more, 0x00));
  }

  /** An OK that says nothing, without the proxy's extras (PING, RESET). */
  plainOk(): void {
    this.#reply.add(
      buildOk({ status: this.status(), tail: this.#style.proxied ? new Uint8Array(1) : new Uint8Array() }),
    );
  }

  /** A result set; rows are taken as the reader keeps up. */
  async rows(result: RowsResult, moreResults: boolean, encode: RowEncoder): Promise<void> {
    const more = moreResults ? STATUS.MORE_RESULTS : 0;
    const { rows, columns } = result;
    let count = 0;
    try {
      let item = rows.next();
      // An error in the first row comes before any column.
      let encoded = item.done ? null : encode(columns, item.value);
      this.columns(columns, more);
      while (encoded !== null) {
        count++;
        if (this.#reply.add(encoded)) await this.#reply.flush();
        item = rows.next();
        encoded = item.done ? null : encode(columns, item.value);
      }
    } finally {
      result.close(count);
    }
    this.endOfRows(more);
    if (!moreResults) this.extraOk();
  }

  /** Column count and definitions, with the EOF behind them where it is used. */
  columns(columns: readonly ResultColumn[], statusBits = 0): void {
    this.#reply.add(new PacketWriter(9).lenenc(columns.length).finish());
    for (const column of columns) this.#reply.add(encodeColumn(column));
    if (!this.#style.deprecateEof) this.#reply.add(buildEof(this.status(statusBits)));
  }

  /** The packet that ends rows. */
  endOfRows(statusBits: number): void {
    const status = this.status(statusBits);
    this.#reply.add(this.#style.deprecateEof ? buildOk({ header: 0xfe, status }) : buildEof(status));
  }

  error(error: MysqlError): void {
    this.#reply.add(buildErr(error));
    if (!this.#style.proxied) return;
    const { engine, identity, variables } = this.#session;
    variables.put('ob_statement_trace_id', engine.newTraceId(identity.server.ip, identity.server.rpcPort));
    this.extraOk();
  }

  /** The OK that a proxy gets after the last result set, an error or a prepared statement. */
  extraOk(statusBits = 0): void {
    if (!this.#style.proxied) return;
    this.#reply.add(this.#okPacket({ kind: 'ok', affectedRows: 0, insertId: 0n, info: '' }, statusBits, 0x00));
  }

  #okPacket(result: OkResult, statusBits: number, header: 0x00 | 0xfe): Buffer {
    const block = this.#style.proxied ? this.#variableBlock() : null;
    const status = this.status(statusBits | (block ? STATUS.SESSION_STATE_CHANGED : 0));
    const text = this.#style.sessionTrack
      ? new PacketWriter().lenencString(result.info).finish()
      : // A blank, where other servers write the length (seen at a genuine kernel).
        Buffer.from(result.info === '' ? '' : ` ${result.info}`);
    // The block begins with an empty text of its own, in whose place the real one goes.
    const tail = block ? Buffer.concat([text.length > 0 ? text : Buffer.from([0]), block.subarray(1)]) : text;
    const { affectedRows, insertId } = result;
    return buildOk({ header, affectedRows, insertId, status, tail });
  }

  #variableBlock(): Buffer | null {
    const { system, user } = this.#session.variables.takeChanges();
    const hit = this.#session.partitionHit;
    if (hit !== null) system.push(['ob_proxy_partition_hit', hit ? '1' : '0']);
    const schema = this.#session.databaseChosen ? this.#session.database : undefined;
    this.#session.databaseChosen = false;
    if (system.length === 0 && user.length === 0 && schema === undefined) return null;
    return encodeVariableBlock({
      system: system.map(([name, value]) => [name, Buffer.from(value, 'utf8')]),
      user: user.map(([name, value]) => [name, Buffer.from(value, 'utf8')]),
      ...(schema === undefined ? {} : { schema }),
    });
  }
}
