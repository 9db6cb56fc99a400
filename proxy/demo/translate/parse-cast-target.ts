import { notUnderstood } from '../mysql-error.ts';
import type { CastTarget } from './ast.ts';
import type { TokenCursor } from './cursor.ts';

/** The type in CAST(x AS type). */
export function parseCastTarget(cursor: TokenCursor): CastTarget {
  const word = cursor.next().upper;
  cursor.takeAnyWord('INTEGER', 'INT');
  let length: number | null = null;
  let scale: number | null = null;
  if (cursor.takeOp('(')) {
    length = cursor.integer();
    if (cursor.takeOp(',')) scale = cursor.integer();
    cursor.expectOp(')');
  }
  if (cursor.takeWords('CHARACTER', 'SET') || cursor.takeWords('CHARSET')) cursor.anyName();
  const types: Readonly<Record<string, CastTarget['type']>> = {
    SIGNED: 'signed',
    UNSIGNED: 'unsigned',
    CHAR: 'char',
    NCHAR: 'char',
    BINARY: 'binary',
    DECIMAL: 'decimal',
    DATE: 'date',
    DATETIME: 'datetime',
    TIME: 'time',
    DOUBLE: 'double',
    REAL: 'double',
  };
  const type = types[word];
  if (!type) throw notUnderstood(`CAST to ${word}`);
  return { type, length, scale };
}
