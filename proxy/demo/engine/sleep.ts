import type { Expr, SelectItem, StarItem, Statement } from '../translate/ast.ts';

type Planned = Extract<Statement, { kind: 'select' | 'insert' | 'update' | 'delete' }>;

/**
 * Takes SLEEP(n) out of the columns of a SELECT without FROM: the session waits first, and the column is then 0.
 * Anywhere else the translator refuses SLEEP, since the engine would hold up every session while it waits.
 */
export function takeSleeps(statement: Planned): { statement: Planned; sleeps: Expr[] } {
  const sleeps: Expr[] = [];
  const [core] = statement.kind === 'select' ? statement.cores : [];
  if (statement.kind !== 'select' || !core || core.from !== null || statement.cores.length > 1)
    return { statement, sleeps };
  const items = core.items.map((item): SelectItem | StarItem => {
    if ('star' in item || item.expr.kind !== 'call' || item.expr.name !== 'SLEEP') return item;
    const [seconds] = item.expr.args;
    if (!seconds || item.expr.args.length !== 1) return item;
    sleeps.push(seconds);
    return { ...item, expr: { ...item.expr, name: 'DEMO_SLEPT', args: [] } };
  });
  return sleeps.length === 0
    ? { statement, sleeps }
    : { statement: { ...statement, cores: [{ ...core, items }] }, sleeps };
}
