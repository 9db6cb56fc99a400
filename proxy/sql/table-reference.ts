/** What stands between a table's name and the rest of the statement: partitions, alias, index hints. */
import { KEYWORD } from './keywords.ts';
import { TOKEN } from './lexer.ts';
import type { TokenList } from './token-list.ts';

export interface TableReference {
  /** How its columns are qualified, in lower case: the alias, else the name. */
  readonly qualifier: string;
  /** The only one that PARTITION (…) names, in lower case; null without such a clause. */
  readonly partition: string | null;
  /** Number of the token behind all of this. */
  readonly end: number;
}

/** Null when it is another table than `name`, or several partitions are named. @param start its first token */
export function readTableReference(tokens: TokenList, start: number, name: string): TableReference | null {
  const last = lastOfName(tokens, start);
  if (tokens.name(last) !== name) return null;
  let at = last + 1;
  let partition: string | null = null;
  if (tokens.isWord(at, 'PARTITION') || tokens.isWord(at, 'SUBPARTITION')) {
    const after = tokens.afterGroup(at + 1);
    partition = after === at + 4 ? (tokens.name(at + 2)?.toLowerCase() ?? null) : null;
    if (partition === null) return null;
    at = after;
  }
  let qualifier = name;
  if (tokens.at(at).keyword === KEYWORD.AS) at += 1;
  const alias = isAlias(tokens, at) ? tokens.name(at) : null;
  if (alias !== null) {
    qualifier = alias;
    at += 1;
  }
  return { qualifier: qualifier.toLowerCase(), partition, end: afterIndexHints(tokens, at) };
}

/** The number of the last token of `a`, `a.b` or `.b`. */
function lastOfName(tokens: TokenList, start: number): number {
  let at = start;
  while (tokens.isSymbol(at + 1, '.')) at += 2;
  return at;
}

/** Words that may follow a table are no alias. */
function isAlias(tokens: TokenList, at: number): boolean {
  const { kind, keyword } = tokens.at(at);
  if (kind === TOKEN.quotedName) return true;
  return kind === TOKEN.word && keyword === 0 && !NO_ALIAS.some((word) => tokens.isWord(at, word));
}
const NO_ALIAS = ['LEFT', 'RIGHT', 'INNER', 'CROSS', 'NATURAL', 'FULL', 'ON', 'USE', 'FORCE', 'VALUE'];

/** `USE INDEX FOR JOIN (a, b), FORCE KEY (c)`. */
function afterIndexHints(tokens: TokenList, start: number): number {
  let at = start;
  for (;;) {
    const from = tokens.isSymbol(at, ',') ? at + 1 : at;
    if (!INDEX_VERBS.some((word) => tokens.isWord(from, word))) return at;
    if (!tokens.isWord(from + 1, 'INDEX') && !tokens.isWord(from + 1, 'KEY')) return at;
    let open = from + 2;
    while (tokens.at(open).kind === TOKEN.word && open < from + 5) open += 1;
    if (!tokens.isSymbol(open, '(')) return at;
    at = tokens.afterGroup(open);
  }
}
const INDEX_VERBS = ['USE', 'FORCE', 'IGNORE'];
