import type { Expr, Statement } from '../translate/ast.ts';
import { isVirtual, type SqlValue } from '../translate/context.ts';
import type { Table } from './catalog.ts';
import { partitionIndexOf } from './partition-index.ts';
import type { Plan } from './plan.ts';
import type { DemoSession } from './session.ts';

type Planned = Extract<Statement, { kind: 'select' | 'insert' | 'update' | 'delete' }>;

const WEAK_HINT = /\/\*\+[^*]*\bread_consistency\s*\(\s*"?weak/i;

/**
 * Whether this server leads what the statement's first table needs (requirement R22). Null when there is nothing to say:
 * no stored table, a weak read, or a partition that the statement does not fix.
 */
export function wasPartitionHit(
  session: DemoSession,
  plan: Plan,
  statement: Planned,
  text: string,
  params: readonly SqlValue[],
): boolean | null {
  const [table] = plan.tables;
  if (!table || isVirtual(table)) return null;
  if (isWeakRead(session, statement, text)) return null;
  const isRead = statement.kind === 'select' && !statement.locking;
  const { tablets, partition, duplicate } = table.definition;
  if (duplicate && isRead) return true;
  const index = partition ? partitionOf(table, statement, params) : 0;
  const tablet = index === null ? undefined : tablets[index];
  if (!tablet) return null;
  return session.engine.state.leaderOf(tablet) === session.identity.server;
}

/**
 * Whether a weak read meets a replica here that is too old for it: of the partition that the statement fixes, or of any
 * of the table's.
 */
export function meetsStaleReplica(
  session: DemoSession,
  plan: Plan,
  statement: Planned,
  text: string,
  params: readonly SqlValue[],
): boolean {
  const [table] = plan.tables;
  if (!table || isVirtual(table) || !isWeakRead(session, statement, text)) return false;
  const { tablets, partition } = table.definition;
  const index = partition ? partitionOf(table, statement, params) : 0;
  const { state } = session.engine;
  const meant = index === null ? tablets : tablets.filter((_, at) => at === index);
  return meant.some((tablet) => state.isStale(session.identity.server, tablet));
}

function isWeakRead(session: DemoSession, statement: Planned, text: string): boolean {
  if (statement.kind !== 'select' || statement.locking) return false;
  return WEAK_HINT.test(text) || session.variables.get('ob_read_consistency') === 'WEAK';
}

function partitionOf(table: Table, statement: Planned, params: readonly SqlValue[]): number | null {
  const columns = table.definition.partition?.columns ?? [];
  const values = columns.map((column) => valueFor(table, column, statement, params));
  return values.includes(undefined)
    ? null
    : partitionIndexOf(
        table,
        values.map((value) => value ?? null),
      );
}

function valueFor(table: Table, column: string, statement: Planned, params: readonly SqlValue[]): SqlValue | undefined {
  if (statement.kind === 'insert') {
    const names = statement.columns ?? table.columns.map(({ name }) => name);
    const position = names.findIndex((name) => name.toLowerCase() === column.toLowerCase());
    const expr = statement.rows?.[0]?.[position];
    return expr ? constantOf(expr, params) : undefined;
  }
  const where = statement.kind === 'select' ? (statement.cores[0]?.where ?? null) : statement.where;
  return where ? equalTo(where, column.toLowerCase(), params) : undefined;
}

/** The constant that a condition fixes a column to. */
function equalTo(expr: Expr, column: string, params: readonly SqlValue[]): SqlValue | undefined {
  if (expr.kind !== 'binary') return undefined;
  if (expr.op === 'and') return equalTo(expr.left, column, params) ?? equalTo(expr.right, column, params);
  if (expr.op !== '=') return undefined;
  for (const [side, other] of [
    [expr.left, expr.right],
    [expr.right, expr.left],
  ] as const) {
    if (side.kind === 'column' && side.name.toLowerCase() === column) return constantOf(other, params);
  }
  return undefined;
}

function constantOf(expr: Expr, params: readonly SqlValue[]): SqlValue | undefined {
  if (expr.kind === 'number') return /^-?\d+$/.test(expr.text) ? BigInt(expr.text) : Number(expr.text);
  if (expr.kind === 'string') return expr.value;
  if (expr.kind === 'null') return null;
  return expr.kind === 'param' ? params[expr.index] : undefined;
}
