/** Which tables a CREATE TABLE or DROP TABLE names: a session's temporary tables come and go with them. */
import type { SqlDialect } from './classify.ts';
import { SqlLexer, TOKEN } from './lexer.ts';
import { isMultiByteCharset, nameText } from './names.ts';
import type { TableName } from './statement-info.ts';

export interface TableChange {
  /** `other`: anything else, by which a table may have got another name. */
  readonly action: 'create' | 'drop' | 'other';
  readonly tables: readonly TableName[];
}

const OTHER: TableChange = { action: 'other', tables: [] };
const COMMA = 0x2c;
const DOT = 0x2e;
const SEMICOLON = 0x3b;

const lexer = new SqlLexer();

/** @param text one statement: what stands behind it is not looked at */
export function readTableChange(text: Buffer, dialect: SqlDialect): TableChange {
  const { charset, ansiQuotes, noBackslashEscapes } = dialect;
  lexer.reset(text, text.length, false, isMultiByteCharset(charset), ansiQuotes, noBackslashEscapes);
  lexer.next();
  while (lexer.symbol === SEMICOLON) lexer.next();
  const action = isWord('CREATE') ? 'create' : isWord('DROP') ? 'drop' : 'other';
  if (action === 'other') return OTHER;
  do lexer.next();
  while (isWord('OR') || isWord('REPLACE') || isWord('TEMPORARY'));
  if (!isWord('TABLE') && !isWord('TABLES')) return OTHER;
  do lexer.next();
  while (isWord('IF') || isWord('NOT') || isWord('EXISTS'));
  const tables: TableName[] = [];
  for (;;) {
    const table = readTable(dialect);
    if (table === null) return OTHER;
    tables.push(table);
    if (action === 'create' || lexer.symbol !== COMMA) return { action, tables };
    lexer.next();
  }
}

function isWord(word: string): boolean {
  const { token, start, end } = lexer;
  if (token !== TOKEN.word || end - start !== word.length) return false;
  return lexer.text.toString('latin1', start, end).toUpperCase() === word;
}

function readTable({ charset }: SqlDialect): TableName | null {
  const first = readName(charset);
  if (first === null || lexer.symbol !== DOT) return first === null ? null : { database: null, name: first };
  lexer.next();
  const name = readName(charset);
  return name === null ? null : { database: first, name };
}

function readName(charset: SqlDialect['charset']): string | null {
  if (lexer.token !== TOKEN.word && lexer.token !== TOKEN.quotedName) return null;
  const name = nameText(lexer, charset);
  lexer.next();
  return name;
}
