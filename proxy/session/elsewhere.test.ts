import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorLine, textRows } from '../testing/raw-client.ts';
import { STATUS } from '../wire/constants.ts';
import { buildErr } from '../wire/err-packet.ts';
import { type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './testing/session-proxy.ts';

/** A server that answers, but says that it is of no use now: memory limit, starting, stopping, no resources of the tenant. */
describe('servers that refuse a request', () => {
  let one: ScriptedServer;
  let two: ScriptedServer;
  let proxy: SessionProxy;

  beforeEach(async () => {
    one = await startScriptedServer();
    two = await startScriptedServer();
    proxy = startSessionProxy([one, two]);
    proxy.leaders.set('a', one.address);
  });

  afterEach(async () => {
    proxy.close();
    await Promise.all([one.close(), two.close()]);
  });

  const client = () => proxy.client({ database: 'd' });
  const refuse = (server: ScriptedServer, start: string, errno: number): void => {
    const others = server.onRequest;
    server.onRequest = (request) => {
      const error = buildErr({ errno, sqlState: 'HY000', message: 'not now' });
      if (request.text.startsWith(start)) request.connection.send([error]);
      else others(request);
    };
  };

  it.each([8001, 8002, 8003, 4013, 5150])(
    'B10 case B84 a read refused with error %i is done by another server',
    async (errno) => {
      const session = await client();
      await session.query('SELECT 1 FROM a');
      refuse(one, 'SELECT 2', errno);
      expect(textRows(await session.query('SELECT 2 FROM a'))).toEqual([['2']]);
      expect(one.log).toContain('QUERY SELECT 2 FROM a');
      expect(two.log).toContain('QUERY SELECT 2 FROM a');
      expect(textRows(await session.query('SELECT 3 FROM a'))).toEqual([['3']]);
      expect(one.log).toContain('QUERY SELECT 3 FROM a');
    },
  );

  it('case B84 refused by all: the error is the answer, and each was asked once', async () => {
    const session = await client();
    refuse(one, 'SELECT 2', 4013);
    refuse(two, 'SELECT 2', 4013);
    const packets = await session.query('SELECT 2 FROM a');
    expect(packets.map(({ sequence }) => sequence)).toEqual([1]);
    expect(errorLine(packets[0]?.payload)).toMatch(/^4013 /);
    for (const { log } of [one, two]) expect(log.filter((line) => line === 'QUERY SELECT 2 FROM a')).toHaveLength(1);
    expect(textRows(await session.query('SELECT 3 FROM a'))).toEqual([['3']]);
  });

  it.each([5150, 8001, 8002])(
    'B10 a write that is refused with error %i has not begun: another server does it',
    async (errno) => {
      const session = await client();
      refuse(one, 'UPDATE', errno);
      expect((await session.query('UPDATE a SET v = 1'))[0]?.payload[0]).toBe(0);
      expect(two.log).toContain('QUERY UPDATE a SET v = 1');
    },
  );

  it('case B84 an error of the statement, of a write that has begun, or in a transaction is the answer', async () => {
    const session = await client();
    refuse(one, 'SELECT 2', 1146);
    refuse(one, 'UPDATE', 4013);
    expect(errorLine((await session.query('SELECT 2 FROM a'))[0]?.payload)).toMatch(/^1146 /);
    expect(errorLine((await session.query('UPDATE a SET v = 1'))[0]?.payload)).toMatch(/^4013 /);
    const others = one.onRequest;
    one.onRequest = (request) => {
      if (request.text === 'BEGIN') request.connection.ok({ status: STATUS.AUTOCOMMIT | STATUS.IN_TRANS });
      else others(request);
    };
    refuse(one, 'SELECT 4', 8001);
    await session.query('BEGIN');
    expect(errorLine((await session.query('SELECT 4 FROM a'))[0]?.payload)).toMatch(/^8001 /);
    expect(two.log.filter((line) => line.startsWith('QUERY'))).toEqual([]);
  });
});
