/** SELECT without tables for the proxysys tenant: literals, variables and the functions clients call when they connect. */
import { OdpError } from '../../errors/odp-error.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { COLUMN_TYPE } from '../../wire/constants.ts';
import type { ColumnDefinition } from '../../wire/result-set.ts';
import { rowsReply } from '../result.ts';
import type { Caller, CommandServices } from '../services.ts';
import type { TokenStream } from '../token-stream.ts';
import { proxysysVariables } from './variables.ts';

interface Value {
  readonly text: string | null;
  readonly isInteger: boolean;
}

const nullValue: Value = { text: null, isInteger: false };
const text = (value: string): Value => ({ text: value, isInteger: false });

type FunctionAnswer = (caller: Caller, services: CommandServices) => Value;

const account: FunctionAnswer = (caller) => text(`${caller.user}@${caller.host}`);
const functions: Readonly<Record<string, FunctionAnswer>> = {
  DATABASE: () => nullValue,
  SCHEMA: () => nullValue,
  VERSION: (_, services) => text(services.mysqlVersion),
  CONNECTION_ID: (caller) => ({ text: String(caller.sessionId), isInteger: true }),
  USER: account,
  CURRENT_USER: account,
  SESSION_USER: account,
  SYSTEM_USER: account,
};

/**
 * Answers the rest of `SELECT …`, one row. Column names are the expressions as written, unless an alias is given.
 * @throws OdpError BAD_INTERNAL_COMMAND for anything beyond, UNKNOWN_SYSTEM_VARIABLE
 */
export function answerSelect(tokens: TokenStream, caller: Caller, services: CommandServices): CommandReply {
  const definitions: ColumnDefinition[] = [];
  const row: (string | null)[] = [];
  do {
    const start = tokens.current?.start ?? 0;
    const { value, end } = readValue(tokens, caller, services);
    const alias = readAlias(tokens);
    const type = value.isInteger ? COLUMN_TYPE.LONGLONG : COLUMN_TYPE.VAR_STRING;
    definitions.push({ name: alias ?? tokens.source(start, end), type });
    row.push(value.text);
  } while (tokens.acceptSymbol(','));
  if (tokens.acceptWord('FROM')) tokens.expectWord('DUAL');
  const limit = tokens.acceptWord('LIMIT') ? tokens.expectId('a number of rows') : 1;
  tokens.expectEnd();
  return rowsReply(definitions, limit > 0 ? [row] : []);
}

function readValue(tokens: TokenStream, caller: Caller, services: CommandServices): { value: Value; end: number } {
  const token = tokens.current;
  if (token === null) throw tokens.unexpected('an expression');
  tokens.take();
  const { end } = token;
  switch (token.kind) {
    case 'integer':
      return { value: { text: token.text, isInteger: true }, end };
    case 'number':
      return { value: text(token.text), end };
    case 'quoted':
      return { value: text(token.text), end };
    case 'variable':
      return { value: variableValue(token.text, services), end };
    case 'symbol':
      throw new OdpError('BAD_INTERNAL_COMMAND', {
        detail: `root@proxysys evaluates no expressions ('${token.text}')`,
      });
    case 'word':
      return wordValue(token.text, end, tokens, caller, services);
  }
}

function wordValue(
  word: string,
  wordEnd: number,
  tokens: TokenStream,
  caller: Caller,
  services: CommandServices,
): { value: Value; end: number } {
  const name = word.toUpperCase();
  if (name === 'NULL') return { value: nullValue, end: wordEnd };
  const answer = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (answer === undefined) {
    throw new OdpError('BAD_INTERNAL_COMMAND', { detail: `root@proxysys has no table, column or function '${word}'` });
  }
  let end = wordEnd;
  // CURRENT_USER alone is a call, too.
  if (name !== 'CURRENT_USER' || tokens.current?.text === '(') {
    tokens.expectSymbol('(');
    end = tokens.current?.end ?? end;
    tokens.expectSymbol(')');
  }
  return { value: answer(caller, services), end };
}

function variableValue(name: string, services: CommandServices): Value {
  if (!name.startsWith('@@')) return nullValue;
  const bare = name.slice(2).toLowerCase();
  const value = proxysysVariables(services).get(bare);
  if (value === undefined) throw new OdpError('UNKNOWN_SYSTEM_VARIABLE', { name: bare });
  return { text: value, isInteger: /^\d{1,18}$/.test(value) };
}

function readAlias(tokens: TokenStream): string | null {
  if (tokens.acceptWord('AS')) return tokens.expectName('a column name');
  const token = tokens.current;
  if (token?.kind === 'quoted') return tokens.expectName('a column name');
  if (token?.kind !== 'word' || tokens.isWord('FROM') || tokens.isWord('LIMIT')) return null;
  return tokens.expectName('a column name');
}
