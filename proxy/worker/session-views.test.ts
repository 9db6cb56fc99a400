import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerSessionDetail, SessionDetail } from '../command/services.ts';
import { closeScriptedPair, startScriptedPair } from '../session/testing/scripted-pair.ts';
import { type ScriptedServer, startScriptedServer, when } from '../session/testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from '../session/testing/session-proxy.ts';
import type { RawClient } from '../testing/raw-client.ts';
import { OB_CAPABILITY, STATUS } from '../wire/constants.ts';
import { encodeVariableBlock } from '../wire/ob-variables.ts';
import { sessionDetail } from './session-views.ts';

const CHANGED = STATUS.AUTOCOMMIT | STATUS.SESSION_STATE_CHANGED;

/** What SHOW PROXYSESSION tells of a session before two scripted servers. */
describe('a session as it is shown', () => {
  let one: ScriptedServer;
  let two: ScriptedServer;
  let proxy: SessionProxy;
  let client: RawClient;

  beforeEach(async () => {
    ({ one, two, proxy } = await startScriptedPair());
    client = await proxy.client({ database: 'd' });
  });

  afterEach(async () => {
    await closeScriptedPair({ one, two, proxy });
  });

  const shown = (): SessionDetail => {
    const [session] = [...proxy.context.registry];
    if (session === undefined) throw new Error('there is no session');
    return sessionDetail(session);
  };
  const at = (server: ScriptedServer): ServerSessionDetail => {
    const found = shown().serverSessions.find(({ port }) => port === server.port);
    if (found === undefined) throw new Error(`no server session to ${server.address}`);
    return found;
  };
  const reports = (server: ScriptedServer, start: string, name: string, value: string): void =>
    when(server, start, ({ connection }) => {
      const tail = encodeVariableBlock({ system: [[name, Buffer.from(value)]], user: [] });
      connection.ok({ status: CHANGED, tail });
    });

  it('C11 tells which server session is behind in what, and which one holds the last insert id', async () => {
    await client.query('SELECT 1 FROM b');
    reports(one, 'INSERT', 'last_insert_id', '7');
    await client.query('INSERT INTO a VALUES (1)');
    expect([at(one).holdsLastInsertId, at(two).holdsLastInsertId]).toEqual([true, false]);
    expect(at(one).versions).toEqual(shown().versions);
    const { versions } = at(two);
    expect(versions.lastInsertId).toBeLessThan(shown().versions.lastInsertId);
    expect({ ...versions, lastInsertId: 0 }).toEqual({ ...shown().versions, lastInsertId: 0 });
    await client.query('SELECT 1 FROM b');
    expect(two.log).toContain('QUERY SET @@session.last_insert_id = 7');
    expect(at(two).versions).toEqual(shown().versions);
    expect(at(two).holdsLastInsertId).toBe(false);
  });

  it('C11 the current database has a version', async () => {
    await client.query('SELECT 1 FROM a');
    await client.query('SELECT 1 FROM b');
    const before = shown().versions.database;
    await client.query('USE e');
    expect(shown().versions.database).toBe(before + 1);
    expect([at(one).versions.database, at(two).versions.database].sort()).toEqual([before, before + 1]);
    await client.query('SELECT 1 FROM a');
    await client.query('SELECT 1 FROM b');
    expect([at(one).versions.database, at(two).versions.database]).toEqual([before + 1, before + 1]);
  });

  it('tells the states of a session and of its server sessions by the reference’s names', async () => {
    when(one, 'BEGIN', ({ connection }) => connection.ok({ status: STATUS.AUTOCOMMIT | STATUS.IN_TRANS }));
    when(one, 'UPDATE', ({ connection }) => connection.ok({ status: STATUS.AUTOCOMMIT | STATUS.IN_TRANS }));
    await client.query('SELECT 1 FROM b');
    expect([shown().state, at(two).state, at(two).use]).toEqual(['MCS_KEEP_ALIVE', 'MSS_KA_SHARED', 'last']);
    await client.query('BEGIN');
    await client.query('UPDATE a SET v = 1');
    expect([shown().state, at(one).state, at(one).use]).toEqual([
      'MCS_ACTIVE_READER',
      'MSS_KA_CLIENT_SLAVE',
      'current',
    ]);
    expect([at(two).state, at(two).use]).toEqual(['MSS_KA_SHARED', 'pool']);
    let seen: ServerSessionDetail | null = null;
    when(one, 'SELECT 3', ({ connection }) => {
      seen = at(one);
      connection.value('3');
    });
    await client.query('SELECT 3 FROM a');
    expect(seen).toMatchObject({ state: 'MSS_ACTIVE', isBusy: true, use: 'current' });
    expect(shown().usedAtMs).toBeGreaterThan(performance.timeOrigin);
  });

  it('tells what was agreed on at log-in', async () => {
    expect(at(one).features).toEqual({ checksum: false, checksumSwitch: false, safeWeakRead: false, extraOk: false });
    const bits = OB_CAPABILITY.SAFE_WEAK_READ | OB_CAPABILITY.CHECKSUM;
    const server = await startScriptedServer({ variables: { ob_capability_flag: String(bits) } });
    const other = startSessionProxy([server]);
    await other.client();
    const [session] = [...other.context.registry];
    if (session === undefined) throw new Error('there is no session');
    const [detail] = sessionDetail(session).serverSessions;
    expect(detail?.features).toEqual({ checksum: false, checksumSwitch: false, safeWeakRead: true, extraOk: false });
    other.close();
    await server.close();
  });
});
