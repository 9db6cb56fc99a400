/** The grammar of the internal commands (reference: odp-show-commands §1 and §3 to §6). */
import { OdpError } from '../errors/odp-error.ts';
import { type CommandHead, commandHeads, type InternalCommand } from './internal-command.ts';
import { TokenStream } from './token-stream.ts';

type Grammar = (tokens: TokenStream) => InternalCommand;

/** Rows of SHOW PROXYCONGESTION HISTORY, newest first: without LIMIT, and at most. */
const DEFAULT_HISTORY_ROWS = 1_000;
const MAX_HISTORY_ROWS = 10_000;

const knownHeads = new Set<string>(commandHeads);

const grammars: Partial<Record<CommandHead, Grammar>> = {
  'SHOW PROXYCONFIG': (tokens) => {
    if (tokens.acceptWord('ALL')) return { type: 'show-proxyconfig', scope: 'all', like: tokens.acceptLike() };
    if (!tokens.acceptWord('DIFF')) return { type: 'show-proxyconfig', scope: 'plain', like: tokens.acceptLike() };
    const scope = tokens.acceptWord('USER') ? 'diff-user' : 'diff';
    return { type: 'show-proxyconfig', scope, like: tokens.acceptLike() };
  },
  'ALTER PROXYCONFIG': (tokens) => {
    tokens.expectWord('SET');
    const name = tokens.expectName('a parameter name');
    tokens.expectSymbol('=');
    return { type: 'alter-proxyconfig', name, value: parameterValue(tokens) };
  },
  'PING PROXY': () => ({ type: 'ping-proxy' }),
  'SELECT PROXY_VERSION': (tokens) => {
    tokens.expectSymbol('(');
    tokens.expectSymbol(')');
    const isNamed = tokens.acceptWord('AS') || isName(tokens);
    return { type: 'select-proxy-version', column: isNamed ? tokens.expectName('a column name') : 'proxy_version()' };
  },
  'SHOW PROCESSLIST': () => ({ type: 'show-processlist' }),
  'SHOW PROXYSESSION': (tokens) => {
    if (tokens.acceptWord('ATTRIBUTE')) {
      return { type: 'show-proxysession-attribute', id: tokens.acceptId(), like: tokens.acceptLike() };
    }
    if (tokens.acceptWord('VARIABLES')) {
      const all = tokens.acceptWord('ALL');
      if (!all) tokens.acceptWord('LOCAL');
      return { type: 'show-proxysession-variables', all, id: tokens.acceptId(), like: tokens.acceptLike() };
    }
    if (tokens.acceptWord('STAT')) {
      return { type: 'show-proxysession-stat', id: tokens.acceptId(), like: tokens.acceptLike() };
    }
    if (acceptReadStale(tokens)) {
      return { type: 'show-proxysession-read-stale', id: tokens.acceptId(), like: tokens.acceptLike() };
    }
    return { type: 'show-proxysession' };
  },
  'SHOW PROXYCLUSTER': (tokens) => {
    if (tokens.acceptWord('IDC')) return { type: 'show-proxycluster-idc', like: tokens.acceptLike() };
    return { type: 'show-proxycluster', like: tokens.acceptLike() };
  },
  'SHOW PROXYRESOURCE': (tokens) => ({ type: 'show-proxyresource', like: tokens.acceptLike() }),
  'ALTER PROXYRESOURCE': (tokens) => {
    tokens.expectWord('DELETE');
    return { type: 'delete-proxyresource', cluster: tokens.expectName('the name of a cluster') };
  },
  'SHOW PROXYINFO': (tokens) => {
    if (tokens.acceptWord('BINARY')) return { type: 'show-proxyinfo-binary' };
    if (tokens.acceptWord('IDC')) return { type: 'show-proxyinfo-idc' };
    if (tokens.acceptWord('CONFIGSERVER')) return { type: 'show-proxyinfo-configserver' };
    if (tokens.acceptWord('UPGRADE')) return { type: 'show-proxyinfo-upgrade' };
    throw tokens.unexpected('BINARY, UPGRADE, IDC or CONFIGSERVER');
  },
  'SHOW PROXYCONGESTION': (tokens) => {
    if (tokens.acceptWord('HISTORY')) {
      const cluster = optionalName(tokens, 'LIMIT');
      return { type: 'show-proxycongestion-history', cluster, limit: historyLimit(tokens) };
    }
    const all = tokens.acceptWord('ALL');
    return { type: 'show-proxycongestion', all, cluster: optionalName(tokens) };
  },
  'SHOW PROXYROUTE': (tokens) => {
    if (tokens.acceptWord('PARTITION')) return { type: 'show-proxyroute-partition' };
    if (tokens.acceptWord('GLOBALINDEX')) return { type: 'show-proxyroute-globalindex' };
    if (tokens.acceptWord('ROUTINE')) return { type: 'show-proxyroute-routine', like: tokens.acceptLike() };
    return { type: 'show-proxyroute', like: tokens.acceptLike() };
  },
  'EXPLAIN ROUTE': (tokens) => {
    if (tokens.current === null) throw tokens.unexpected('a statement');
    return { type: 'explain-route', sql: tokens.takeRest() };
  },
  KILL: (tokens) => {
    if (tokens.acceptWord('QUERY')) return { type: 'kill-query', id: tokens.expectConnectionId() };
    tokens.acceptWord('CONNECTION');
    return { type: 'kill-connection', id: tokens.expectConnectionId() };
  },
  'KILL PROXYSESSION': (tokens) => {
    const id = tokens.expectId('a connection id');
    return { type: 'kill-proxysession', id, serverSessionId: tokens.acceptId() };
  },
};

/**
 * Reads an internal command. Null: the statement is none. A statement with such a head but a wrong rest comes back as
 * `invalid` with the error to answer (5010, 1210 or 1235). Comments and trailing semicolons don't matter.
 */
export function parseInternalCommand(statement: string): InternalCommand | null {
  const tokens = new TokenStream(statement);
  const head = readHead(tokens);
  if (head === null) return null;
  try {
    const grammar = grammars[head];
    if (grammar === undefined) throw notSupported(head);
    const command = grammar(tokens);
    tokens.expectEnd();
    return command;
  } catch (error) {
    if (error instanceof OdpError) return { type: 'invalid', head, error };
    throw error;
  }
}

function readHead(tokens: TokenStream): CommandHead | null {
  if (tokens.current?.kind !== 'word') return null;
  const verb = tokens.current.text.toUpperCase();
  if (!/^(SHOW|ALTER|PING|SELECT|KILL|EXPLAIN)$/.test(verb)) return null;
  tokens.take();
  // The same list: what is cut without FULL is not in it.
  if (verb === 'SHOW' && tokens.acceptWord('FULL') && !tokens.isWord('PROCESSLIST')) return null;
  const second = tokens.current?.kind === 'word' ? tokens.current.text.toUpperCase() : '';
  const head = `${verb} ${second}`;
  if (isHead(head)) {
    tokens.take();
    // A column may be called proxy_version.
    const isColumn = head === 'SELECT PROXY_VERSION' && tokens.current?.text !== '(';
    return isColumn ? null : head;
  }
  return isHead(verb) ? verb : null;
}

function isHead(text: string): text is CommandHead {
  return knownHeads.has(text);
}

/** One word with a low line, or two. */
function acceptReadStale(tokens: TokenStream): boolean {
  if (tokens.acceptWord('READ_STALE')) return true;
  if (!tokens.acceptWord('READ')) return false;
  tokens.expectWord('STALE');
  return true;
}

function isName(tokens: TokenStream): boolean {
  return tokens.current?.kind === 'word' || tokens.current?.kind === 'quoted';
}

/** A name if one comes next; the bare word `except` is none. */
function optionalName(tokens: TokenStream, except = ''): string | null {
  return isName(tokens) && !tokens.isWord(except) ? tokens.expectName('a name') : null;
}

/** `LIMIT n`, or what is shown without it. */
function historyLimit(tokens: TokenStream): number {
  if (!tokens.acceptWord('LIMIT')) return DEFAULT_HISTORY_ROWS;
  const limit = tokens.expectId('a number of rows');
  if (limit <= MAX_HISTORY_ROWS) return limit;
  throw new OdpError('INVALID_ARGUMENT', { detail: `LIMIT ${limit} is more than ${MAX_HISTORY_ROWS}` });
}

/** Nothing, a name, anything in quotes, or an integer, which is written anew in decimal (`010` is 10). */
function parameterValue(tokens: TokenStream): string {
  const token = tokens.current;
  if (token === null || (token.kind === 'symbol' && token.text === ';')) return '';
  if (token.kind === 'word' || token.kind === 'quoted') return tokens.expectName('a value');
  const sign = tokens.acceptSymbol('-') ? '-' : '';
  if (sign === '') tokens.acceptSymbol('+');
  const number = tokens.current;
  if (number?.kind !== 'integer') throw tokens.unexpected('a name, an integer or a value in quotes');
  tokens.take();
  return String(BigInt(sign + number.text));
}

function notSupported(what: string): OdpError {
  return new OdpError('NOT_SUPPORTED', { detail: `${what} is not in this version` });
}
