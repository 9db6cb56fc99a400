import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { likeMatch } from '../sql/like-match.ts';
import type { InternalCommand } from './internal-command.ts';
import { parseInternalCommand } from './parse.ts';
import { commandVerdict } from './rights.ts';

describe('parseInternalCommand', () => {
  it.each<[string, InternalCommand]>([
    ['SHOW PROXYCONFIG', { type: 'show-proxyconfig', scope: 'plain', like: null }],
    ['show \t\n proxyconfig;', { type: 'show-proxyconfig', scope: 'plain', like: null }],
    ['/* a */ show /*b*/ proxyconfig -- c', { type: 'show-proxyconfig', scope: 'plain', like: null }],
    ["show proxyconfig like '%con\\_gest%'", { type: 'show-proxyconfig', scope: 'plain', like: '%con\\_gest%' }],
    ['show proxyconfig like "a"', { type: 'show-proxyconfig', scope: 'plain', like: 'a' }],
    ['show proxyconfig like `a`', { type: 'show-proxyconfig', scope: 'plain', like: 'a' }],
    [
      'show proxyconfig like enable_congestion',
      { type: 'show-proxyconfig', scope: 'plain', like: 'enable_congestion' },
    ],
    ["show proxyconfig like ''", { type: 'show-proxyconfig', scope: 'plain', like: '' }],
    ["show proxycluster like 'o''neil'", { type: 'show-proxycluster', like: "o'neil" }],
    [`show proxyconfig like '${'x'.repeat(128)}'`, { type: 'show-proxyconfig', scope: 'plain', like: 'x'.repeat(128) }],
    ['show proxyconfig all', { type: 'show-proxyconfig', scope: 'all', like: null }],
    ["show proxyconfig diff like 'x'", { type: 'show-proxyconfig', scope: 'diff', like: 'x' }],
    ['show proxyconfig diff user', { type: 'show-proxyconfig', scope: 'diff-user', like: null }],
    ['alter proxyconfig set a=true', { type: 'alter-proxyconfig', name: 'a', value: 'true' }],
    [
      'ALTER PROXYCONFIG SET Enable_Congestion = FALSE ;',
      { type: 'alter-proxyconfig', name: 'Enable_Congestion', value: 'FALSE' },
    ],
    ['alter proxyconfig set a =', { type: 'alter-proxyconfig', name: 'a', value: '' }],
    ['alter proxyconfig set a = ;', { type: 'alter-proxyconfig', name: 'a', value: '' }],
    ["alter proxyconfig set `a` = ''", { type: 'alter-proxyconfig', name: 'a', value: '' }],
    ['alter proxyconfig set a = 20s', { type: 'alter-proxyconfig', name: 'a', value: '20s' }],
    ['alter proxyconfig set a = "0.5s"', { type: 'alter-proxyconfig', name: 'a', value: '0.5s' }],
    ['alter proxyconfig set a = 010', { type: 'alter-proxyconfig', name: 'a', value: '10' }],
    ['alter proxyconfig set a = -1', { type: 'alter-proxyconfig', name: 'a', value: '-1' }],
    [
      "alter proxyconfig set a = '127.0.0.1:2881;b'",
      { type: 'alter-proxyconfig', name: 'a', value: '127.0.0.1:2881;b' },
    ],
    ["alter proxyconfig set a = 'it''s \\\\ x'", { type: 'alter-proxyconfig', name: 'a', value: "it's \\ x" }],
    [
      'alter proxyconfig set a = 99999999999999999999',
      { type: 'alter-proxyconfig', name: 'a', value: '99999999999999999999' },
    ],
    ['ping proxy', { type: 'ping-proxy' }],
    ['select proxy_version()', { type: 'select-proxy-version', column: 'proxy_version()' }],
    ['SELECT PROXY_VERSION ( ) AS v', { type: 'select-proxy-version', column: 'v' }],
    ['show processlist', { type: 'show-processlist' }],
    ['show proxysession', { type: 'show-proxysession' }],
    ['show proxysession attribute', { type: 'show-proxysession-attribute', id: null, like: null }],
    ["show proxysession attribute 5 like '%id'", { type: 'show-proxysession-attribute', id: 5, like: '%id' }],
    ['show proxysession variables all 7', { type: 'show-proxysession-variables', all: true, id: 7, like: null }],
    [
      "show proxysession variables like 'a%'",
      { type: 'show-proxysession-variables', all: false, id: null, like: 'a%' },
    ],
    ['show proxysession variables local', { type: 'show-proxysession-variables', all: false, id: null, like: null }],
    ['SHOW PROXYSESSION\tSTAT', { type: 'show-proxysession-stat', id: null, like: null }],
    ['show proxysession stat 7 like `total%`;', { type: 'show-proxysession-stat', id: 7, like: 'total%' }],
    ['show proxysession read_stale', { type: 'show-proxysession-read-stale', id: null, like: null }],
    [
      '/* a */ Show ProxySession\n Read\tStale 7 LIKE "10.%" ; -- b',
      { type: 'show-proxysession-read-stale', id: 7, like: '10.%' },
    ],
    ['show proxyinfo idc', { type: 'show-proxyinfo-idc' }],
    ['show proxyinfo upgrade', { type: 'show-proxyinfo-upgrade' }],
    ['show proxyinfo binary', { type: 'show-proxyinfo-binary' }],
    ['show proxycongestion', { type: 'show-proxycongestion', all: false, cluster: null }],
    ['SHOW PROXYCONGESTION ALL;', { type: 'show-proxycongestion', all: true, cluster: null }],
    ['kill 5', { type: 'kill-connection', id: 5 }],
    ['/* a */ kill -- b\n connection # c\n 0x1F ;;', { type: 'kill-connection', id: 31 }],
    ["kill '5' ;", { type: 'kill-connection', id: 5 }],
    ['KILL QUERY "5"', { type: 'kill-query', id: 5 }],
    ['kill(5)', { type: 'kill-connection', id: 5 }],
    ['kill query ( ( connection_id() ) )', { type: 'kill-query', id: null }],
    ['Kill Connection_Id()', { type: 'kill-connection', id: null }],
    ['kill query connection_id ( )', { type: 'kill-query', id: null }],
    ['show full  processlist', { type: 'show-processlist' }],
    ['KILL CONNECTION 5', { type: 'kill-connection', id: 5 }],
    ['kill query 2097153;', { type: 'kill-query', id: 2097153 }],
    ['kill proxysession 5', { type: 'kill-proxysession', id: 5, serverSessionId: null }],
    ['kill proxysession 5 9', { type: 'kill-proxysession', id: 5, serverSessionId: 9 }],
  ])('%s', (statement, command) => expect(parseInternalCommand(statement)).toEqual(command));

  it.each([
    'select 1',
    'show tables',
    'show bogus',
    'alter table t add a int',
    'select proxy_version',
    'select * from proxyconfig',
    'proxyconfig',
    '',
    "'show proxyconfig'",
    '`show` proxyconfig',
    'explain select 1',
  ])('%j is none', (statement) => expect(parseInternalCommand(statement)).toBeNull());

  it.each([
    ['show proxyconfig bogus', 5010, "the end of the command expected, 'bogus' found"],
    ['show proxyconfig like', 5010, 'a pattern expected, the end found'],
    [`show proxyconfig like '${'x'.repeat(129)}'`, 1210, '129 bytes'],
    ['show proxyconfig; show proxyconfig', 5010, "'show' found"],
    ['alter proxyconfig set a=1, b=2', 5010, "',' found"],
    ['alter proxyconfig a=1', 5010, 'SET expected'],
    ['alter proxyconfig set a 1', 5010, "'=' expected"],
    ['alter proxyconfig set a = 0.5', 5010, "value in quotes expected, '0.5' found"],
    ['alter proxyconfig set a = 127.0.0.1', 5010, 'in quotes'],
    ['show proxyinfo', 5010, 'BINARY, UPGRADE, IDC or CONFIGSERVER expected'],
    ['kill', 5010, 'a connection id expected'],
    ['kill @a', 5010, 'a connection id expected'],
    ['kill 5 + 1', 5010, 'the end of the command expected'],
    ["kill 'a'", 5010, "''a'' found"],
    ['kill (5', 5010, "')' expected"],
    ['kill proxysession (5)', 5010, "'(' found"],
    ['kill -5', 5010, 'a connection id expected'],
    ['kill abc', 5010, "'abc' found"],
    ['show proxyvip', 1235, 'SHOW PROXYVIP is not in this version'],
    ['show proxysession stats', 5010, "'stats' found"],
    ['show proxysession 5', 5010, "'5' found"],
    ['show proxysession readstale', 5010, "'readstale' found"],
    ['show proxysession read', 5010, 'STALE expected'],
    ['show proxysession attribute -5', 5010, "'-' found"],
    ['show proxysession variables all local', 5010, "'local' found"],
  ])('%s is wrong: %i %s', (statement, errno, text) => {
    const command = parseInternalCommand(statement);
    expect(command?.type).toBe('invalid');
    if (command?.type !== 'invalid') return;
    expect(command.error.spec.errno).toBe(errno);
    expect(command.error.message).toContain(text);
  });

  it('never throws', () => {
    const words = fc.constantFrom(
      'show',
      'alter',
      'kill',
      'proxyconfig',
      'proxysession',
      'set',
      'like',
      '=',
      "'",
      '"',
      '5',
      '-',
      ';',
      '\\',
      'all',
    );
    const statement = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 8 }).map((parts) => parts.join(' ')),
    );
    fc.assert(fc.property(statement, (text) => void parseInternalCommand(text)));
  });
});

describe('rights', () => {
  const command = (statement: string) => {
    const parsed = parseInternalCommand(statement);
    if (parsed === null) throw new Error(`${statement} is no internal command`);
    return parsed;
  };
  it.each([
    ['show proxyconfig', 'run', 'refuse', 'run', 'forward'],
    ['alter proxyconfig set a=1', 'run', 'refuse', 'run', 'forward'],
    ['ping proxy', 'run', 'run', 'run', 'run'],
    ['show proxysession attribute', 'run', 'refuse', 'run', 'run'],
    ['show proxysession stat', 'run', 'refuse', 'run', 'run'],
    ['show proxysession read stale', 'run', 'refuse', 'run', 'run'],
    ['show processlist', 'run', 'refuse', 'run', 'run'],
    ['kill 5', 'run', 'refuse', 'run', 'run'],
    ['kill proxysession 5', 'run', 'refuse', 'run', 'refuse'],
    ['kill proxysession', 'run', 'refuse', 'run', 'refuse'],
    ['kill @a', 'run', 'refuse', 'run', 'run'],
    ['show proxyconfig bogus', 'run', 'refuse', 'run', 'forward'],
    ['select proxy_version()', 'run', 'refuse', 'run', 'run'],
  ])('%s: proxysys %s, inspector %s, root@sys %s, others %s', (statement, ...verdicts) => {
    const identities = ['proxysys', 'inspector', 'rootsys', 'ordinary'] as const;
    const verdict = (identity: (typeof identities)[number]) =>
      commandVerdict({ identity, sharesIds: false }, command(statement));
    expect(identities.map(verdict)).toEqual(verdicts);
  });

  it('C19 the list of sessions is the servers’ where ids mean the same to them', () => {
    const identities = ['proxysys', 'inspector', 'rootsys', 'ordinary'] as const;
    const verdicts = (statement: string) =>
      identities.map((identity) => commandVerdict({ identity, sharesIds: identity === 'rootsys' }, command(statement)));
    expect(verdicts('show full processlist')).toEqual(['run', 'refuse', 'forward', 'run']);
  });
});

describe('likeMatch', () => {
  it.each<[string | null, string, boolean]>([
    [null, 'anything', true],
    ['', '', true],
    ['', 'a', false],
    ['%', '', true],
    ['%', 'abc', true],
    ['abc', 'ABC', true],
    ['a_c', 'abc', true],
    ['a_c', 'ac', false],
    ['%con\\_gest%', 'x_con_gestion', true],
    ['%con\\_gest%', 'enable_conXgestion', false],
    ['\\%', '%', true],
    ['\\%', 'x', false],
    ['a\\\\b', 'a\\b', true],
    ['%b%', 'abc', true],
    ['%bc', 'abcbc', true],
    ['a%b%c', 'axxbyybzzc', true],
    ['a%b%c', 'axxbyybzz', false],
    ['_', '表', true],
    ['_', '🙂', true],
  ])('case B98 %j on %j: %s', (pattern, text, matches) => expect(likeMatch(pattern, text)).toBe(matches));

  it('is quick on a pattern made to be slow', () => {
    expect(likeMatch('%a'.repeat(60), 'a'.repeat(59))).toBe(false);
    expect(likeMatch(`${'%a'.repeat(60)}b`, 'a'.repeat(4096))).toBe(false);
  });
});
