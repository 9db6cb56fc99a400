import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AnsweringServer, startAnsweringServer } from '../testing/answering-server.ts';
import { ServerProber } from './server-prober.ts';

let server: AnsweringServer;
let prober: ServerProber;
let nowMs: number;
let timeoutMs: number;
let passwords: string[];

beforeEach(async () => {
  server = await startAnsweringServer();
  nowMs = 0;
  timeoutMs = 5_000;
  passwords = [''];
  prober = new ServerProber({ passwords: () => passwords, timeoutMs: () => timeoutMs, now: () => nowMs });
});
afterEach(async () => {
  await prober.close();
  await server.close();
});

const refusal = { errno: 1045, message: 'Access denied' };
const cutSeen = async () => {
  while (server.open > 0) await new Promise((resolve) => setImmediate(resolve));
};

describe('B5 the probe', () => {
  it('is the SQL of the requirement, on one connection that is kept', async () => {
    const statements: string[] = [];
    server.onQuery = (sql) => statements.push(sql);
    for (let count = 0; count < 3; count += 1)
      expect(await prober.probe(server.address)).toEqual({ ok: true, detail: '' });
    expect(statements).toEqual(Array(3).fill("select 'detect server alive' from dual"));
    expect(server.accepted).toBe(1);
  });

  it.each(['greeting', 'login', 'query'] as const)(
    'B6 case B84 case B87: finds a server silent at %s',
    async (phase) => {
      server[phase] = 'silent';
      timeoutMs = 50;
      expect(await prober.probe(server.address)).toEqual({ ok: false, detail: 'no result within 50 ms' });
      await cutSeen();
      server[phase] = 'answer';
      timeoutMs = 5_000;
      expect(await prober.probe(server.address)).toMatchObject({ ok: true });
    },
  );

  it('B6 finds a server that goes silent on the kept connection, and takes a new one then', async () => {
    await prober.probe(server.address);
    server.query = 'silent';
    timeoutMs = 50;
    expect(await prober.probe(server.address)).toMatchObject({ ok: false });
    server.query = 'answer';
    timeoutMs = 5_000;
    expect(await prober.probe(server.address)).toMatchObject({ ok: true });
    expect(server.accepted).toBe(2);
  });

  it.each(['greeting', 'login', 'query'] as const)('B6 case B84: finds a server that cuts at %s', async (phase) => {
    server[phase] = 'cut';
    expect(await prober.probe(server.address)).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/clos|RESET|PIPE/i),
    });
  });

  it('B6 finds a port that nobody listens on', async () => {
    await server.close();
    expect(await prober.probe(server.address)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('B7 takes a new connection when only the kept one is broken', async () => {
    await prober.probe(server.address);
    server.cutAll();
    expect(await prober.probe(server.address)).toEqual({ ok: true, detail: '' });
    server.query = 'cut';
    // The kept one is cut with the statement on it, the new one answers.
    const statements: string[] = [];
    server.onQuery = (sql) => {
      statements.push(sql);
      if (statements.length === 1) return;
      server.query = 'answer';
    };
    expect(await prober.probe(server.address)).toEqual({ ok: true, detail: '' });
    expect(statements).toHaveLength(2);
  });
});

describe('an error is an answer', () => {
  it('case B84: of the statement, on a connection that stays', async () => {
    server.query = { errno: 8001, message: 'Server is initializing' };
    const answer = { ok: true, detail: 'the server answers with an error: Server is initializing' };
    expect(await prober.probe(server.address)).toEqual(answer);
    expect(await prober.probe(server.address)).toEqual(answer);
    expect(server.accepted).toBe(1);
  });

  it('case B99: a refused internal account proves the server alive, and is let rest', async () => {
    server.login = refusal;
    passwords = ['a'.repeat(40), 'b'.repeat(40)];
    expect(await prober.probe(server.address)).toEqual({
      ok: true,
      detail: "the server answers, but does not let the proxy's own account in: Access denied",
    });
    expect(server.accepted).toBe(2);
    expect(await prober.probe(server.address)).toBeNull();
    expect(server.accepted).toBe(2);
    nowMs = 5_000;
    expect(await prober.probe(server.address)).toMatchObject({ ok: true });
    expect(server.accepted).toBe(4);
    server.login = 'answer';
    passwords = ['c'.repeat(40)];
    expect(await prober.probe(server.address)).toEqual({ ok: true, detail: '' });
  });

  it('case B99: a server that was refusing the account and then dies is still found', async () => {
    server.login = refusal;
    await prober.probe(server.address);
    server.greeting = 'silent';
    timeoutMs = 50;
    nowMs = 5_000;
    expect(await prober.probe(server.address)).toMatchObject({ ok: false });
    expect(await prober.probe(server.address)).toMatchObject({ ok: false });
  });
});

describe('case B87: nothing is left behind', () => {
  it('of a server that has left, nor of a probe under way to it', async () => {
    await prober.probe(server.address);
    prober.retainOnly([]);
    await cutSeen();
    server.query = 'silent';
    const begun = new Promise<void>((resolve) => {
      server.onQuery = () => resolve();
    });
    const probing = prober.probe(server.address);
    await begun;
    prober.retainOnly([]);
    expect(await probing).toMatchObject({ ok: false });
    await cutSeen();
  });

  it('of a hundred failed probes', async () => {
    server.query = 'cut';
    for (let count = 0; count < 100; count += 1) await prober.probe(server.address);
    await cutSeen();
  });

  it('refuses an address that is none', async () => {
    await expect(prober.probe('nonsense')).rejects.toThrow("'nonsense' is not a server's ip:port");
  });
});
