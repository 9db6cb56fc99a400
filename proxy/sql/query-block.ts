/** Where the part of a statement is that its first table belongs to: a sub-query, a member of a UNION, the whole of it. */
import { KEYWORD } from './keywords.ts';
import { TOKEN } from './lexer.ts';
import type { TokenList } from './token-list.ts';

export interface QueryBlock {
  /** Number of the table's first token. */
  readonly table: number;
  /** Keyword of SELECT, INSERT, REPLACE, UPDATE or DELETE. */
  readonly verb: number;
  /** Number of the token behind it. */
  readonly end: number;
}

interface Group {
  /** Number of the parenthesis that opens it; -1: none does. */
  readonly open: number;
  verb: number;
}

const VERBS: ReadonlySet<number> = new Set([
  KEYWORD.SELECT,
  KEYWORD.INSERT,
  KEYWORD.REPLACE,
  KEYWORD.UPDATE,
  KEYWORD.DELETE,
]);

/** Null: it is no such statement. @param table number of the table's first token */
export function findBlock(tokens: TokenList, table: number): QueryBlock | null {
  const groups: Group[] = [{ open: -1, verb: 0 }];
  for (let at = 0; at < table; at += 1) {
    const { keyword } = tokens.at(at);
    if (tokens.isSymbol(at, '(')) groups.push({ open: at, verb: 0 });
    else if (tokens.isSymbol(at, ')')) {
      if (groups.length > 1) groups.pop();
    } else if (VERBS.has(keyword) && isVerb(tokens, at)) {
      const group = groups[groups.length - 1];
      if (group !== undefined) group.verb = keyword;
    }
  }
  // Parentheses of a table list have no verb of their own.
  const group = groups.findLast(({ verb }) => verb !== 0);
  if (group === undefined) return null;
  return { table, verb: group.verb, end: group.open < 0 ? endOfStatement(tokens) : tokens.afterGroup(group.open) - 1 };
}

/** Not a column of that name, nor a function. */
function isVerb(tokens: TokenList, at: number): boolean {
  if (tokens.isSymbol(at - 1, '.')) return false;
  return tokens.at(at).keyword === KEYWORD.SELECT || !tokens.isSymbol(at + 1, '(');
}

function endOfStatement(tokens: TokenList): number {
  let at = 0;
  while (tokens.at(at).kind !== TOKEN.end) at += 1;
  return at;
}
