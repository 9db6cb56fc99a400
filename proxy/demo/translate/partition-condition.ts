import type { Table } from '../engine/catalog.ts';
import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { Expr } from './ast.ts';
import { type EmitContext, quoteName, quoteText } from './context.ts';

/** The condition that a row lies in one of the named partitions (`FROM t PARTITION (p0, p1)`). */
export function partitionCondition(
  context: EmitContext,
  table: Table,
  alias: string,
  names: readonly string[],
): string {
  const { partition } = table.definition;
  const [column, ...others] = partition?.columns ?? [];
  const indexes = names.map((name) => {
    const index =
      partition?.partitions.findIndex((candidate) => candidate.name.toLowerCase() === name.toLowerCase()) ?? -1;
    if (index < 0) throw new MysqlError('UNKNOWN_PARTITION', { partition: name, table: table.name });
    return index;
  });
  if (!partition || column === undefined || others.length > 0)
    throw notUnderstood('PARTITION (…) over several columns');
  const value = `${quoteName(alias)}.${quoteName(column)}`;
  const literal = (expr: Expr | undefined): string => literalOf(context, expr);
  const options = indexes.map((index) => {
    const own = partition.partitions[index]?.values ?? [];
    switch (partition.method) {
      case 'hash':
        return `(abs(ifnull(${value}, 0)) % ${partition.count} = ${index})`;
      case 'range':
      case 'range columns': {
        const below = own[0]?.[0];
        const from = partition.partitions[index - 1]?.values[0]?.[0];
        const upper = below && !isMaximum(below) ? `${value} < ${literal(below)}` : '1';
        const lower = from ? `${value} >= ${literal(from)}` : '1';
        return index === 0 ? `(${value} IS NULL OR (${upper}))` : `(${upper} AND ${lower})`;
      }
      case 'list':
      case 'list columns': {
        if (own.some(([item]) => item?.kind === 'default')) {
          const elsewhere = partition.partitions
            .flatMap(({ values }) => values.flat())
            .filter((item) => item.kind !== 'default');
          return `(ifnull(${value} NOT IN (${elsewhere.map(literal).join(', ')}), 1))`;
        }
        return `(${value} IN (${own.map(([item]) => literal(item)).join(', ')}))`;
      }
      default:
        throw notUnderstood('PARTITION (…) of a table partitioned by KEY');
    }
  });
  return `(${options.join(' OR ')})`;
}

export function isMaximum(expr: Expr): boolean {
  return expr.kind === 'column' && expr.name === 'MAXVALUE';
}

function literalOf(context: EmitContext, expr: Expr | undefined): string {
  if (expr?.kind === 'number') return expr.text;
  if (expr?.kind === 'string') return quoteText(context, expr.value);
  if (expr?.kind === 'null') return 'NULL';
  throw notUnderstood('a partition bound that is not a plain value');
}
