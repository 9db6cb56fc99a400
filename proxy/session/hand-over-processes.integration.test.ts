import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../testing/proxy.ts';
import { RawClient, textRows } from '../testing/raw-client.ts';
import { type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { startTwoGenerations, type TwoGenerations } from './testing/two-generations.ts';

const program = fileURLToPath(new URL('./testing/old-process.ts', import.meta.url));

describe('sessions of a process that ends', () => {
  let server: ScriptedServer;
  let both: TwoGenerations;
  let child: ChildProcess;
  let told: { port: number; size: number };
  const clients: RawClient[] = [];

  beforeEach(async () => {
    server = await startScriptedServer();
    both = startTwoGenerations([server]);
    told = { port: 0, size: -1 };
    child = fork(program, [server.address]);
    child.on('message', (message: typeof told) => {
      told = message;
    });
    await until('it serves', () => told.port > 0);
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    both.close();
    await server.close();
  });

  async function connect(): Promise<RawClient> {
    const client = await RawClient.connect(told.port);
    clients.push(client);
    await client.login({ user: 'u1@t1#c1' });
    return client;
  }

  it('C17 C18 what was handed over goes on when the old process is killed, what was not ends with it', async () => {
    const count = 20;
    for (let index = 0; index < count; index++) {
      expect(textRows(await (await connect()).query(`SELECT ${index}`))).toEqual([[String(index)]]);
    }
    const connections = new Set([...server.connections].map(({ id }) => id));
    child.send([both.next.path]);
    await until('all have gone', () => told.size === 0 && both.next.received.length === count);
    // Not logged in yet, it stays.
    const late = await RawClient.connect(told.port);
    await until('it is there', () => told.size === 1);
    const killed = once(child, 'exit');
    child.kill('SIGKILL');
    await killed;
    await late.closed;
    for (const [index, client] of clients.slice(0, count).entries()) {
      expect(textRows(await client.query(`SELECT ${index + 100}`))).toEqual([[String(index + 100)]]);
    }
    // Over the connections that the old process had opened.
    expect(new Set([...server.connections].map(({ id }) => id))).toEqual(connections);
    // Nobody keeps a connection that its client or the proxy has closed.
    for (const client of clients) client.destroy();
    await until('all is closed', () => server.connections.size === 0 && both.next.proxy.context.registry.size === 0);
  });
});
