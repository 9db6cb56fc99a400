import type { DemoServer } from '../cluster-state.ts';
import { MysqlError } from '../mysql-error.ts';
import type { Expr, Select, Statement } from '../translate/ast.ts';
import type { Environment, SqlValue, VirtualTable } from '../translate/context.ts';
import { NULL_TYPE, type SqlType } from '../translate/sql-type.ts';
import { bindValues, valueType } from './bind-values.ts';
import type { Table } from './catalog.ts';
import type { BindValues, EngineConnection } from './connection.ts';
import { asMysqlError } from './constraint-error.ts';
import type { DemoEngine, StatementText } from './engine.ts';
import { meetsStaleReplica, wasPartitionHit } from './partition-hit.ts';
import { isPlanned, makePlan, type Plan } from './plan.ts';
import { type OkResult, ok, type RowsResult, type StatementResult } from './result.ts';
import { runAdmin } from './run-admin.ts';
import { isDdl, runDdl } from './run-ddl.ts';
import { runShow } from './run-show.ts';
import { runWrite } from './run-write.ts';
import { SessionVariables } from './session-variables.ts';
import { takeSleeps } from './sleep.ts';
import type { TenantStore } from './tenant-store.ts';
import { Transaction } from './transaction.ts';
import { TransactionSharing } from './transaction-sharing.ts';
import { findVirtualTable } from './virtual-tables.ts';

type Planned = Extract<Statement, { kind: 'select' | 'insert' | 'update' | 'delete' }>;

/** Longest text whose translation is kept. */
const MAX_KEPT_TEXT = 8192;

export interface SessionIdentity {
  readonly tenant: TenantStore;
  readonly user: string;
  /** Host that the client connects from. */
  readonly host: string;
  readonly server: DemoServer;
  readonly connectionId: number;
  readonly foundRows: boolean;
  /** What SHOW STATUS tells of it; empty without TLS. */
  readonly tls: { readonly version: string; readonly cipher: string };
  /** Version text of the server's greeting. */
  readonly version: string;
}

/** One server session: its variables, its transaction, and the running of its statements. */
export class DemoSession {
  readonly engine: DemoEngine;
  readonly identity: SessionIdentity;
  readonly variables: SessionVariables;
  /** Its own, or that of another server's session which it takes part in. */
  transaction: Transaction;
  readonly sharing: TransactionSharing;
  readonly prepared = new Map<string, string>();
  readonly startedAt = Date.now();
  database = '';
  /** A database was chosen since the last answer, be it the same as before. */
  databaseChosen = false;
  /** Text of the statement that runs now. */
  currentText = '';
  /** What SHOW PROCESSLIST shows. */
  running: { readonly text: string; readonly since: number } | null = null;
  lastInsertId = 0n;
  rowCount = 0;
  foundRows = 0;
  lastError: MysqlError | null = null;
  /** Closes the connection; set by the server. */
  disconnect: () => void = () => undefined;
  #firstId = 0n;
  #interrupt = new AbortController();
  #statementStart = new Date();
  #partitionHit: boolean | null = null;

  constructor(engine: DemoEngine, identity: SessionIdentity) {
    this.engine = engine;
    this.identity = identity;
    this.variables = new SessionVariables(
      identity.tenant.globals,
      new Map([
        ['version', identity.version],
        ['hostname', identity.server.hostName],
        ['port', String(identity.server.sqlPort)],
      ]),
    );
    this.transaction = new Transaction(this, identity.tenant);
    this.sharing = new TransactionSharing(this);
    engine.sessions.set(identity.connectionId, this);
  }

  get store(): TenantStore {
    return this.identity.tenant;
  }

  get autocommit(): boolean {
    return this.variables.get('autocommit') === 'ON';
  }

  /** Longest wait for the writer lock. */
  get lockTimeoutMs(): number {
    const lock = Number(this.variables.get('ob_trx_lock_timeout'));
    const query = Number(this.variables.get('ob_query_timeout'));
    return Math.max(1, Math.round((lock >= 0 ? Math.min(lock, query) : query) / 1000));
  }

  get interruptSignal(): AbortSignal {
    return this.#interrupt.signal;
  }

  /** Stops the statement that runs (KILL QUERY). */
  interrupt(reason = new MysqlError('QUERY_INTERRUPTED')): void {
    this.#interrupt.abort(reason);
  }

  /** Called at the start of each request: what KILL QUERY hits is the request that runs then. */
  startRequest(text: string): void {
    this.#interrupt = new AbortController();
    this.#partitionHit = null;
    this.running = { text, since: Date.now() };
  }

  endRequest(): void {
    this.running = null;
  }

  /** Whether the request's first DML met the server that should have had it; null when that is not known. */
  get partitionHit(): boolean | null {
    return this.#partitionHit;
  }

  /** Puts everything back as after login (COM_RESET_CONNECTION). */
  reset(): void {
    this.transaction.rollback();
    this.variables.reset();
    this.prepared.clear();
    this.lastInsertId = 0n;
  }

  close(): void {
    this.sharing.close();
    this.engine.sessions.delete(this.identity.connectionId);
  }

  /** Chooses the current database. */
  use(database: string): void {
    if (!this.store.hasDatabase(database)) throw new MysqlError('UNKNOWN_DATABASE', { database });
    this.database = database.toLowerCase();
    this.databaseChosen = true;
    this.variables.put('character_set_database', 'utf8mb4');
    this.variables.put('collation_database', 'utf8mb4_general_ci');
  }

  /** Number of `?` and the result columns of a statement, for COM_STMT_PREPARE. */
  describe(text: StatementText): { paramCount: number; columns: RowsResult['columns'] } {
    const { statement, paramCount } = this.engine.parse(text);
    if (statement.kind === 'show' || statement.kind === 'describe') {
      return { paramCount, columns: this.#runShow(statement).columns };
    }
    if (!isPlanned(statement)) return { paramCount, columns: [] };
    const plan = makePlan(this.environment([]), takeSleeps(statement).statement);
    return {
      paramCount,
      columns: plan.kind === 'select' && !('into' in statement && statement.into.length > 0) ? plan.query.columns : [],
    };
  }

  /**
   * Runs one statement. Row results are read lazily: the caller takes them and calls `close`.
   * @param params values of `?`, integers as bigint
   * @param isAlone the only statement of its request
   * @throws MysqlError
   */
  async run(text: StatementText, params: readonly SqlValue[] = [], isAlone = true): Promise<StatementResult> {
    this.#statementStart = new Date();
    this.currentText = text.text;
    try {
      const { statement } = this.engine.parse(text);
      this.sharing.check(statement.kind, isAlone);
      const result = await this.#dispatch(statement, text.text, params);
      if (statement.kind !== 'show' || !/warnings|errors/.test(statement.what)) this.lastError = null;
      if (result.kind === 'ok') this.rowCount = result.affectedRows;
      else this.rowCount = -1;
      return result;
    } catch (error) {
      const mapped = asMysqlError(error);
      this.lastError = mapped instanceof MysqlError ? mapped : new MysqlError('INTERNAL', { detail: mapped.message });
      this.rowCount = -1;
      throw this.lastError;
    }
  }

  /** A kept translation, when one was made for the same text, database and kinds of values since the last DDL. */
  #planFor(original: Planned, statement: Planned, text: string, params: readonly SqlValue[]): Plan {
    if (original !== statement || text.length > MAX_KEPT_TEXT) return makePlan(this.environment(params), statement);
    const kinds = params.map((value) => valueType(value).kind).join();
    const key = `${this.store.version}\0${this.database}\0${kinds}\0${text}`;
    const kept = this.store.plans.get(key);
    if (kept) return kept;
    const plan = makePlan(this.environment(params), statement);
    if (!plan.volatile) this.store.plans.set(key, plan);
    return plan;
  }

  async #dispatch(statement: Statement, text: string, params: readonly SqlValue[]): Promise<StatementResult> {
    if (isPlanned(statement)) return this.#runPlanned(statement, text, params);
    if (isDdl(statement)) return this.#runDdl(statement);
    if (statement.kind === 'show' || statement.kind === 'describe') return this.#runShow(statement);
    return runAdmin(this, statement, text);
  }

  #runShow(statement: Extract<Statement, { kind: 'show' | 'describe' }>): RowsResult {
    return runShow(this, statement);
  }

  async #runPlanned(
    original: Extract<Statement, { kind: 'select' | 'insert' | 'update' | 'delete' }>,
    text: string,
    params: readonly SqlValue[],
  ): Promise<StatementResult> {
    const { statement, sleeps } = takeSleeps(original);
    for (const expr of sleeps) await this.#sleep(Number(this.evaluate(expr, params) ?? 0));
    const plan = this.#planFor(original, statement, text, params);
    if (meetsStaleReplica(this, plan, statement, text, params)) throw new MysqlError('REPLICA_NOT_READABLE');
    if (this.#partitionHit === null) this.#partitionHit = wasPartitionHit(this, plan, statement, text, params);
    if (statement.kind === 'select') return this.#runSelect(plan, statement, params);
    return this.write((connection) => {
      const table = plan.kind === 'insert' ? plan.insert.table : null;
      if (table?.autoIncrementColumn) this.store.prepareAutoIncrement(table);
      const options = { foundRows: this.identity.foundRows, firstId: () => this.#firstId };
      const result = runWrite(connection, plan, this.#values(plan, params), options);
      if (this.#firstId !== 0n) {
        this.lastInsertId = this.#firstId;
        this.variables.put('last_insert_id', String(this.#firstId));
        this.variables.put('identity', String(this.#firstId));
      }
      return result;
    });
  }

  /**
   * Runs a change under the writer lock: alone in its own transaction under autocommit, else as a part of the open one
   * that leaves nothing behind when it fails.
   */
  async write(run: (connection: EngineConnection) => OkResult): Promise<OkResult> {
    if (this.transaction.readOnly || (!this.transaction.open && this.variables.get('tx_read_only') === 'ON')) {
      throw new MysqlError('READ_ONLY_TRANSACTION');
    }
    const alone = this.autocommit && !this.transaction.open;
    const connection = await this.transaction.startWriting(this.lockTimeoutMs, this.interruptSignal);
    connection.host = this;
    this.#firstId = 0n;
    try {
      connection.exec('SAVEPOINT statement');
      const result = run(connection);
      connection.exec('RELEASE statement');
      if (alone) this.transaction.commit();
      return result;
    } catch (error) {
      if (alone) this.transaction.rollback();
      else connection.exec('ROLLBACK TO statement; RELEASE statement');
      throw error;
    }
  }

  async #runDdl(statement: Statement): Promise<OkResult> {
    this.transaction.commit();
    await this.transaction.startWriting(this.lockTimeoutMs, this.interruptSignal);
    try {
      const result = runDdl(this.store, this.environment([]), statement);
      this.transaction.commit();
      if (statement.kind === 'dropDatabase' && statement.database.toLowerCase() === this.database) this.database = '';
      this.variables.put('ob_last_schema_version', String(this.store.schemaVersion));
      return result;
    } catch (error) {
      this.transaction.rollback();
      this.store.reload();
      throw error;
    }
  }

  async #runSelect(plan: Plan, statement: Select, params: readonly SqlValue[]): Promise<StatementResult> {
    if (plan.kind !== 'select') throw new MysqlError('INTERNAL', { detail: 'no query' });
    const values = this.#values(plan, params);
    const alone = statement.locking && this.autocommit && !this.transaction.open;
    if (statement.locking) {
      await this.transaction.startWriting(this.lockTimeoutMs, this.interruptSignal);
      if (alone) this.transaction.commit();
    }
    const own = this.transaction.writing;
    const connection = own ? this.store.writer : this.store.takeReader();
    connection.host = this;
    const giveBack = (): void => {
      if (!own) this.store.returnReader(connection);
    };
    try {
      const counted = plan.countSql === null ? null : Number(connection.all(plan.countSql, values)[0]?.[0] ?? 0);
      if (statement.into.length > 0) {
        const rows = connection.all(plan.query.sql, values);
        giveBack();
        return this.#selectInto(statement.into, rows);
      }
      const rows = connection.iterate(plan.query.sql, values);
      // The first row is taken at once so that an error of the data comes before any result.
      const first = rows.next();
      return {
        kind: 'rows',
        columns: plan.query.columns,
        rows: this.#checkedRows(first, rows),
        close: (count) => {
          rows.return?.();
          giveBack();
          this.foundRows = counted ?? count;
        },
      };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  *#checkedRows(first: IteratorResult<SqlValue[]>, rows: Iterator<SqlValue[]>): Generator<SqlValue[], void> {
    let count = 0;
    for (let item = first; !item.done; item = rows.next()) {
      if ((++count & 0xff) === 0) this.interruptSignal.throwIfAborted();
      yield item.value;
    }
  }

  #selectInto(names: readonly string[], rows: readonly SqlValue[][]): OkResult {
    if (rows.length > 1) throw new MysqlError('TOO_MANY_ROWS');
    names.forEach((name, index) => {
      this.variables.setUser(name, rows[0]?.[index] ?? null);
    });
    return ok(rows.length);
  }

  /** The value of an expression without a table. */
  evaluate(expr: Expr, params: readonly SqlValue[] = []): SqlValue {
    return this.evaluateTyped(expr, params).value;
  }

  /** The value and type of an expression without a table. */
  evaluateTyped(expr: Expr, params: readonly SqlValue[] = []): { value: SqlValue; type: SqlType } {
    const query: Select = {
      kind: 'select',
      cores: [
        {
          distinct: false,
          items: [{ expr, alias: null, text: 'value' }],
          from: null,
          where: null,
          groupBy: [],
          having: null,
        },
      ],
      unions: [],
      orderBy: [],
      limit: null,
      locking: false,
      calcFoundRows: false,
      into: [],
    };
    const plan = makePlan(this.environment(params), query);
    if (plan.kind !== 'select') throw new MysqlError('INTERNAL', { detail: 'no query' });
    const value = this.readAll(plan.query.sql, this.#values(plan, params))[0]?.[0] ?? null;
    return { value, type: plan.query.columns[0]?.type ?? NULL_TYPE };
  }

  /** Runs expressions for what they do (DO): SLEEP waits, LAST_INSERT_ID(x) sets. */
  async evaluateAll(exprs: readonly Expr[]): Promise<void> {
    for (const expr of exprs) {
      const seconds = expr.kind === 'call' && expr.name === 'SLEEP' ? expr.args[0] : undefined;
      if (seconds) await this.#sleep(Number(this.evaluate(seconds) ?? 0));
      else this.evaluate(expr);
    }
  }

  /** Rows of a translated query, all at once. */
  readAll(sql: string, values: BindValues): SqlValue[][] {
    const own = this.transaction.writing;
    const connection = own ? this.store.writer : this.store.takeReader();
    connection.host = this;
    try {
      return connection.all(sql, values);
    } finally {
      if (!own) this.store.returnReader(connection);
    }
  }

  /** Rows of a plan that the session made itself. */
  readPlan(plan: Plan): SqlValue[][] {
    return plan.kind === 'select' ? this.readAll(plan.query.sql, this.#values(plan, [])) : [];
  }

  /** What the translator may ask. `extra` are tables of the moment, under their names. */
  environment(params: readonly SqlValue[], extra: readonly VirtualTable[] = []): Environment {
    return {
      database: this.database,
      findTable: (database, name) => {
        const special = extra.find((table) => table.database === database && table.name === name);
        return special ?? this.findTable(database, name);
      },
      paramType: (index) => valueType(params[index]),
      userVariableType: (name) => this.variables.userType(name),
      systemVariableType: (_, name) => SessionVariables.typeOf(name),
    };
  }

  /** @throws MysqlError NO_SUCH_TABLE, also when the whole database is missing */
  findTable(database: string, name: string): Table | VirtualTable {
    const stored = this.store.findTable(database, name) ?? findVirtualTable(this, database, name);
    if (stored) return stored;
    throw new MysqlError('NO_SUCH_TABLE', { table: `${database}.${name}` });
  }

  setLastInsertId(value: bigint): void {
    this.lastInsertId = value;
    this.variables.put('last_insert_id', String(value));
  }

  nextAutoIncrement(store: string, given: SqlValue): bigint {
    const { value, generated } = this.store.nextAutoIncrement(store, given);
    if (generated && this.#firstId === 0n) this.#firstId = value;
    return value;
  }

  #values(plan: Plan, params: readonly SqlValue[]): BindValues {
    return bindValues(plan.binds, params, this, this.#statementStart);
  }

  /** Waits without holding up the other sessions; KILL QUERY ends it with an error. */
  async #sleep(seconds: number): Promise<void> {
    if (!(seconds >= 0)) throw new MysqlError('WRONG_ARGUMENTS', { name: 'sleep' });
    const signal = this.interruptSignal;
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, seconds * 1000);
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}
