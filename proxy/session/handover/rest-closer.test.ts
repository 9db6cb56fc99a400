import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../testing/proxy.ts';
import { errorLine, type RawClient } from '../../testing/raw-client.ts';
import { COM, STATUS } from '../../wire/constants.ts';
import { type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from '../testing/session-proxy.ts';
import { RestCloser } from './rest-closer.ts';

const IN_TRANS = STATUS.AUTOCOMMIT | STATUS.IN_TRANS;

describe('the rest of the sessions of an old generation', () => {
  let server: ScriptedServer;
  let proxy: SessionProxy;
  let closer: RestCloser;

  beforeEach(async () => {
    server = await startScriptedServer();
    proxy = startSessionProxy([server]);
    closer = new RestCloser(proxy.context, () => proxy.context.deadlines.nowMs);
    const usual = server.onRequest;
    server.onRequest = (request) => {
      const isInside = /^(BEGIN|UPDATE)/.test(request.text);
      if (isInside) request.connection.ok({ status: IN_TRANS });
      else usual(request);
    };
  });

  afterEach(async () => {
    proxy.close();
    await server.close();
  });

  const clients = (count: number): Promise<RawClient[]> =>
    Promise.all(Array.from({ length: count }, () => proxy.client()));
  const pass = (ms: number): void => {
    proxy.advance(ms);
    closer.tick();
  };

  it('C17 ends evenly over the time, each with the reason', async () => {
    const [first] = await clients(10);
    closer.begin('the proxy is being upgraded', 10_000);
    const sizes: number[] = [];
    for (let second = 1; second <= 10; second++) {
      pass(1000);
      sizes.push(proxy.context.registry.size);
    }
    expect(sizes).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(errorLine((await first?.packet())?.payload)).toMatch(
      /^1152 .*This session will be disconnected: the proxy is being upgraded/,
    );
  });

  it('C8 a transaction ends by itself first, and its session right behind it', async () => {
    const [client] = await clients(1);
    await client?.query('BEGIN');
    await client?.query('UPDATE a SET v = 1');
    closer.begin('upgrade', 10_000);
    pass(9000);
    expect(proxy.context.registry.size).toBe(1);
    pass(500);
    client?.command(COM.QUERY, 'COMMIT');
    expect((await client?.packet())?.payload[0]).toBe(0);
    // One is still below the line, ceil(0.05).
    expect(proxy.context.registry.size).toBe(1);
    pass(500);
    expect(proxy.context.registry.size).toBe(0);
  });

  it('C8 what is above the line goes at the end of its transaction, without a tick', async () => {
    const [client] = await clients(2);
    await client?.query('BEGIN');
    await client?.query('UPDATE a SET v = 1');
    closer.begin('upgrade', 10_000);
    proxy.advance(6000);
    const [inside, other] = [...proxy.context.registry].sort(
      (a, b) => Number(b.inTransaction) - Number(a.inTransaction),
    );
    await client?.query('COMMIT');
    await client?.closed;
    expect([inside?.closed, other?.closed]).toEqual([true, false]);
  });

  it('C17 whoever is in a transaction or a request when the time is over is ended all the same', async () => {
    const [inside, busy] = await clients(2);
    await inside?.query('BEGIN');
    await inside?.query('UPDATE a SET v = 1');
    let isAsked = false;
    server.onRequest = () => {
      isAsked = true;
    };
    busy?.command(COM.QUERY, 'SELECT 1');
    await until('it is asked', () => isAsked);
    closer.begin('upgrade', 5000);
    pass(5000);
    expect(errorLine((await inside?.packet())?.payload)).toMatch(/^1152 /);
    await busy?.closed;
    expect(proxy.context.registry.size).toBe(0);
  });

  it('C17 with no time all end at once', async () => {
    const [client] = await clients(3);
    closer.begin('exit', 0);
    expect(proxy.context.registry.size).toBe(0);
    expect(errorLine((await client?.packet())?.payload)).toMatch(/^1152 /);
  });
});
