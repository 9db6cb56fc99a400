import { MysqlError } from '../mysql-error.ts';

/** One word of MySQL text. `start`/`end` are offsets into the statement's text. */
export interface Token {
  readonly kind:
    | 'word'
    | 'quoted'
    | 'string'
    | 'hex'
    | 'bits'
    | 'number'
    | 'sysvar'
    | 'uservar'
    | 'op'
    | 'param'
    | 'end';
  /** Word as written, text of a string, digits of a number, operator. */
  readonly text: string;
  /** Upper case of a bare word; empty for everything else. */
  readonly upper: string;
  readonly start: number;
  readonly end: number;
}

const OPERATORS = ['<=>', ':=', '<<', '>>', '<=', '>=', '<>', '!=', '&&', '||', '->'];
const SPACE = /\s/;
const WORD_START = /[\p{L}_$]/u;
const WORD = /[\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const HEX_NUMBER = /0x([0-9a-fA-F]+)(?![\p{L}\p{N}_$])/uy;
const BIT_NUMBER = /0b([01]+)(?![\p{L}\p{N}_$])/uy;
const QUOTED_DIGITS = /[xX]'([0-9a-fA-F]*)'|[bB]'([01]*)'/y;

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\x1a',
};

/** The error for text that cannot be read on from an offset. */
export function syntaxError(sql: string, offset: number): MysqlError {
  const rest = sql.slice(offset, offset + 80);
  const line = sql.slice(0, offset).split('\n').length;
  return new MysqlError('SYNTAX', { near: `'${rest}' at line ${line}` });
}

/**
 * Cuts a statement into words. Comments are dropped, except that the text of `/*! … *​/` is read as SQL; the words end
 * in one of kind `end`.
 * @throws MysqlError SYNTAX for an open string, name or comment
 */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let insideVersioned = false;
  const push = (kind: Token['kind'], text: string, start: number, end: number): void => {
    tokens.push({ kind, text, upper: kind === 'word' ? text.toUpperCase() : '', start, end });
    at = end;
  };
  while (at < sql.length) {
    const char = sql[at] ?? '';
    if (SPACE.test(char)) at++;
    else if (char === '#' || (char === '-' && sql[at + 1] === '-' && /^(\s|$)/.test(sql.slice(at + 2, at + 3)))) {
      const newline = sql.indexOf('\n', at);
      at = newline < 0 ? sql.length : newline + 1;
    } else if (char === '/' && sql[at + 1] === '*') {
      const versioned = /^\/\*!\d*/.exec(sql.slice(at, at + 12));
      const close = sql.indexOf('*/', at + 2);
      if (close < 0) throw syntaxError(sql, at);
      insideVersioned ||= versioned !== null;
      at = versioned ? at + versioned[0].length : close + 2;
    } else if (insideVersioned && char === '*' && sql[at + 1] === '/') {
      insideVersioned = false;
      at += 2;
    } else readToken(sql, at, char, push);
  }
  push('end', '', sql.length, sql.length);
  return tokens;
}

type Push = (kind: Token['kind'], text: string, start: number, end: number) => void;

function readToken(sql: string, at: number, char: string, push: Push): void {
  const matched = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(sql);
  };
  const quotedDigits = matched(QUOTED_DIGITS);
  if (quotedDigits) {
    const kind = quotedDigits[1] !== undefined ? 'hex' : 'bits';
    return push(kind, quotedDigits[1] ?? quotedDigits[2] ?? '', at, at + quotedDigits[0].length);
  }
  if (char === "'" || char === '"') return pushString(sql, at, char, push);
  if (char === '`') {
    const { text, end } = quotedName(sql, at);
    return push('quoted', text, at, end);
  }
  const hex = matched(HEX_NUMBER);
  if (hex) return push('hex', hex[1] ?? '', at, at + hex[0].length);
  const bits = matched(BIT_NUMBER);
  if (bits) return push('bits', bits[1] ?? '', at, at + bits[0].length);
  const number = matched(NUMBER);
  if (number) {
    const end = at + number[0].length;
    // A name may begin with digits (`1st`): then the number is only its beginning.
    if (/^[0-9]+$/.test(number[0]) && WORD_START.test(sql[end] ?? '') && !/^\d+$/.test(sql.slice(at, end + 1))) {
      const word = matched(WORD);
      if (word) return push('word', word[0], at, at + word[0].length);
    }
    return push('number', number[0], at, end);
  }
  if (char === '@') return pushVariable(sql, at, push);
  if (char === '?') return push('param', '?', at, at + 1);
  if (WORD_START.test(char)) {
    const word = matched(WORD);
    return push('word', word?.[0] ?? char, at, at + (word?.[0].length ?? 1));
  }
  const operator = OPERATORS.find((candidate) => sql.startsWith(candidate, at)) ?? char;
  if (!/[-+*/%=<>!&|^~(),.;:]/.test(char)) throw syntaxError(sql, at);
  push('op', operator, at, at + operator.length);
}

function pushString(sql: string, at: number, quote: string, push: Push): void {
  let text = '';
  let end = at + 1;
  for (;;) {
    const char = sql[end];
    if (char === undefined) throw syntaxError(sql, at);
    if (char === quote && sql[end + 1] === quote) {
      text += quote;
      end += 2;
    } else if (char === quote) return push('string', text, at, end + 1);
    else if (char === '\\') {
      const next = sql[end + 1];
      if (next === undefined) throw syntaxError(sql, at);
      // `\%` and `\_` keep their backslash: LIKE reads them.
      text += ESCAPES[next] ?? (next === '%' || next === '_' ? `\\${next}` : next);
      end += 2;
    } else {
      const run = nextSpecial(sql, end, quote);
      text += sql.slice(end, run);
      end = run;
    }
  }
}

function nextSpecial(sql: string, from: number, quote: string): number {
  let at = from;
  while (at < sql.length && sql[at] !== quote && sql[at] !== '\\') at++;
  return at;
}

function quotedName(sql: string, at: number): { text: string; end: number } {
  let text = '';
  let end = at + 1;
  for (;;) {
    const close = sql.indexOf('`', end);
    if (close < 0) throw syntaxError(sql, at);
    text += sql.slice(end, close);
    if (sql[close + 1] !== '`') return { text, end: close + 1 };
    text += '`';
    end = close + 2;
  }
}

function pushVariable(sql: string, at: number, push: Push): void {
  const system = sql[at + 1] === '@';
  const start = at + (system ? 2 : 1);
  const quote = sql[start];
  if (quote === '`') {
    const { text, end } = quotedName(sql, start);
    return push(system ? 'sysvar' : 'uservar', text, at, end);
  }
  if (!system && (quote === "'" || quote === '"')) {
    const close = sql.indexOf(quote, start + 1);
    if (close < 0) throw syntaxError(sql, at);
    return push('uservar', sql.slice(start + 1, close), at, close + 1);
  }
  const name = /^[\p{L}\p{N}_$.]*/u.exec(sql.slice(start, start + 200))?.[0] ?? '';
  if (system && name === '') throw syntaxError(sql, at);
  push(system ? 'sysvar' : 'uservar', name, at, start + name.length);
}

/**
 * Cuts a multi-statement text at its semicolons. Each part keeps its own text; the part after a last semicolon is left
 * out when it holds no word.
 */
export function splitStatements(sql: string): { text: string; tokens: Token[] }[] {
  const tokens = tokenize(sql);
  if (!tokens.some((token) => token.text === ';' && token.kind === 'op')) return [{ text: sql, tokens }];
  const parts: { text: string; tokens: Token[] }[] = [];
  let start = 0;
  let part: Token[] = [];
  for (const token of tokens) {
    const last = token.kind === 'end';
    if (!last && !(token.kind === 'op' && token.text === ';')) {
      part.push(token);
      continue;
    }
    const text = sql.slice(start, token.start);
    if (part.length > 0 || (!last && parts.length === 0))
      parts.push({ text, tokens: shifted(part, start, text.length) });
    start = token.end;
    part = [];
  }
  return parts;
}

function shifted(part: readonly Token[], by: number, length: number): Token[] {
  const moved = part.map((token) => ({ ...token, start: token.start - by, end: token.end - by }));
  return [...moved, { kind: 'end', text: '', upper: '', start: length, end: length }];
}
