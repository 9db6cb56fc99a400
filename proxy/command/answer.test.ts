import { describe, expect, it } from 'vitest';
import { parameterTable } from '../config/parameter-table.ts';
import { OdpError } from '../errors/odp-error.ts';
import { answerStatement } from './answer.ts';
import type { ConfigRow } from './config-table/config-row.ts';
import type { Caller, CommandServices, ParameterTexts } from './services.ts';
import {
  answer,
  caller,
  configured,
  errnoOf,
  ordinary,
  rootsys,
  rowsOf,
  services,
  session,
  topology,
  versions,
} from './testing/answering.ts';

describe('SHOW PROXYCONFIG', () => {
  const changed: ParameterTexts[] = [
    { name: 'enable_congestion', text: 'false', storedText: 'false' },
    { name: 'listen_port', text: '2883', storedText: '3000' },
    { name: 'obproxy_sys_password', text: 'a'.repeat(40), storedText: 'a'.repeat(40) },
  ];
  const configured = services({ parameters: () => Promise.resolve(changed) });

  it('lists every parameter by name with the reference’s columns', async () => {
    const { columns, rows } = await rowsOf('show proxyconfig');
    expect(columns).toEqual(['name', 'value', 'info', 'need_reboot', 'visible_level', 'range', 'config_level']);
    expect(rows.map(([name]) => name)).toEqual(parameterTable.map(({ name }) => name as string).sort());
  });

  it('prints values as typed', async () => {
    const { rows } = await rowsOf("show proxyconfig like 'enable\\_congestion'", caller, configured);
    expect(rows.map((row) => row.slice(0, 2))).toEqual([['enable_congestion', 'false']]);
  });

  it('case B95 marks what waits for a restart', async () => {
    const { rows } = await rowsOf("show proxyconfig like 'listen_port'", caller, configured);
    expect(rows[0]?.[1]).toBe('3000');
    expect(rows[0]?.[2]).toContain("in force: '2883'");
  });

  it('case B99 case B115 shows stars for a secret', async () => {
    const { rows } = await rowsOf("show proxyconfig like '%password%'", caller, configured);
    expect(rows.find(([name]) => name === 'obproxy_sys_password')?.[1]).toBe('******');
    expect(JSON.stringify(rows)).not.toContain('aaaa');
  });

  const rowOfTable = (name: string, value: string, level: string): ConfigRow => ({
    ...{ vid: '-1', vip: '', vport: '0', tenant_name: '', cluster_name: '', name, value },
    ...{ info: '', range: '', need_reboot: '', visible_level: '', config_level: level },
  });
  const rows = [rowOfTable('listen_port', '3000', 'LEVEL_GLOBAL'), rowOfTable('proxy_idc_name', 'a', 'LEVEL_CLUSTER')];
  const withLevels = services({ configRows: () => Promise.resolve(rows), tableRows: () => Promise.resolve(rows) });

  it('case B96 root@proxysys alone reads and changes the table proxy_config, and is told how many rows', async () => {
    const { rows } = await rowsOf("select name, value from proxy_config where value = 'a'", caller, withLevels);
    expect(rows).toEqual([['proxy_idc_name', 'a']]);
    const removed = await answer("delete from proxy_config where tenant_name = 't1'", caller, withLevels);
    expect(removed).toEqual({ kind: 'ok', affectedRows: 2 });
    expect(answerStatement('select * from proxy_config', { ...caller, identity: 'rootsys' }, withLevels)).toBeNull();
    expect(answerStatement('delete from proxy_config', { ...caller, identity: 'ordinary' }, withLevels)).toBeNull();
    expect(await answer('select colour from proxy_config', caller, withLevels)).toMatchObject({
      kind: 'error',
      error: { code: 'UNKNOWN_COLUMN' },
    });
  });

  it('knows ALL, DIFF and DIFF USER', async () => {
    const all = await rowsOf("show proxyconfig all like 'listen_%'", caller, withLevels);
    expect(all).toEqual({
      columns: ['vid', 'vip', 'vport', 'tenant_name', 'cluster_name', 'name', 'value', 'config_level'],
      rows: [['-1', '', '0', '', '', 'listen_port', '3000', 'LEVEL_GLOBAL']],
    });
    const diff = await rowsOf('show proxyconfig diff', caller, configured);
    expect(diff.rows.map(([name]) => name)).toEqual(['enable_congestion', 'listen_port', 'obproxy_sys_password']);
    const user = await rowsOf('show proxyconfig diff user', caller, configured);
    expect(user.rows.every((row) => row[4] === 'USER')).toBe(true);
    expect(user.rows.map(([name]) => name)).toContain('enable_congestion');
  });

  it('case B98 an empty pattern fits nothing, and an answer over the limit is an error', async () => {
    expect((await rowsOf("show proxyconfig like ''")).rows).toEqual([]);
    expect(errnoOf(await answer('show proxyconfig', caller, services({ answerLimitBytes: 1000 })))).toBe(4080);
    expect(
      (await rowsOf("show proxyconfig like 'listen_port'", caller, services({ answerLimitBytes: 1000 }))).rows,
    ).toHaveLength(1);
    expect((await rowsOf('show processlist', caller, services({ answerLimitBytes: 10 }))).rows).toHaveLength(5);
    expect((await rowsOf('show proxyconfig', caller, services({ answerLimitBytes: 0 }))).rows.length).toBeGreaterThan(
      50,
    );
  });
});

describe('ALTER PROXYCONFIG', () => {
  it('hands the assignment over and answers OK', async () => {
    const store = services();
    expect(await answer('ALTER PROXYCONFIG SET enable_congestion = False;', caller, store)).toEqual({ kind: 'ok' });
    expect(store.calls).toEqual(['enable_congestion=False']);
  });

  it('case B95 case B96 answers what the store says', async () => {
    const refusing = services({
      alterParameter: (name) => Promise.reject(new OdpError('UNKNOWN_PARAMETER', { name })),
    });
    const reply = await answer('alter proxyconfig set enable_congestoin=true', caller, refusing);
    expect(errnoOf(reply)).toBe(5099);
    expect(reply.kind === 'error' && reply.error.message).toContain("'enable_congestoin'");
    const broken = services({ alterParameter: () => Promise.reject(new Error('disk on fire')) });
    expect(errnoOf(await answer('alter proxyconfig set a=1', caller, broken))).toBe(10001);
  });
});

describe('session lists', () => {
  it('show every session to root@proxysys, with the reference’s columns', async () => {
    expect(await rowsOf('show processlist')).toEqual({
      columns: ['Id', 'Tenant', 'User', 'Host', 'db', 'trans_count', 'svr_session_count', 'state', 'tid', 'pid'],
      rows: [
        ['1', 'proxysys', 'root', '[::1]:4001', 'NULL', '7', '1', 'MCS_ACTIVE_READER', '1', '99'],
        ['2', 'trade', 'app', '10.0.0.1:4002', 'db1', '7', '1', 'MCS_ACTIVE_READER', '1', '99'],
        ['3', 'trade', 'other', '10.0.0.1:4003', 'db1', '7', '1', 'MCS_ACTIVE_READER', '1', '99'],
        ['4', 'shop', 'app', '10.0.0.1:4004', 'db1', '7', '1', 'MCS_ACTIVE_READER', '1', '99'],
        ['6', 'trade', 'app', '10.0.0.1:4006', 'db1', '7', '1', 'MCS_ACTIVE_READER', '1', '99'],
      ],
    });
    const { columns, rows } = await rowsOf('show proxysession');
    expect(columns.slice(0, 3)).toEqual(['proxy_sessid', 'Id', 'Cluster']);
    expect(columns.at(-1)).toBe('using_ssl');
    expect(rows[0]?.slice(0, 3)).toEqual(['0', '1', 'obdemo']);
  });

  it.each([
    ['an ordinary user', ordinary, ['2']],
    ['one with the PROCESS privilege', { ...ordinary, hasProcess: true }, ['2', '3']],
    ['root@sys', rootsys, ['1', '2', '3', '4']],
  ])('show %s only what it may see', async (_, who, ids) => {
    expect((await rowsOf('show processlist', who)).rows.map(([id]) => id)).toEqual(ids);
  });

  it('case B78 SHOW PROXYSESSION READ_STALE lists the replicas that were too old', async () => {
    const { columns, rows } = await rowsOf("SHOW PROXYSESSION READ_STALE LIKE '10.0.0.1%'", ordinary);
    expect(columns).toEqual(['server_addr', 'table_id', 'partition_id', 'feedback_time']);
    expect(rows).toEqual([
      ['10.0.0.1:2881', '500001', '200001', expect.stringMatching(/^2025-11-2\d \d\d:\d\d:\d\d$/)],
    ]);
  });

  it('describe one session', async () => {
    const detailed = session(2, {
      serverSessions: [
        {
          host: '127.0.0.11',
          port: 2881,
          id: 10,
          serverSessionId: 3221510769,
          state: 'MSS_ACTIVE',
          requestCount: 3,
          isBusy: true,
          features: { checksum: false, checksumSwitch: false, safeWeakRead: true, extraOk: true },
          versions,
          use: 'current',
          holdsLastInsertId: true,
        },
        {
          host: '127.0.0.12',
          port: 2881,
          id: 11,
          serverSessionId: 5,
          state: 'MSS_KA_CLIENT_SLAVE',
          requestCount: 0,
          isBusy: false,
          features: { checksum: false, checksumSwitch: false, safeWeakRead: false, extraOk: false },
          versions,
          use: 'pool',
          holdsLastInsertId: false,
        },
        {
          host: '127.0.0.13',
          port: 2881,
          id: 12,
          serverSessionId: 6,
          state: 'MSS_KA_SHARED',
          requestCount: 1,
          isBusy: false,
          features: { checksum: false, checksumSwitch: false, safeWeakRead: false, extraOk: false },
          versions,
          use: 'last',
          holdsLastInsertId: false,
        },
      ],
      variables: [
        { name: 'autocommit', value: '0', kind: 'changed-system', group: 'hot' },
        { name: 'wait_timeout', value: '28800', kind: 'system', group: 'cold' },
        { name: 'a', value: 'x'.repeat(129), kind: 'user', group: 'cold' },
      ],
    });
    const with_ = services({ session: () => Promise.resolve(detailed) });
    const { columns, rows } = await rowsOf('show proxysession attribute', ordinary, with_);
    expect(columns).toEqual(['attribute_name', 'value', 'info']);
    expect(rows[1]).toEqual(['cs_id', '2', 'cs common']);
    expect(rows.filter(([name]) => name === 'server_ip')).toEqual([
      ['server_ip', '127.0.0.13', 'last used ss'],
      ['server_ip', '127.0.0.11', 'curr used && lii ss'],
      ['server_ip', '127.0.0.12', 'ss pool [0]'],
    ]);
    expect(rows.filter(([, , info]) => info === 'cs stat')).toEqual([
      ['modified_time', '1764000000000250000', 'cs stat'],
      ['reported_time', '0', 'cs stat'],
    ]);
    expect(rows.filter(([, , info]) => info === 'curr used && lii ss').map(([name, value]) => [name, value])).toEqual([
      ['server_ip', '127.0.0.11'],
      ['server_port', '2881'],
      ['server_sessid', '3221510769'],
      ['ss_id', '10'],
      ['state', 'MSS_ACTIVE'],
      ['transact_count', '3'],
      ['server_trans_stat', '1'],
      ['hot_sys_var_version', '1'],
      ['sys_var_version', '2'],
      ['user_var_version', '3'],
      ['last_insert_id_version', '4'],
      ['db_name_version', '5'],
      ['is_checksum_supported', '0'],
      ['is_safe_read_weak_supported', '1'],
      ['is_checksum_switch_supported', '0'],
      ['checksum_switch', '-1'],
      ['enable_extra_ok_packet_for_stats', '1'],
    ]);
    expect((await rowsOf("show proxysession attribute 2 like 'idc%'", ordinary, with_)).rows).toEqual([
      ['idc_name', 'idc1', 'cs common'],
    ]);
    expect((await rowsOf('show proxysession variables', ordinary, with_)).rows).toEqual([
      ['autocommit', '0', 'changed sys var', 'hot modified vars', ' && global_scope && session_scope'],
      ['a', '---value length is large then 128bytes---', 'user var', 'cold modified vars', ''],
    ]);
    expect((await rowsOf('show proxysession variables local 2', ordinary, with_)).rows).toHaveLength(2);
    const all = await rowsOf('show proxysession variables all', ordinary, with_);
    expect(all.rows.map(([name, , info, , flag]) => [name, info, flag])).toEqual([
      ['autocommit', 'changed sys var', ' && global_scope && session_scope'],
      ['wait_timeout', 'sys var', ' && global_scope && session_scope'],
      ['a', 'user var', ''],
    ]);
    const flagsOf = async (variableFlags: CommandServices['variableFlags']) => {
      const { rows } = await rowsOf('show proxysession variables', ordinary, { ...with_, variableFlags });
      return rows.map((row) => row[4]);
    };
    expect(await flagsOf(async () => new Map([['autocommit', 0xff]]))).toEqual([
      ' && invisible && global_scope && session_scope && readonly && nullable',
      '',
    ]);
    expect(await flagsOf(async () => null)).toEqual(['', '']);
    expect(await flagsOf(() => Promise.reject(new OdpError('LOCATION_UNAVAILABLE', { detail: 'a' })))).toEqual([
      '',
      '',
    ]);
  });

  it('tell what a session has done, by the reference’s names', async () => {
    const { columns, rows } = await rowsOf("SHOW PROXYSESSION STAT 2 LIKE 'total%'", ordinary);
    expect(columns).toEqual(['stat_name', 'value']);
    expect(rows).toEqual([
      ['total_transaction_count', '7'],
      ['total_query_count', '9'],
    ]);
    const own = await rowsOf('show proxysession stat', ordinary);
    expect(own.rows.length).toBeGreaterThan(rows.length);
    expect(errnoOf(await answer('show proxysession stat 4', ordinary))).toBe(1094);
  });

  it('hide a session that the caller may not see', async () => {
    expect(errnoOf(await answer('show proxysession attribute 4', ordinary))).toBe(1094);
    expect(errnoOf(await answer('show proxysession variables 4', ordinary))).toBe(1094);
    expect(errnoOf(await answer('show proxysession read_stale 4', ordinary))).toBe(1094);
    expect(errnoOf(await answer('show proxysession attribute 77'))).toBe(1094);
  });
});

describe('KILL', () => {
  it.each([
    ['root@proxysys kills anything', 'kill 6', caller, 'ok', ['kill 6']],
    ['an id that cannot be read, of anybody', 'kill @a', ordinary, 5010, []],
    ['an unknown id', 'kill 77', caller, 1094, []],
    ['root@sys kills in its cluster', 'kill connection 4', rootsys, 'ok', ['kill 4']],
    ['root@sys and another cluster', 'kill 6', rootsys, 1095, []],
    ['a user kills its own other session', 'kill 2', { ...ordinary, sessionId: 9 }, 'ok', ['kill 2']],
    ['another user of the tenant', 'kill 3', ordinary, 1095, []],
    ['another user of the tenant, with SUPER', 'kill 3', { ...ordinary, hasSuper: true }, 'ok', ['kill 3']],
    ['another tenant', 'kill 4', { ...ordinary, hasSuper: true }, 1094, []],
    ['a query', 'kill query 2', { ...ordinary, sessionId: 9 }, 'ok', ['kill query 2']],
    ['a query of another user', 'kill query 3', ordinary, 1095, []],
    ['a whole session, privileged form', 'kill proxysession 2', rootsys, 'ok', ['kill 2']],
    ['one server session', 'kill proxysession 2 9', caller, 'ok', ['kill 2 9']],
    ['an unknown server session', 'kill proxysession 2 8', caller, 1094, []],
    ['the privileged form by others', 'kill proxysession 2', ordinary, 5010, []],
  ] as const)('C19 %s', async (_, statement, who, outcome, calls) => {
    const with_ = services();
    expect(errnoOf(await answer(statement, who, with_))).toBe(outcome);
    expect(with_.calls).toEqual(calls);
  });

  it('C19 of the own session answers 1317 and closes', async () => {
    expect(await answer('kill 2', ordinary)).toMatchObject({ kind: 'close', error: { code: 'QUERY_INTERRUPTED' } });
  });

  it.each([
    ['kill 3221487724', 'ok', ['kill 2']],
    ['kill query 0xC004006C', 'ok', ['kill query 2']],
    ['kill proxysession 3221487724 9', 'ok', ['kill 2 9']],
    ['kill 3221487725', 1094, []],
  ])('C19 %s, a server’s own id, means the session that has it', async (statement, outcome, calls) => {
    const with_ = services();
    expect(errnoOf(await answer(statement, caller, with_))).toBe(outcome);
    expect(with_.calls).toEqual(calls);
  });

  it('C19 a server’s id of another cluster, and SHOW PROXYSESSION by such an id', async () => {
    expect(errnoOf(await answer('kill 3221487724', { ...rootsys, cluster: 'elsewhere' }))).toBe(1094);
    const { rows } = await rowsOf("show proxysession attribute 3221487724 like 'cs_id'", ordinary);
    expect(rows).toEqual([['cs_id', '2', 'cs common']]);
  });

  it('C19 ids of other proxies are the servers’ to end, where they know them', async () => {
    const sharing = { ...ordinary, sharesIds: true };
    expect(await answer('KILL 77', sharing)).toEqual({ kind: 'forward', statement: 'KILL 77' });
    expect(await answer('KILL QUERY 77', sharing)).toEqual({ kind: 'forward', statement: 'KILL QUERY 77' });
    expect(errnoOf(await answer('KILL 3', sharing))).toBe(1095);
    expect(errnoOf(await answer('KILL PROXYSESSION 77 9', { ...rootsys, sharesIds: true }))).toBe(1094);
    expect(answerStatement('SHOW PROCESSLIST', sharing, services())).toBeNull();
  });

  it('C19 of a session that has just gone', async () => {
    const with_ = services({ killSession: () => Promise.resolve(false) });
    expect(errnoOf(await answer('kill 6', caller, with_))).toBe(1094);
  });

  it('every KILL of another session is noted with its target and what came of it, refused ones too', async () => {
    const with_ = services();
    await answer('kill 6', caller, with_);
    await answer('kill query 3', ordinary, with_);
    await answer('kill proxysession 2', ordinary, with_);
    await answer('kill 77', caller, with_);
    expect(with_.notedKills.map(([what, scope, failure]) => [what, scope, failure?.split(':')[0]])).toEqual([
      [expect.stringMatching(/^connection of session 6: \S+ from \S+:\d+$/), 'tenant=trade cluster=elsewhere', ''],
      [expect.stringMatching(/^query of session 3: other from/), expect.stringMatching(/^tenant=/), 'NOT_THREAD_OWNER'],
      ['connection of session 2', '', 'BAD_INTERNAL_COMMAND'],
      ['connection of session 77', '', 'UNKNOWN_THREAD'],
    ]);
  });
});

describe('the other commands', () => {
  it('PING PROXY answers OK, or drops the connection when no session is taken any more', async () => {
    expect(await answer('ping proxy', ordinary)).toEqual({ kind: 'ok' });
    expect(await answer('ping proxy', { ...caller, identity: 'inspector' })).toEqual({ kind: 'ok' });
    expect(await answer('ping proxy', caller, services({ acceptsSessions: false }))).toEqual({
      kind: 'close',
      error: null,
    });
  });

  it('SELECT PROXY_VERSION()', async () => {
    expect(await rowsOf('select proxy_version()', ordinary)).toEqual({
      columns: ['proxy_version()'],
      rows: [['0.1.0']],
    });
    expect((await rowsOf('select proxy_version() as v')).columns).toEqual(['v']);
  });

  it('R9 SHOW PROXYINFO IDC', async () => {
    expect(await rowsOf('show proxyinfo idc')).toEqual({
      columns: [
        'global_idc_name',
        'cluster_name',
        'match_type',
        'regions_name',
        'same_idc',
        'same_region',
        'other_region',
      ],
      rows: [['idc1', 'obdemo', 'MATCHED_BY_IDC', '[[0]"SHANGHAI"]', '[[0]"zone1"]', '[]', '[[0]"zone4"]']],
    });
    const none = await rowsOf('show proxyinfo idc', caller, services({ idcName: '' }));
    expect(none.rows[0]?.slice(2)).toEqual(['MATCHED_BY_NONE', '[]', '[[0]"zone1", [1]"zone4"]', '[]', '[]']);
  });

  it('SHOW PROXYINFO BINARY and SHOW PROXYCLUSTER', async () => {
    const { columns, rows } = await rowsOf('show proxyinfo binary');
    expect(columns).toEqual(['name', 'info']);
    const facts = ['version:0.1.0', `MD5:${'ab'.repeat(16)}`, 'REVISION:c0ffee', 'BUILD_TIME:2026-01-02T03:04:05.000Z'];
    for (const fact of facts) expect(String(rows[0]?.[1]).split('\n')).toContain(fact);
    expect((await rowsOf("show proxycluster like 'ob%'")).rows.map((row) => row[3])).toEqual([
      '127.0.0.11:2881',
      '127.0.0.12:2881',
    ]);
    expect((await rowsOf("show proxycluster like 'x'")).rows).toEqual([]);
  });

  it('C17 SHOW PROXYINFO UPGRADE tells the phase, the generations and the run', async () => {
    const { columns, rows } = await rowsOf('show proxyinfo upgrade');
    expect(columns).toEqual(['name', 'info']);
    expect(rows[0]?.[0]).toBe('hot upgrade info');
    const facts = String(rows[0]?.[1]).split('\n');
    expect(facts).toEqual(
      expect.arrayContaining(['phase:move', 'parent_status:CREATE_NEW_PROXY_SUCC', 'retries_left:5']),
    );
    expect(facts).toContainEqual(
      expect.stringMatching(/^generation 2:active, version 1\.0\.0, pid 0, 1 workers, 0 sessions, \/two$/),
    );
    expect(facts?.at(-1)).toMatch(/^step .*:sessions go over from generation 1 \(odp\)$/);
  });

  it('R3 SHOW PROXYCLUSTER tells URL, role and id of a cluster of the ConfigServer, and IDC its IDCs', async () => {
    const { rows } = await rowsOf('show proxycluster');
    expect(rows[0]).toEqual(['obdemo', '7', 'http://cs/rs', '127.0.0.11:2881', 'LEADER', 'FULL']);
    expect(await rowsOf("show proxycluster idc like 'ob%'")).toEqual({
      columns: ['cluster_name', 'cluster_id', 'idc_url', 'idc', 'region'],
      rows: [['obdemo', '7', 'http://cs/idc', 'idc9', 'HANGZHOU']],
    });
  });

  it('R3 SHOW PROXYINFO CONFIGSERVER tells what is in force and what is wrong', async () => {
    expect((await rowsOf('show proxyinfo configserver')).rows).toEqual([]);
    const status = { url: 'http://cs/', version: 'v1', source: 'copy', answeredAtMs: null, error: 'refused' } as const;
    const broken = { configured: { ...configured, error: 'HTTP 500' }, topology, servedSinceMs: 1, lastUsedAtMs: 2 };
    const with_ = services({
      configServer: () => Promise.resolve(status),
      clusters: () => Promise.resolve([broken]),
    });
    expect((await rowsOf('show proxyinfo configserver', caller, with_)).rows).toEqual([
      ['url', 'http://cs/'],
      ['version', 'v1'],
      ['source', 'copy'],
      ['last good answer', ''],
      ['error', 'refused'],
      ['error of obdemo', 'HTTP 500'],
    ]);
  });

  it('R3 SHOW PROXYRESOURCE lists the clusters that are served, ALTER PROXYRESOURCE DELETE gives one up', async () => {
    const idle = {
      configured: { ...configured, key: 'idle' },
      topology: null,
      servedSinceMs: null,
      lastUsedAtMs: null,
    };
    const served = { configured, topology, servedSinceMs: 1, lastUsedAtMs: 1_500 };
    const with_ = services({ clusters: () => Promise.resolve([served, idle]) });
    const { columns, rows } = await rowsOf('show proxyresource', caller, with_);
    expect(columns).toHaveLength(14);
    expect(rows.map((row) => row.slice(0, 6))).toEqual([['obdemo', '7', 'CR_AVAIL', '1', '1', '1500000000']]);
    expect(rows[0]?.slice(8, 10)).toEqual(['3', '0']);
    expect(await answer("alter proxyresource delete 'obdemo'", caller, with_)).toMatchObject({ kind: 'ok' });
    expect(with_.calls).toEqual(['delete obdemo']);
    expect(errnoOf(await answer('alter proxyresource drop obdemo', caller, with_))).toBe(5010);
  });

  it('leave to the server what is not the proxy’s', () => {
    for (const statement of ['select 1', 'show proxyconfig', 'alter proxyconfig set a=1', 'show bogus']) {
      expect(answerStatement(statement, ordinary, services())).toBeNull();
    }
    expect(answerStatement('select 1', rootsys, services())).toBeNull();
  });

  it('give the inspector nothing but PING PROXY', async () => {
    const inspector: Caller = { ...caller, identity: 'inspector', user: 'inspector' };
    for (const statement of ['select 1', 'show proxyconfig', 'kill 5', 'set names utf8mb4']) {
      expect(errnoOf(await answer(statement, inspector))).toBe(5010);
    }
  });

  it('name what is wrong with a command', async () => {
    const reply = await answer('show proxyconfig lik "x"', rootsys);
    expect(errnoOf(reply)).toBe(5010);
    expect(reply.kind === 'error' && reply.error.message).toContain("'lik' found");
  });
});
