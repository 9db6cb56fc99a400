import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COM, STATUS } from '../wire/constants.ts';
import { buildErr } from '../wire/err-packet.ts';
import type { SessionCounters } from './session-counters.ts';
import { closeScriptedPair, startScriptedPair } from './testing/scripted-pair.ts';
import { type ScriptedServer, when } from './testing/scripted-server.ts';
import type { SessionProxy } from './testing/session-proxy.ts';

const IN_TRANS = STATUS.AUTOCOMMIT | STATUS.IN_TRANS;

describe('what a session counts', () => {
  let one: ScriptedServer;
  let two: ScriptedServer;
  let proxy: SessionProxy;

  beforeEach(async () => {
    ({ one, two, proxy } = await startScriptedPair());
  });

  afterEach(async () => {
    await closeScriptedPair({ one, two, proxy });
  });

  const counters = (): SessionCounters => {
    const [session] = [...proxy.context.registry];
    if (session === undefined) throw new Error('there is no session');
    return session.recent.counters;
  };

  it('requests by kind, their answers, and a request by itself as a transaction', async () => {
    const session = await proxy.client({ database: 'd' });
    await session.query('SELECT 1 FROM a');
    await session.query('INSERT INTO a VALUES (1)');
    await session.query('REPLACE INTO a VALUES (1)');
    await session.query('UPDATE a SET v = 1');
    when(one, 'DELETE', ({ connection }) => {
      connection.send([buildErr({ errno: 4016, sqlState: 'HY000', message: 'no' })]);
    });
    await session.query('DELETE FROM a');
    await session.query('SET @x = 1');
    session.command(COM.INIT_DB, 'e');
    await session.packet();
    expect(counters()).toMatchObject({
      ...{ requests: 7, queries: 6, completedRequests: 7, serverRequests: 7, serverResponses: 7, serverErrors: 1 },
      ...{ selects: 1, inserts: 2, updates: 1, deletes: 1, others: 1, transactions: 7, largeRequests: 0 },
    });
  });

  it('a transaction once, with its held BEGIN, and what brings a server session up to date', async () => {
    when(one, 'BEGIN', ({ connection }) => connection.ok({ status: IN_TRANS }));
    when(one, 'UPDATE', ({ connection }) => connection.ok({ status: IN_TRANS }));
    const session = await proxy.client({ database: 'd' });
    await session.query('SELECT 1 FROM b');
    const before = { ...counters() };
    await session.query('BEGIN');
    await session.query('UPDATE a SET v = 1');
    await session.query('UPDATE a SET v = 2');
    expect(counters().transactions).toBe(before.transactions);
    await session.query('COMMIT');
    expect(counters().transactions).toBe(before.transactions + 1);
    expect(counters()).toMatchObject({ begins: 1, xaStarts: 0, databaseSyncs: 1, connects: 2, updates: 2, others: 1 });
  });

  it('bytes both ways, and servers that are lost under a request', async () => {
    const session = await proxy.client({ database: 'd' });
    await session.query('SELECT 1 FROM a');
    const { requestBytes, responseBytes } = { ...counters() };
    when(one, 'SELECT 2', ({ connection }) => connection.socket.destroy());
    await session.query('SELECT 2 FROM a');
    expect(counters().requestBytes - requestBytes).toBe(4 + 1 + 'SELECT 2 FROM a'.length);
    expect(counters().responseBytes).toBeGreaterThan(responseBytes);
    expect(counters()).toMatchObject({ lostServers: 1, requests: 2, serverRequests: 3, serverResponses: 2 });
  });
});
