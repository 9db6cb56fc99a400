import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientSession } from '../session/client-session.ts';
import {
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
  when,
} from '../session/testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from '../session/testing/session-proxy.ts';
import { until } from '../testing/proxy.ts';
import { errorLine, type RawClient, textRows } from '../testing/raw-client.ts';
import { COM } from '../wire/constants.ts';
import { buildErr } from '../wire/err-packet.ts';
import { killRunningQuery } from './kill-query.ts';

const INTERRUPTED = buildErr({ errno: 1317, sqlState: '70100', message: 'Query execution was interrupted' });

/** KILL QUERY in every state of its target; the clock is moved by hand. */
describe('KILL QUERY', () => {
  let server: ScriptedServer;
  let proxy: SessionProxy;
  let client: RawClient;
  let session: ClientSession;

  beforeEach(async () => {
    server = await startScriptedServer();
    proxy = startSessionProxy([server]);
    client = await proxy.client();
    const [first] = [...proxy.context.registry];
    if (first === undefined) throw new Error('no session');
    session = first;
  });

  afterEach(async () => {
    proxy.close();
    await server.close();
  });

  const asked = (text: string): Promise<void> => until(text, () => server.log.includes(`QUERY ${text}`));
  const kill = (): Promise<boolean> => killRunningQuery(session, proxy.context);
  /** Runs a statement that only `answer` ends. */
  const run = async (text: string): Promise<ScriptedRequest> => {
    let held: ScriptedRequest | null = null;
    when(server, text, (request) => {
      held = request;
    });
    client.command(COM.QUERY, text);
    await asked(text);
    if (held === null) throw new Error('not held');
    return held;
  };

  it('C19 the server is told on a connection of its own, and its answer is the client’s', async () => {
    const { connection } = await run('SELECT SLEEP(50)');
    when(server, 'KILL QUERY', (request) => {
      request.connection.ok();
      connection.send([INTERRUPTED]);
    });
    expect(await kill()).toBe(true);
    expect(errorLine((await client.packet()).payload)).toMatch(/^1317 /);
    expect(server.log).toContain(`QUERY KILL QUERY ${connection.id}`);
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
  });

  it('an idle session, or none, has nothing to end', async () => {
    expect(await kill()).toBe(true);
    expect(await killRunningQuery(undefined, proxy.context)).toBe(false);
    expect(server.log).toEqual([]);
  });

  it('case B81 nothing is sent when the statement is over by the time of the log-in', async () => {
    const { connection } = await run('SELECT SLEEP(50)');
    let letIn: (() => void) | null = null;
    server.onLogin = (killer) => {
      letIn = () => killer.ok();
    };
    const killed = kill();
    await until('the killer logs in', () => letIn !== null);
    connection.value('0');
    await client.reply();
    const next = await run('SELECT SLEEP(1)');
    server.onLogin = null;
    (letIn as unknown as () => void)();
    await killed;
    expect(server.log.filter((line) => line.includes('KILL'))).toEqual([]);
    next.connection.value('0');
    expect(textRows(await client.reply())).toEqual([['0']]);
  });

  it('case B81 no statement begins while a KILL QUERY of the one before is under way', async () => {
    const { connection } = await run('SELECT SLEEP(50)');
    let answerKill: (() => void) | null = null;
    when(server, 'KILL QUERY', (request) => {
      answerKill = () => request.connection.ok();
    });
    const killed = kill();
    await until('the KILL is at the server', () => answerKill !== null);
    connection.value('0');
    await client.reply();
    client.command(COM.QUERY, 'SELECT 5');
    // Pings of another session go through meanwhile: the wait is this session's alone.
    const other = await proxy.client();
    expect(textRows(await other.query('SELECT 6'))).toEqual([['6']]);
    expect(server.log).not.toContain('QUERY SELECT 5');
    (answerKill as unknown as () => void)();
    await killed;
    expect(textRows(await client.reply())).toEqual([['5']]);
  });

  it('case B81 a KILL QUERY that is not answered can hit nothing later: its target is closed', async () => {
    const { connection } = await run('SELECT SLEEP(50)');
    when(server, 'KILL QUERY', () => undefined);
    const killed = kill();
    await until('the KILL is at the server', () => server.log.some((line) => line.includes('KILL')));
    connection.value('0');
    await client.reply();
    client.command(COM.QUERY, 'SELECT 5');
    proxy.advance(5100);
    expect(await killed).toBe(true);
    expect(textRows(await client.reply())).toEqual([['5']]);
    expect([...server.connections].map(({ id }) => id)).not.toContain(connection.id);
  });

  it('a server that lets no KILL in: the statement ends with its server session', async () => {
    const { connection } = await run('SELECT SLEEP(50)');
    server.onLogin = (killer) => killer.send([buildErr({ errno: 1040, sqlState: '08004', message: 'full' })], 2);
    expect(await kill()).toBe(true);
    expect(errorLine((await client.packet()).payload)).toMatch(/^1317 /);
    await until('it is closed', () => ![...server.connections].some(({ id }) => id === connection.id));
    server.onLogin = null;
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
  });

  it('C19 a request whose server session is being opened ends before it is sent', async () => {
    for (const { socket } of server.connections) socket.destroy();
    await until('the session has noticed', () => session.servers.size === 0);
    let opening = false;
    server.onLogin = () => {
      opening = true;
    };
    client.command(COM.QUERY, 'UPDATE a SET v = 1');
    await until('it is being opened', () => opening);
    expect(await kill()).toBe(true);
    expect(errorLine((await client.packet()).payload)).toMatch(/^1317 /);
    server.onLogin = null;
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    expect(server.log).toEqual(['QUERY SELECT 5']);
  });

  it('C19 a request whose server session is being brought up to date ends behind that', async () => {
    const database = await proxy.client({ database: 'd' });
    const [, second] = [...proxy.context.registry];
    for (const { socket } of server.connections) socket.destroy();
    await until('the session has noticed', () => second?.servers.size === 0);
    let syncing: ScriptedRequest | null = null;
    const usual = server.onRequest;
    server.onRequest = (request) => {
      if (request.command === COM.INIT_DB) syncing = request;
      else usual(request);
    };
    database.command(COM.QUERY, 'UPDATE a SET v = 1');
    await until('the database is being set', () => syncing !== null);
    expect(await killRunningQuery(second, proxy.context)).toBe(true);
    (syncing as unknown as ScriptedRequest).connection.ok();
    expect(errorLine((await database.packet()).payload)).toMatch(/^1317 /);
    expect(textRows(await database.query('SELECT 5'))).toEqual([['5']]);
    expect(server.log.filter((line) => line.includes('UPDATE'))).toEqual([]);
  });
});
