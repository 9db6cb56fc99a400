import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../testing/proxy.ts';
import { textRows } from '../../testing/raw-client.ts';
import { type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts';
import { Relay, startTwoGenerations, type TwoGenerations } from '../testing/two-generations.ts';

describe('a hand-over that is cut off, refused or called off', () => {
  let server: ScriptedServer;
  let both: TwoGenerations;
  let relay: Relay;

  beforeEach(async () => {
    server = await startScriptedServer();
    both = startTwoGenerations([server]);
    relay = new Relay(both.next);
  });

  afterEach(async () => {
    relay.close();
    both.close();
    await server.close();
  });

  const begin = (): void => both.old.handOver.begin([relay.path]);
  const oldSize = (): number => both.old.proxy.context.registry.size;
  const nextSize = (): number => both.next.proxy.context.registry.size;
  /** Lets time pass for the side that has the sessions. */
  const pass = (ms: number): void => {
    both.old.proxy.advance(ms);
    both.old.handOver.tick();
  };

  it.each([['offer'], ['server'], ['taken'], ['go']])(
    'C17 one that dies at “%s” leaves the session with the old generation',
    async (step) => {
      const client = await both.old.proxy.client();
      await client.query('SELECT 1');
      const session = both.old.session();
      const { id } = session;
      relay.onMessage = (text) => (text.startsWith(step) ? 'cut' : text);
      begin();
      await until('the channel is cut', () => relay.said.includes(step) && both.old.handOver.state().connected === 0);
      await until('nothing is on the way', () => session.isAtRest);
      expect(both.old.session().id).toBe(id);
      expect(textRows(await client.query('SELECT 2'))).toEqual([['2']]);
      expect([oldSize(), nextSize(), server.connections.size]).toEqual([1, 0, 1]);
      // The next try succeeds.
      relay.onMessage = (text) => text;
      pass(1000);
      await until('it has moved', () => nextSize() === 1 && oldSize() === 0);
      expect(textRows(await client.query('SELECT 3'))).toEqual([['3']]);
      expect([both.next.session().id, server.connections.size]).toEqual([id, 1]);
    },
  );

  it('C17 when the channel dies behind “started” the session is the new generation’s', async () => {
    const client = await both.old.proxy.client();
    await client.query('SELECT 1');
    begin();
    await until('it has moved', () => nextSize() === 1 && oldSize() === 0);
    relay.close();
    await until('the channel is cut', () => both.old.handOver.state().connected === 0);
    expect(textRows(await client.query('SELECT 2'))).toEqual([['2']]);
    expect([oldSize(), nextSize(), server.connections.size]).toEqual([0, 1, 1]);
  });

  it('C17 what a client sends while its session is on the way is served by whoever has it then', async () => {
    const client = await both.old.proxy.client();
    await client.query('SELECT 1');
    relay.onMessage = (text) => (text === 'go' ? 'hold' : text);
    begin();
    await until('it waits', () => relay.holds);
    const reply = client.query('SELECT 2');
    relay.release();
    expect(textRows(await reply)).toEqual([['2']]);
    expect([oldSize(), nextSize()]).toEqual([0, 1]);
  });

  it('C17 a state of a version that is not known leaves the session where it is, for good', async () => {
    const client = await both.old.proxy.client();
    await client.query('SELECT 1');
    relay.onMessage = (text) => text.replace('"stateVersion":1', '"stateVersion":2');
    begin();
    await until('it is refused', () => both.old.handOver.state().refused === 1);
    expect(both.old.handOver.state().waiting).toMatchObject([
      { reason: 'the other generation: state version 2 is not known, only 1' },
    ]);
    expect(textRows(await client.query('SELECT 2'))).toEqual([['2']]);
    pass(60_000);
    expect(relay.said).toEqual(['offer', 'server', 'refused']);
    expect([oldSize(), nextSize(), server.connections.size]).toEqual([1, 0, 1]);
  });

  it('C17 a cluster that the other generation does not know leaves the session where it is', async () => {
    const client = await both.old.proxy.client();
    await client.query('SELECT 1');
    relay.onMessage = (text) => text.replace('"cluster":"c1"', '"cluster":"c2"');
    begin();
    await until('it is refused', () => both.old.handOver.state().refused === 1);
    expect(both.old.handOver.state().waiting[0]?.reason).toMatch(/^the other generation: .*c2/);
    expect(textRows(await client.query('SELECT 2'))).toEqual([['2']]);
  });

  it('C17 without an answer in time the session goes on, and a late one changes nothing', async () => {
    const client = await both.old.proxy.client();
    await client.query('SELECT 1');
    relay.onMessage = (text) => (text === 'taken' ? 'hold' : text);
    begin();
    await until('it waits', () => relay.holds);
    const reply = client.query('SELECT 2');
    pass(2000);
    expect(textRows(await reply)).toEqual([['2']]);
    relay.onMessage = (text) => text;
    relay.release();
    await until('it is told', () => relay.said.includes('keep'));
    expect(textRows(await client.query('SELECT 3'))).toEqual([['3']]);
    expect([oldSize(), nextSize(), server.connections.size]).toEqual([1, 0, 1]);
    pass(1000);
    await until('it moves then', () => nextSize() === 1 && oldSize() === 0);
    expect(textRows(await client.query('SELECT 4'))).toEqual([['4']]);
  });

  it('C17 a session that is killed on its way ends', async () => {
    const client = await both.old.proxy.client();
    await client.query('SELECT 1');
    relay.onMessage = (text) => (text === 'taken' ? 'hold' : text);
    begin();
    await until('it waits', () => relay.holds);
    both.old.session().closeWith('KILL');
    relay.release();
    await client.closed;
    await until('its server sessions are closed', () => server.connections.size === 0);
    expect([oldSize(), nextSize()]).toEqual([0, 0]);
  });

  it('C17 a session that loses a server on its way stays, and knows of it', async () => {
    const client = await both.old.proxy.client();
    await client.query('SELECT 1');
    relay.onMessage = (text) => (text === 'taken' ? 'hold' : text);
    begin();
    await until('it waits', () => relay.holds);
    for (const each of both.old.session().servers.all()) each.lose('the server is dead');
    relay.onMessage = (text) => text;
    relay.release();
    await until('it is told', () => relay.said.includes('keep'));
    expect(textRows(await client.query('SELECT 2'))).toEqual([['2']]);
    expect([oldSize(), nextSize()]).toEqual([1, 0]);
  });

  it('C17 a hand-over that is called off leaves what has not gone', async () => {
    const client = await both.old.proxy.client();
    await client.query('SELECT 1');
    relay.onMessage = (text) => (text === 'taken' ? 'hold' : text);
    begin();
    await until('it waits', () => relay.holds);
    const stopped = both.old.handOver.stop();
    expect(textRows(await client.query('SELECT 2'))).toEqual([['2']]);
    relay.release();
    await stopped;
    expect(textRows(await client.query('SELECT 3'))).toEqual([['3']]);
    expect([oldSize(), nextSize(), both.old.handOver.state().connected]).toEqual([1, 0, 0]);
  });
});
