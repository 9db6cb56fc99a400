import { notUnderstood } from '../mysql-error.ts';
import type { BinaryOp, CallDetails, Expr, OrderItem, Select, When } from './ast.ts';
import type { TokenCursor } from './cursor.ts';
import { parseCastTarget } from './parse-cast-target.ts';

/** Reads a SELECT inside an expression; given by the SELECT parser, which itself needs expressions. */
export type SelectReader = (cursor: TokenCursor) => Select;

const COMPARISONS: Readonly<Record<string, BinaryOp>> = {
  '=': '=',
  '<=>': '<=>',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

const PLAIN_CALL: CallDetails = { distinct: false, star: false, orderBy: [], separator: null };

/** Functions that may be written without parentheses. */
const BARE_CALLS = new Set([
  'CURRENT_TIMESTAMP',
  'CURRENT_DATE',
  'CURRENT_TIME',
  'CURRENT_USER',
  'LOCALTIME',
  'LOCALTIMESTAMP',
  'UTC_TIMESTAMP',
  'UTC_DATE',
]);

const INTERVAL_UNITS = ['MICROSECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'];

/** Reads MySQL expressions by precedence: OR, XOR, AND, NOT, comparison, `|`, `&`, shift, sum, product, `^`, sign. */
export class ExpressionParser {
  readonly #cursor: TokenCursor;
  readonly #readSelect: SelectReader;

  constructor(cursor: TokenCursor, readSelect: SelectReader) {
    this.#cursor = cursor;
    this.#readSelect = readSelect;
  }

  parse(): Expr {
    let left = this.#xor();
    while (this.#cursor.takeWords('OR') || this.#cursor.takeOp('||')) left = binary('or', left, this.#xor());
    return left;
  }

  #xor(): Expr {
    let left = this.#and();
    while (this.#cursor.takeWords('XOR')) left = binary('xor', left, this.#and());
    return left;
  }

  #and(): Expr {
    let left = this.#not();
    while (this.#cursor.takeWords('AND') || this.#cursor.takeOp('&&')) left = binary('and', left, this.#not());
    return left;
  }

  #not(): Expr {
    if (this.#cursor.takeWords('NOT')) return { kind: 'unary', op: 'not', operand: this.#not() };
    return this.#comparison();
  }

  #comparison(): Expr {
    const cursor = this.#cursor;
    let left = this.#bitOr();
    for (;;) {
      const comparison = cursor.current.kind === 'op' ? COMPARISONS[cursor.current.text] : undefined;
      if (comparison) {
        cursor.next();
        if (cursor.isWord('ALL', 'ANY', 'SOME') && cursor.peek().text === '(') {
          throw notUnderstood(`${cursor.current.upper} before a sub-query`);
        }
        left = binary(comparison, left, this.#bitOr());
      } else if (cursor.takeWords('IS')) {
        const negated = cursor.takeWords('NOT');
        const what = cursor.takeAnyWord('NULL', 'TRUE', 'FALSE', 'UNKNOWN');
        if (!what) throw cursor.syntaxError();
        left = {
          kind: 'is',
          operand: left,
          what: what === 'TRUE' ? 'true' : what === 'FALSE' ? 'false' : 'null',
          negated,
        };
      } else {
        const negated =
          cursor.isWord('NOT') && ['BETWEEN', 'IN', 'LIKE', 'REGEXP', 'RLIKE'].includes(cursor.peek().upper);
        if (negated) cursor.next();
        const predicate = this.#predicate(left, negated);
        if (!predicate) return left;
        left = predicate;
      }
    }
  }

  #predicate(operand: Expr, negated: boolean): Expr | null {
    const cursor = this.#cursor;
    if (cursor.takeWords('BETWEEN')) {
      const low = this.#bitOr();
      cursor.expectWords('AND');
      return { kind: 'between', operand, low, high: this.#bitOr(), negated };
    }
    if (cursor.takeWords('LIKE')) {
      const pattern = this.#bitOr();
      const escapedBy = cursor.takeWords('ESCAPE') ? cursor.string() : '\\';
      return { kind: 'like', operand, pattern, escape: escapedBy, negated };
    }
    if (cursor.takeAnyWord('REGEXP', 'RLIKE')) return { kind: 'regexp', operand, pattern: this.#bitOr(), negated };
    if (!cursor.takeWords('IN')) return null;
    cursor.expectOp('(');
    if (this.#atSelect()) {
      const query = this.#readSelect(cursor);
      cursor.expectOp(')');
      return { kind: 'inQuery', operand, query, negated };
    }
    const list = cursor.list(() => this.parse());
    cursor.expectOp(')');
    return { kind: 'in', operand, list, negated };
  }

  #bitOr(): Expr {
    let left = this.#bitAnd();
    while (this.#cursor.takeOp('|')) left = binary('|', left, this.#bitAnd());
    return left;
  }

  #bitAnd(): Expr {
    let left = this.#shift();
    while (this.#cursor.takeOp('&')) left = binary('&', left, this.#shift());
    return left;
  }

  #shift(): Expr {
    let left = this.#sum();
    for (;;) {
      if (this.#cursor.takeOp('<<')) left = binary('<<', left, this.#sum());
      else if (this.#cursor.takeOp('>>')) left = binary('>>', left, this.#sum());
      else return left;
    }
  }

  #sum(): Expr {
    let left = this.#product();
    for (;;) {
      if (this.#cursor.takeOp('+')) left = this.#withInterval('+', left);
      else if (this.#cursor.takeOp('-')) left = this.#withInterval('-', left);
      else return left;
    }
  }

  #withInterval(op: '+' | '-', left: Expr): Expr {
    if (!this.#cursor.isWord('INTERVAL')) return binary(op, left, this.#product());
    const name = op === '+' ? 'DATE_ADD' : 'DATE_SUB';
    return { kind: 'call', name, args: [left, this.#interval()], call: PLAIN_CALL };
  }

  #product(): Expr {
    let left = this.#xorBits();
    for (;;) {
      if (this.#cursor.takeOp('*')) left = binary('*', left, this.#xorBits());
      else if (this.#cursor.takeOp('/')) left = binary('/', left, this.#xorBits());
      else if (this.#cursor.takeOp('%') || this.#cursor.takeWords('MOD')) left = binary('%', left, this.#xorBits());
      else if (this.#cursor.takeWords('DIV')) left = binary('div', left, this.#xorBits());
      else return left;
    }
  }

  #xorBits(): Expr {
    let left = this.#unary();
    while (this.#cursor.takeOp('^')) left = binary('^', left, this.#unary());
    return left;
  }

  #unary(): Expr {
    const cursor = this.#cursor;
    if (cursor.takeOp('-')) {
      const operand = this.#unary();
      return operand.kind === 'number' && !operand.text.startsWith('-')
        ? { kind: 'number', text: `-${operand.text}` }
        : { kind: 'unary', op: '-', operand };
    }
    if (cursor.takeOp('+')) return { kind: 'unary', op: '+', operand: this.#unary() };
    if (cursor.takeOp('~')) return { kind: 'unary', op: '~', operand: this.#unary() };
    if (cursor.takeOp('!')) return { kind: 'unary', op: 'not', operand: this.#unary() };
    if (cursor.isWord('BINARY') && !['op', 'end'].includes(cursor.peek().kind)) {
      cursor.next();
      return { kind: 'collate', operand: this.#unary(), collation: 'binary' };
    }
    let operand = this.#primary();
    while (cursor.takeWords('COLLATE')) operand = { kind: 'collate', operand, collation: cursor.nameOrString() };
    return operand;
  }

  #primary(): Expr {
    const cursor = this.#cursor;
    const token = cursor.current;
    switch (token.kind) {
      case 'number':
        cursor.next();
        return { kind: 'number', text: token.text };
      case 'string': {
        cursor.next();
        let value = token.text;
        while (cursor.current.kind === 'string') value += cursor.next().text;
        return { kind: 'string', value };
      }
      case 'hex':
      case 'bits':
        cursor.next();
        return { kind: 'bytes', value: token.kind === 'hex' ? hexBytes(token.text) : bitBytes(token.text) };
      case 'param':
        cursor.next();
        return { kind: 'param', index: cursor.paramCount++ };
      case 'uservar':
        cursor.next();
        if (cursor.isOp(':=')) throw notUnderstood("assignment with ':=' inside an expression");
        return { kind: 'uservar', name: token.text.toLowerCase() };
      case 'sysvar':
        cursor.next();
        return systemVariable(token.text);
      case 'op':
        if (cursor.takeOp('(')) return this.#parenthesis();
        throw cursor.syntaxError();
      case 'quoted':
        return this.#columnOrCall();
      case 'word':
        return this.#word();
      default:
        throw cursor.syntaxError();
    }
  }

  #parenthesis(): Expr {
    const cursor = this.#cursor;
    if (this.#atSelect()) {
      const query = this.#readSelect(cursor);
      cursor.expectOp(')');
      return { kind: 'subquery', query };
    }
    const items = cursor.list(() => this.parse());
    cursor.expectOp(')');
    const [only] = items;
    return items.length === 1 && only ? only : { kind: 'row', items };
  }

  #atSelect(): boolean {
    let ahead = 0;
    while (this.#cursor.peek(ahead).text === '(' && this.#cursor.peek(ahead).kind === 'op') ahead++;
    return this.#cursor.peek(ahead).upper === 'SELECT';
  }

  #word(): Expr {
    const cursor = this.#cursor;
    const { upper } = cursor.current;
    const following = cursor.peek();
    const beforeParenthesis = following.kind === 'op' && following.text === '(';
    switch (upper) {
      case 'NULL':
        cursor.next();
        return { kind: 'null' };
      case 'TRUE':
      case 'FALSE':
        cursor.next();
        return { kind: 'bool', value: upper === 'TRUE' };
      case 'CASE':
        cursor.next();
        return this.#case();
      case 'EXISTS': {
        cursor.next();
        cursor.expectOp('(');
        const query = this.#readSelect(cursor);
        cursor.expectOp(')');
        return { kind: 'exists', query };
      }
      case 'CAST':
      case 'CONVERT':
        if (beforeParenthesis) return this.#cast();
        break;
      case 'INTERVAL':
        return this.#interval();
      case 'VALUES':
        if (beforeParenthesis) {
          cursor.next();
          cursor.next();
          const first = cursor.anyName();
          const column = cursor.takeOp('.') ? cursor.anyName() : first;
          cursor.expectOp(')');
          return { kind: 'values', column };
        }
        break;
      case 'DEFAULT':
        cursor.next();
        return { kind: 'default' };
      case 'DATE':
      case 'TIME':
      case 'TIMESTAMP':
        if (following.kind === 'string') {
          cursor.next();
          const type = upper === 'DATE' ? 'date' : upper === 'TIME' ? 'time' : 'datetime';
          return { kind: 'temporal', type, value: cursor.string() };
        }
        break;
    }
    if (BARE_CALLS.has(upper) && !beforeParenthesis) {
      cursor.next();
      return { kind: 'call', name: upper, args: [], call: PLAIN_CALL };
    }
    if (
      /^_(utf8mb4|utf8|utf8mb3|binary|latin1|ascii)$/i.test(upper) &&
      ['string', 'hex', 'bits'].includes(following.kind)
    ) {
      cursor.next();
      const literal = this.#primary();
      if (upper === '_BINARY' && literal.kind === 'string') return { kind: 'bytes', value: Buffer.from(literal.value) };
      if (upper !== '_BINARY' && literal.kind === 'bytes') return { kind: 'string', value: literal.value.toString() };
      return literal;
    }
    return this.#columnOrCall();
  }

  #columnOrCall(): Expr {
    const cursor = this.#cursor;
    const token = cursor.current;
    const following = cursor.peek();
    if (token.kind === 'word' && following.kind === 'op' && following.text === '(') {
      cursor.next();
      return this.#call(token.upper);
    }
    const first = cursor.name();
    if (!cursor.takeOp('.')) return { kind: 'column', database: '', table: '', name: first };
    const second = cursor.anyName();
    if (!cursor.takeOp('.')) return { kind: 'column', database: '', table: first, name: second };
    return { kind: 'column', database: first, table: second, name: cursor.anyName() };
  }

  #call(name: string): Expr {
    const cursor = this.#cursor;
    cursor.expectOp('(');
    if (cursor.takeOp(')')) return this.#finished({ kind: 'call', name, args: [], call: PLAIN_CALL });
    if (cursor.isOp('*') && name === 'COUNT') {
      cursor.next();
      cursor.expectOp(')');
      return this.#finished({ kind: 'call', name, args: [], call: { ...PLAIN_CALL, star: true } });
    }
    const special = this.#specialArguments(name);
    if (special) return special;
    const distinct = cursor.takeWords('DISTINCT');
    if (!distinct) cursor.takeWords('ALL');
    const args = cursor.list(() => this.parse());
    const orderBy: OrderItem[] = cursor.takeWords('ORDER', 'BY') ? this.orderList() : [];
    const separator = cursor.takeWords('SEPARATOR') ? cursor.string() : null;
    cursor.expectOp(')');
    return this.#finished({ kind: 'call', name, args, call: { distinct, star: false, orderBy, separator } });
  }

  #finished(call: Expr): Expr {
    if (this.#cursor.isWord('OVER')) throw notUnderstood('window functions (OVER)');
    return call;
  }

  /** SUBSTRING(x FROM a FOR b), TRIM(LEADING x FROM y), POSITION(a IN b), EXTRACT(unit FROM x), TIMESTAMPDIFF(unit, …). */
  #specialArguments(name: string): Expr | null {
    const cursor = this.#cursor;
    if (name === 'EXTRACT' || name === 'TIMESTAMPDIFF' || name === 'TIMESTAMPADD') {
      const unit = cursor.takeAnyWord(...INTERVAL_UNITS);
      if (!unit) throw notUnderstood(`the unit ${cursor.current.text} in ${name}`);
      const args: Expr[] = [{ kind: 'string', value: unit }];
      if (name === 'EXTRACT') cursor.expectWords('FROM');
      else cursor.expectOp(',');
      args.push(...cursor.list(() => this.parse()));
      cursor.expectOp(')');
      return { kind: 'call', name, args, call: PLAIN_CALL };
    }
    if (name === 'TRIM' && cursor.isWord('LEADING', 'TRAILING', 'BOTH')) {
      const side = cursor.next().upper;
      const what: Expr = cursor.isWord('FROM') ? { kind: 'string', value: ' ' } : this.parse();
      cursor.expectWords('FROM');
      const text = this.parse();
      cursor.expectOp(')');
      return { kind: 'call', name: `TRIM_${side}`, args: [text, what], call: PLAIN_CALL };
    }
    if (name === 'POSITION') {
      const needle = this.#bitOr();
      cursor.expectWords('IN');
      const text = this.parse();
      cursor.expectOp(')');
      return { kind: 'call', name: 'LOCATE', args: [needle, text], call: PLAIN_CALL };
    }
    if (name === 'SUBSTRING' || name === 'SUBSTR' || name === 'MID') {
      const args = [this.parse()];
      while (cursor.takeOp(',') || cursor.takeWords('FROM') || cursor.takeWords('FOR')) args.push(this.parse());
      cursor.expectOp(')');
      return { kind: 'call', name: 'SUBSTRING', args, call: PLAIN_CALL };
    }
    return null;
  }

  orderList(): OrderItem[] {
    return this.#cursor.list(() => {
      const expr = this.parse();
      const direction = this.#cursor.takeAnyWord('ASC', 'DESC');
      return { expr, descending: direction === 'DESC' };
    });
  }

  #case(): Expr {
    const cursor = this.#cursor;
    const subject = cursor.isWord('WHEN') ? null : this.parse();
    const whens: When[] = [];
    while (cursor.takeWords('WHEN')) {
      const condition = this.parse();
      cursor.expectWords('THEN');
      whens.push({ condition, result: this.parse() });
    }
    const otherwise = cursor.takeWords('ELSE') ? this.parse() : null;
    cursor.expectWords('END');
    if (whens.length === 0) throw cursor.syntaxError();
    return { kind: 'case', subject, whens, otherwise };
  }

  #cast(): Expr {
    const cursor = this.#cursor;
    const name = cursor.next().upper;
    cursor.expectOp('(');
    const operand = this.parse();
    if (name === 'CONVERT' && cursor.takeWords('USING')) {
      const charset = cursor.nameOrString().toLowerCase();
      cursor.expectOp(')');
      if (!/^utf8(mb[34])?$/.test(charset)) throw notUnderstood(`CONVERT … USING ${charset}`);
      return { kind: 'cast', operand, target: { type: 'char', length: null, scale: null } };
    }
    if (name === 'CAST') cursor.expectWords('AS');
    else cursor.expectOp(',');
    const target = parseCastTarget(cursor);
    cursor.expectOp(')');
    return { kind: 'cast', operand, target };
  }

  #interval(): Expr {
    const cursor = this.#cursor;
    cursor.expectWords('INTERVAL');
    if (cursor.isOp('(') && !INTERVAL_UNITS.includes(cursor.peek().upper)) {
      const mark = cursor.mark();
      const expr = this.#primary();
      if (!cursor.isWord(...INTERVAL_UNITS)) {
        cursor.rewind(mark);
        throw notUnderstood('the function INTERVAL()');
      }
      return { kind: 'interval', amount: expr, unit: cursor.next().upper };
    }
    const amount = this.parse();
    const unit = cursor.takeAnyWord(...INTERVAL_UNITS);
    if (!unit) throw notUnderstood(`the interval unit ${cursor.current.text}`);
    return { kind: 'interval', amount, unit };
  }
}

function binary(op: BinaryOp, left: Expr, right: Expr): Expr {
  return { kind: 'binary', op, left, right };
}

function hexBytes(digits: string): Buffer {
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

function bitBytes(digits: string): Buffer {
  const hex = BigInt(`0b0${digits}`).toString(16);
  return hexBytes(hex.padStart(Math.ceil(digits.length / 8) * 2, '0'));
}

function systemVariable(text: string): Expr {
  const [first = '', second] = text.toLowerCase().split('.', 2);
  if (second === undefined) return { kind: 'sysvar', scope: '', name: first };
  if (first === 'global') return { kind: 'sysvar', scope: 'global', name: second };
  if (first === 'session' || first === 'local') return { kind: 'sysvar', scope: 'session', name: second };
  throw notUnderstood(`the variable @@${text}`);
}
