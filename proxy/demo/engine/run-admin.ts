import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { Expr, SetItem, Statement, UserName, UserPassword } from '../translate/ast.ts';
import type { SqlValue } from '../translate/context.ts';
import { LONG_TEXT, varchar } from '../translate/sql-type.ts';
import { parseStoredPassword, storedPassword } from './accounts.ts';
import { loadData } from './load-data.ts';
import { makePlan } from './plan.ts';
import { ok, rowsOf, type StatementResult } from './result.ts';
import type { DemoSession } from './session.ts';

/** Runs what is neither a query, a change of rows or tables, nor SHOW. */
export async function runAdmin(session: DemoSession, statement: Statement, text: string): Promise<StatementResult> {
  const { transaction, variables } = session;
  switch (statement.kind) {
    case 'empty':
    case 'unlockTables':
      return ok();
    case 'lockTables':
      for (const { database, name } of statement.tables) session.findTable(database || session.database, name);
      return ok();
    case 'grant':
      return session.write(() => ok());
    case 'use':
      session.use(statement.database);
      return ok();
    case 'begin':
      transaction.begin(statement.readOnly || variables.get('tx_read_only') === 'ON');
      return ok();
    case 'commit':
      transaction.commit();
      return ok();
    case 'rollback':
      if (statement.to === null) transaction.rollback();
      else transaction.rollbackTo(statement.to);
      return ok();
    case 'savepoint':
      if (transaction.open || !session.autocommit) transaction.savepoint(statement.name);
      return ok();
    case 'release':
      transaction.release(statement.name);
      return ok();
    case 'set':
      for (const item of statement.items) {
        if (item.target === 'names') setNames(session, item.charset, item.collation);
        else await setVariable(session, item);
      }
      return ok();
    case 'setTransaction':
      return setTransaction(session, statement);
    case 'do':
      await session.evaluateAll(statement.exprs);
      return ok();
    case 'kill':
      return kill(session, statement.query, session.evaluate(statement.id));
    case 'prepare':
      return prepare(session, statement.name, statement.source);
    case 'execute':
      return execute(session, statement.name, statement.using);
    case 'deallocate':
      if (!session.prepared.delete(statement.name)) {
        throw new MysqlError('UNKNOWN_NAMED_STATEMENT', { name: statement.name, command: 'DEALLOCATE PREPARE' });
      }
      return ok();
    case 'explain':
      return explain(session, statement.statement);
    case 'createUser':
    case 'alterUser':
    case 'dropUser':
    case 'setPassword':
      return changeUsers(session, statement);
    case 'modifyZone':
      return modifyZone(session, statement.zone, statement.settings);
    case 'loadData':
      return loadData(session, statement);
    case 'maintenance':
      return maintenance(session, statement);
    default:
      throw notUnderstood(`the statement ${text.slice(0, 40)}`);
  }
}

async function setVariable(session: DemoSession, { target, name, value }: SetItem): Promise<void> {
  const { variables } = session;
  if (target === 'user') {
    const { value: given, type } = session.evaluateTyped(value);
    variables.setUser(name, given, type.kind === 'decimal' ? type.scale : undefined);
    return;
  }
  const given = value.kind === 'default' ? variables.defaultOf(name, target === 'global') : session.evaluate(value);
  const text = given === null ? null : given instanceof Uint8Array ? Buffer.from(given).toString() : String(given);
  if (target === 'global') {
    await session.write(() => {
      variables.setGlobal(name, text);
      return ok();
    });
    return;
  }
  // Switching autocommit on ends the transaction that ran without it.
  const wasOff = name === 'autocommit' && !session.autocommit;
  variables.setSession(name, text);
  if (wasOff && session.autocommit) session.transaction.commit();
}

function setNames(session: DemoSession, charset: string, collation: string | null): void {
  const { variables } = session;
  if (collation !== null) variables.setSession('collation_connection', collation);
  for (const name of ['character_set_client', 'character_set_connection', 'character_set_results'])
    variables.setSession(name, charset);
  if (collation === null)
    variables.setSession('collation_connection', charset === 'binary' ? 'binary' : 'utf8mb4_general_ci');
}

async function setTransaction(
  session: DemoSession,
  statement: Extract<Statement, { kind: 'setTransaction' }>,
): Promise<StatementResult> {
  const { scope, name, value } = statement;
  if (name === 'tx_isolation' && value === 'SERIALIZABLE') throw notUnderstood('the isolation level SERIALIZABLE');
  if (scope === 'global') {
    return session.write(() => {
      session.variables.setGlobal(name, value);
      return ok();
    });
  }
  session.variables.setSession(name, value);
  if (scope === 'next') session.variables.put('ob_proxy_set_trx_executed', 'ON');
  return ok();
}

function kill(session: DemoSession, query: boolean, id: SqlValue): StatementResult {
  const target = session.engine.sessions.get(Number(id));
  if (!target || target.store !== session.store) throw new MysqlError('UNKNOWN_THREAD', { id: String(id) });
  if (target.identity.user !== session.identity.user && session.identity.user !== 'root') {
    throw new MysqlError('NOT_THREAD_OWNER', { id: String(id) });
  }
  target.interrupt();
  if (!query) target.disconnect();
  return ok();
}

function prepare(session: DemoSession, name: string, source: Expr): StatementResult {
  const sql = String(session.evaluate(source) ?? '');
  const parts = session.engine.split(sql);
  const [only] = parts;
  if (!only || parts.length !== 1) throw new MysqlError('SYNTAX', { near: `'${sql.slice(0, 80)}' at line 1` });
  session.describe(only);
  session.prepared.set(name, sql);
  return ok();
}

async function execute(session: DemoSession, name: string, using: readonly string[]): Promise<StatementResult> {
  const sql = session.prepared.get(name);
  const [only] = sql === undefined ? [] : session.engine.split(sql);
  if (!only) throw new MysqlError('UNKNOWN_NAMED_STATEMENT', { name, command: 'EXECUTE' });
  const { paramCount } = session.engine.parse(only);
  if (paramCount !== using.length) throw new MysqlError('WRONG_ARGUMENTS', { name: 'EXECUTE' });
  return session.run(
    only,
    using.map((variable) => session.variables.user(variable)),
  );
}

function explain(session: DemoSession, statement: Statement): StatementResult {
  if (!['select', 'insert', 'update', 'delete'].includes(statement.kind))
    throw notUnderstood(`EXPLAIN ${statement.kind}`);
  const plan = makePlan(
    session.environment([]),
    statement as Extract<Statement, { kind: 'select' | 'insert' | 'update' | 'delete' }>,
  );
  const sql =
    plan.kind === 'select'
      ? plan.query.sql
      : plan.kind === 'update'
        ? plan.update.countSql
        : plan.kind === 'delete'
          ? plan.sql
          : '';
  const values = Object.fromEntries(plan.binds.map((_, index) => [`:p${index + 1}`, null]));
  const steps = sql === '' ? [] : session.readAll(`EXPLAIN QUERY PLAN ${sql}`, values).map((row) => String(row[3]));
  const lines = [
    `${statement.kind.toUpperCase()} (plan of the demo cluster's own engine)`,
    ...steps.map((step) => `  ${step}`),
  ];
  return rowsOf(
    [{ label: 'Query Plan', type: LONG_TEXT, origin: null }],
    lines.map((line) => [line]),
  );
}

type UserStatement = Extract<Statement, { kind: 'createUser' | 'alterUser' | 'dropUser' | 'setPassword' }>;

async function changeUsers(session: DemoSession, statement: UserStatement): Promise<StatementResult> {
  const { accounts } = session.store;
  const failed = (operation: string, { user, host }: UserName): MysqlError =>
    new MysqlError('CANNOT_USER', { operation, user: `'${user}'@'${host}'` });
  if (session.identity.user !== 'root' && statement.kind !== 'setPassword')
    throw new MysqlError('ACCESS_RIGHT', { right: 'CREATE USER' });
  return session.write(() => {
    switch (statement.kind) {
      case 'createUser':
        for (const account of statement.users) {
          if (!accounts.find(account.user)) accounts.save(account.user, stage2Of(account));
          else if (!statement.ifNotExists) throw failed('CREATE USER', account);
        }
        break;
      case 'alterUser':
        for (const account of statement.users) {
          const user = account.user || session.identity.user;
          if (!accounts.find(user)) throw failed('ALTER USER', account);
          if (account.password !== null || account.hash !== null) accounts.save(user, stage2Of(account));
        }
        break;
      case 'dropUser':
        for (const account of statement.users) {
          if (accounts.find(account.user)) accounts.drop(account.user);
          else if (!statement.ifExists) throw failed('DROP USER', account);
        }
        break;
      case 'setPassword': {
        const user = statement.user?.user || session.identity.user;
        if (user !== session.identity.user && session.identity.user !== 'root')
          throw new MysqlError('ACCESS_RIGHT', { right: 'CREATE USER' });
        if (!accounts.find(user)) throw failed('SET PASSWORD', { user, host: '%' });
        const hashed = /^\*[0-9a-fA-F]{40}$/.test(statement.password);
        accounts.save(user, hashed ? parseStoredPassword(statement.password) : storedPassword(statement.password));
      }
    }
    return ok();
  });
}

function stage2Of({ password, hash }: UserPassword): Buffer | null {
  return hash !== null ? parseStoredPassword(hash) : storedPassword(password ?? '');
}

/** Requirement R6: the cluster's own side of the placement. */
function modifyZone(
  session: DemoSession,
  name: string,
  settings: readonly (readonly [name: string, value: string])[],
): StatementResult {
  if (session.store.name !== 'sys' || session.identity.user !== 'root')
    throw new MysqlError('ACCESS_RIGHT', { right: 'ALTER SYSTEM' });
  const zone = session.engine.state.zone(name);
  if (!zone) throw new MysqlError('ZONE_UNKNOWN', { zone: name });
  for (const [setting, value] of settings) {
    if (setting === 'region') zone.region = value;
    else zone.idc = value;
  }
  return ok();
}

function maintenance(
  session: DemoSession,
  { operation, tables }: Extract<Statement, { kind: 'maintenance' }>,
): StatementResult {
  if (operation === 'keys') return ok();
  const rows = tables.map(({ database, name }) => {
    const inDatabase = database || session.database;
    session.findTable(inDatabase, name);
    return [`${inDatabase}.${name}`, operation, 'status', 'OK'];
  });
  const columns = ['Table', 'Op', 'Msg_type', 'Msg_text'].map((label) => ({ label, type: varchar(128), origin: null }));
  return rowsOf(columns, rows);
}
