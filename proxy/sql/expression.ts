/**
 * Expressions over columns, as a partitioning has them (`year(d)`, `mod(abs(a),4)`, `extract(year_month from d)`), and
 * constant arithmetic (`1 + 2`). Only form is read here; what each call means is for those who evaluate.
 */
import { SqlLexer, TOKEN } from './lexer.ts';
import { TokenList } from './token-list.ts';

export type Expression =
  /** Decimal text without sign. */
  | { readonly kind: 'number'; readonly text: string }
  /** In lower case, without qualifier. */
  | { readonly kind: 'column'; readonly name: string }
  /** Operators under `+ - * / % div`, `negate` for a sign; functions under their names in lower case, EXTRACT under `extract_year` … */
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

/** Deeper nesting is no expression that anybody writes. */
const MAX_DEPTH = 50;

/** The expression that the tokens `[start, end)` are; null when they are anything else. */
export function readExpression(tokens: TokenList, start: number, end: number): Expression | null {
  const reader = new ExpressionReader(tokens, start, end);
  const expression = reader.sum();
  return reader.isAtEnd ? expression : null;
}

/** An expression that stands alone, in UTF-8. */
export function parseExpression(text: string): Expression | null {
  const bytes = Buffer.from(text);
  const lexer = new SqlLexer();
  lexer.reset(bytes, bytes.length, false, false, false, false);
  const tokens = new TokenList(lexer);
  let end = 0;
  while (tokens.at(end).kind !== TOKEN.end) end += 1;
  return readExpression(tokens, 0, end);
}

/** The columns that an expression takes, each once, in the order they come. */
export function columnsOf(expression: Expression): string[] {
  if (expression.kind === 'number') return [];
  if (expression.kind === 'column') return [expression.name];
  return [...new Set(expression.args.flatMap(columnsOf))];
}

class ExpressionReader {
  readonly #tokens: TokenList;
  readonly #end: number;
  #at: number;
  #depth = 0;

  constructor(tokens: TokenList, start: number, end: number) {
    this.#tokens = tokens;
    this.#at = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  sum(): Expression | null {
    return this.#chain(
      () => this.#product(),
      () => (this.#takes('+') ? '+' : this.#takes('-') ? '-' : null),
    );
  }

  #product(): Expression | null {
    return this.#chain(
      () => this.#signed(),
      () => {
        const symbol = ['*', '/', '%'].find((character) => this.#takes(character));
        if (symbol !== undefined) return symbol;
        if (this.#takesWord('DIV')) return 'div';
        return this.#takesWord('MOD') ? '%' : null;
      },
    );
  }

  #chain(operand: () => Expression | null, operator: () => string | null): Expression | null {
    let left = operand();
    while (left !== null) {
      const name = operator();
      if (name === null) return left;
      const right = operand();
      left = right === null ? null : { kind: 'call', name, args: [left, right] };
    }
    return null;
  }

  #signed(): Expression | null {
    if (this.#depth >= MAX_DEPTH) return null;
    this.#depth += 1;
    let found: Expression | null;
    if (this.#takes('-')) {
      const operand = this.#signed();
      found = operand === null ? null : { kind: 'call', name: 'negate', args: [operand] };
    } else found = this.#takes('+') ? this.#signed() : this.#primary();
    this.#depth -= 1;
    return found;
  }

  #primary(): Expression | null {
    const at = this.#at;
    if (at >= this.#end) return null;
    if (this.#takes('(')) {
      const inner = this.sum();
      return inner !== null && this.#takes(')') ? inner : null;
    }
    const { kind } = this.#tokens.at(at);
    if (kind === TOKEN.number) {
      const text = this.#tokens.text(at);
      this.#at += 1;
      return /^\d+(\.\d+)?$/.test(text) ? { kind: 'number', text } : null;
    }
    let name = this.#tokens.name(at);
    if (name === null) return null;
    this.#at += 1;
    if (kind === TOKEN.word && this.#takes('(')) return this.#call(name.toLowerCase());
    while (this.#takes('.')) {
      name = this.#at < this.#end ? this.#tokens.name(this.#at) : null;
      if (name === null) return null;
      this.#at += 1;
    }
    return { kind: 'column', name: name.toLowerCase() };
  }

  #call(name: string): Expression | null {
    let prefix = '';
    if (name === 'extract') {
      prefix = `_${this.#tokens.name(this.#at)?.toLowerCase()}`;
      this.#at += 1;
      if (!this.#takesWord('FROM')) return null;
    }
    const args: Expression[] = [];
    do {
      const argument = this.sum();
      if (argument === null) return null;
      args.push(argument);
    } while (this.#takes(','));
    if (!this.#takes(')')) return null;
    return { kind: 'call', name: name === 'mod' && args.length === 2 ? '%' : name + prefix, args };
  }

  #takes(character: string): boolean {
    if (this.#at >= this.#end || !this.#tokens.isSymbol(this.#at, character)) return false;
    this.#at += 1;
    return true;
  }

  #takesWord(word: string): boolean {
    if (this.#at >= this.#end || !this.#tokens.isWord(this.#at, word)) return false;
    this.#at += 1;
    return true;
  }
}
