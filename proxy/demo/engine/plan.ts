import type { Delete, Insert, Select, Statement, Update } from '../translate/ast.ts';
import { type Bind, EmitContext, type Environment } from '../translate/context.ts';
import { type EmittedQuery, emitSelect } from '../translate/emit-select.ts';
import { type EmittedInsert, type EmittedUpdate, emitDelete, emitInsert, emitUpdate } from '../translate/emit-write.ts';
import type { Table } from './catalog.ts';

/** A translated statement, ready to run with the values of its places. */
export type Plan = {
  readonly binds: readonly Bind[];
  readonly volatile: boolean;
  readonly tables: EmitContext['tables'];
} & (
  | { readonly kind: 'select'; readonly query: EmittedQuery; readonly countSql: string | null }
  | { readonly kind: 'insert'; readonly insert: EmittedInsert }
  | { readonly kind: 'update'; readonly update: EmittedUpdate }
  | { readonly kind: 'delete'; readonly table: Table; readonly sql: string }
);

/** Translates a SELECT or a change of rows. */
export function makePlan(environment: Environment, statement: Select | Insert | Update | Delete): Plan {
  const context = new EmitContext(environment);
  const rest = (): Pick<Plan, 'binds' | 'volatile' | 'tables'> => ({
    binds: context.binds,
    volatile: context.volatile,
    tables: context.tables,
  });
  switch (statement.kind) {
    case 'select': {
      const query = emitSelect(context, statement);
      const unlimited = statement.calcFoundRows
        ? emitSelect(context, { ...statement, limit: null, orderBy: [] }).sql
        : null;
      return { kind: 'select', query, countSql: unlimited && `SELECT count(*) FROM (${unlimited})`, ...rest() };
    }
    case 'insert': {
      const insert = emitInsert(context, statement);
      return { kind: 'insert', insert, ...rest() };
    }
    case 'update': {
      const update = emitUpdate(context, statement);
      return { kind: 'update', update, ...rest() };
    }
    case 'delete': {
      const { table, sql } = emitDelete(context, statement);
      return { kind: 'delete', table, sql, ...rest() };
    }
  }
}

export function isPlanned(statement: Statement): statement is Select | Insert | Update | Delete {
  return ['select', 'insert', 'update', 'delete'].includes(statement.kind);
}
