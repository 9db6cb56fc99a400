/**
 * Prepared statements of one client session. The client sees ids of the proxy's own; each server session that prepared
 * the text has its own id for it (case B50).
 */
import type { SqlDialect } from '../sql/classify.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import { LazyMap } from './lazy-map.ts';

/** A holder whose end this generation of the proxy was only told of. */
interface LostHolder {
  readonly address: string;
  readonly closed: true;
}

export interface PreparedStatement<Server> {
  /** Id that the client sees. */
  readonly id: number;
  readonly text: Buffer;
  /** False: `text` is only the beginning, the rest was not kept. */
  readonly isTextWhole: boolean;
  readonly info: StatementInfo;
  /** In which the text was read when it was prepared. */
  readonly dialect: SqlDialect;
  parameterCount: number;
  /** Id at each server session that has prepared it. */
  readonly serverIds: Map<Server, number>;
  /**
   * Parameter types of the last EXECUTE that sent them, 2 bytes each: an EXECUTE without them on another server needs
   * them put in.
   */
  parameterTypes: Buffer | null;
  /** Server sessions that have been told the types. */
  readonly typedServers: Set<Server>;
  /** Server session that holds this statement's long data or open cursor: only it can go on. */
  holder: Server | LostHolder | null;
  hasCursor: boolean;
  /** Pieces of long data that no server has been sent for good: COM_STMT_SEND_LONG_DATA frames as the client sent them. */
  readonly longData: Buffer[];
}

/** What a statement takes besides its text, about: an account of it, not a measurement. */
export const STATEMENT_BYTES = 512;

/** Long data that is kept for one statement, and for all of a session. */
const KEPT_LONG_DATA_BYTES = { statement: 256 * 1024, session: 1024 * 1024 } as const;

const sizeOf = (frames: readonly Buffer[]): number => frames.reduce((sum, { length }) => sum + length, 0);

export class PreparedStatements<Server> {
  readonly #byId = new LazyMap<number, PreparedStatement<Server>>();
  #lastId = 0;
  #longDataBytes = 0;
  #textBytes = 0;

  /** What the texts and the long data take. */
  get bytes(): number {
    return this.#textBytes + this.#byId.size * STATEMENT_BYTES + this.#longDataBytes;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** The id that was given out last. */
  get lastId(): number {
    return this.#lastId;
  }

  all(): Iterable<PreparedStatement<Server>> {
    return this.#byId.values();
  }

  /** Statements of another generation, under the ids that the client knows. */
  restore(lastId: number, statements: Iterable<PreparedStatement<Server>>): void {
    this.#lastId = lastId;
    for (const statement of statements) {
      this.#byId.set(statement.id, statement);
      this.#longDataBytes += sizeOf(statement.longData);
      this.#textBytes += statement.text.length;
    }
  }

  /** Registers a text; it becomes known to the client only by the server's OK. Ids stay below 2^31. */
  create(text: Buffer, isTextWhole: boolean, info: StatementInfo, dialect: SqlDialect): PreparedStatement<Server> {
    do this.#lastId = this.#lastId >= 0x7ffffffe ? 1 : this.#lastId + 1;
    while (this.#byId.has(this.#lastId));
    const statement: PreparedStatement<Server> = {
      id: this.#lastId,
      text,
      isTextWhole,
      info,
      dialect,
      parameterCount: 0,
      serverIds: new Map(),
      parameterTypes: null,
      typedServers: new Set(),
      holder: null,
      hasCursor: false,
      longData: [],
    };
    this.#byId.set(statement.id, statement);
    this.#textBytes += text.length;
    return statement;
  }

  find(id: number): PreparedStatement<Server> | undefined {
    return this.#byId.get(id);
  }

  delete(id: number): void {
    const statement = this.#byId.get(id);
    if (statement === undefined) return;
    this.dropLongData(statement);
    this.#textBytes -= statement.text.length;
    this.#byId.delete(id);
  }

  /**
   * Keeps a piece of long data until EXECUTE, for whichever server that goes to (case B53). False: it would be too much.
   * @param leftBytes what the session may still keep
   */
  keepLongData(statement: PreparedStatement<Server>, frame: Buffer, leftBytes = Number.POSITIVE_INFINITY): boolean {
    if (frame.length > leftBytes) return false;
    if (sizeOf(statement.longData) + frame.length > KEPT_LONG_DATA_BYTES.statement) return false;
    if (this.#longDataBytes + frame.length > KEPT_LONG_DATA_BYTES.session) return false;
    statement.longData.push(frame);
    this.#longDataBytes += frame.length;
    return true;
  }

  dropLongData({ longData }: PreparedStatement<Server>): void {
    if (longData.length === 0) return;
    this.#longDataBytes -= sizeOf(longData);
    longData.length = 0;
  }

  /** A server session is gone, and with it its ids, cursors and long data. */
  forgetServer(server: Server): void {
    for (const statement of this.#byId.values()) {
      statement.serverIds.delete(server);
      statement.typedServers.delete(server);
      // The holder stays named: the next FETCH or EXECUTE has to be told that its cursor or data is lost.
    }
  }

  clear(): void {
    this.#longDataBytes = 0;
    this.#textBytes = 0;
    this.#byId.clear();
  }
}

/** A server session has prepared the statement under an id of its own. */
export function notePrepared<Server>(
  statement: PreparedStatement<Server>,
  server: Server,
  serverId: number,
  parameterCount: number,
): void {
  statement.serverIds.set(server, serverId);
  statement.parameterCount = parameterCount;
}

/** Offset of the new-types flag in a COM_STMT_EXECUTE payload: command, id, flags, iteration count, null bitmap. */
export function newTypesFlagOffset(parameterCount: number): number {
  return 10 + ((parameterCount + 7) >> 3);
}

/**
 * The parameter types that a COM_STMT_EXECUTE payload carries, or null when it relies on those sent before.
 * Any flag byte but 0 counts as "types follow" (case B49).
 */
export function readParameterTypes(payload: Buffer, parameterCount: number): Buffer | null {
  if (parameterCount === 0) return null;
  const flagAt = newTypesFlagOffset(parameterCount);
  if ((payload[flagAt] ?? 0) === 0 || payload.length < flagAt + 1 + parameterCount * 2) return null;
  return Buffer.from(payload.subarray(flagAt + 1, flagAt + 1 + parameterCount * 2));
}

/** The same COM_STMT_EXECUTE payload with the types put in, for a server that has not been told them. */
export function withParameterTypes(payload: Buffer, parameterCount: number, types: Buffer): Buffer {
  const flagAt = newTypesFlagOffset(parameterCount);
  return Buffer.concat([payload.subarray(0, flagAt), Buffer.from([1]), types, payload.subarray(flagAt + 1)]);
}
