import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../testing/proxy.ts';
import type { RawClient } from '../testing/raw-client.ts';
import { COM } from '../wire/constants.ts';
import { buildErr } from '../wire/err-packet.ts';
import { PacketWriter } from '../wire/writer.ts';
import { clientStates, requestStates, serverStates, stateWatch } from './session-states.ts';
import { type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './testing/session-proxy.ts';

const machines = [clientStates, requestStates, serverStates];
const FULL = buildErr({ errno: 1040, sqlState: '08004', message: 'too many connections' });

/** `machine: from → to` of all moves that are written down. */
const written = new Set(
  machines.flatMap(({ name, moves }) =>
    Object.entries(moves).flatMap(([from, targets]) => Object.keys(targets).map((to) => `${name}: ${from} → ${to}`)),
  ),
);

interface Bed {
  readonly servers: readonly ScriptedServer[];
  readonly proxy: SessionProxy;
  readonly client: RawClient;
}

/** What may happen to a session. Each leaves it where the next one can begin, or closed. */
const events: Readonly<Record<string, (bed: Bed) => Promise<unknown>>> = {
  'a statement for the first server': ({ client }) => client.query('SELECT 1 FROM a'),
  'a statement for the second server': ({ client }) => client.query('UPDATE b SET v = 1'),
  'a statement without a table': ({ client }) => client.query('SELECT 1'),
  'a transaction begins': ({ client }) => client.query('BEGIN'),
  'a transaction ends': ({ client }) => client.query('COMMIT'),
  'a variable is set': ({ client }) => client.query('SET @a = 1'),
  'a long request': ({ client }) => client.query(`INSERT INTO b VALUES ('${'x'.repeat(200_000)}')`),
  'a long request that is refused': ({ client }) => {
    client.command(COM.INIT_DB, 'x'.repeat(200_000));
    return client.packet();
  },
  'a statement is prepared and used': async ({ client }) => {
    client.command(COM.STMT_PREPARE, 'UPDATE a SET v = 1');
    const { payload } = await client.packet();
    const id = payload.subarray(1, 5);
    client.command(COM.STMT_SEND_LONG_DATA, Buffer.concat([id, Buffer.from([0, 0]), Buffer.alloc(300_000)]));
    client.command(COM.STMT_EXECUTE, Buffer.concat([id, Buffer.from([0, 1, 0, 0, 0])]));
    await client.reply();
  },
  'the session is reset': ({ client }) => {
    client.command(COM.RESET_CONNECTION);
    return client.packet();
  },
  'idle connections are cut': async ({ servers }) => {
    for (const { connections } of servers) for (const { socket } of connections) socket.destroy();
    await until('they are gone', () => servers.every(({ connections }) => connections.size === 0));
  },
  'servers refuse new sessions': async ({ servers }) => {
    for (const server of servers) server.onLogin = (connection) => connection.send([FULL], 2);
  },
  'servers take new sessions again': async ({ servers }) => {
    for (const server of servers) server.onLogin = null;
  },
  'a read is cut off': (bed) => cutOff(bed, 'SELECT 2 FROM a'),
  'a write is cut off': (bed) => cutOff(bed, 'UPDATE b SET v = 2'),
  'a statement is not answered in time': async ({ servers, proxy, client }) => {
    const answers = servers.map(({ onRequest }) => onRequest);
    let sent = false;
    for (const server of servers) {
      server.onRequest = () => {
        sent = true;
      };
    }
    const reply = client.query('SELECT 3 FROM a');
    let isOver = false;
    const over = reply.then(() => {
      isOver = true;
    });
    // Without a server that takes it the answer comes at once. One that is silent is left for another one.
    while (!isOver) {
      await until('it is sent', () => sent || isOver);
      sent = false;
      if (!isOver) proxy.advance(31_000);
    }
    await over;
    for (const [index, server] of servers.entries()) server.onRequest = answers[index] ?? server.onRequest;
  },
  'a statement is refused for now': async ({ servers, client }) => {
    const answers = servers.map(({ onRequest }) => onRequest);
    const [first] = servers;
    if (first !== undefined) first.onRequest = ({ connection }) => connection.send([FULL]);
    await client.query('SELECT 4 FROM a');
    for (const [index, server] of servers.entries()) server.onRequest = answers[index] ?? server.onRequest;
  },
};

/** The server hangs up in place of its answer, once. */
async function cutOff({ servers, client }: Bed, text: string): Promise<void> {
  const answers = servers.map(({ onRequest }) => onRequest);
  for (const [index, server] of servers.entries()) {
    server.onRequest = (request) => {
      if (!request.text.startsWith(text)) return answers[index]?.(request);
      for (const [other, each] of servers.entries()) each.onRequest = answers[other] ?? each.onRequest;
      request.connection.socket.destroy();
    };
  }
  await client.query(text);
  for (const [index, server] of servers.entries()) server.onRequest = answers[index] ?? server.onRequest;
}

describe('states of sessions', () => {
  let servers: ScriptedServer[];
  let proxy: SessionProxy;
  let moves: Set<string>;

  beforeEach(async () => {
    servers = [await startScriptedServer(), await startScriptedServer()];
    proxy = startSessionProxy(servers);
    for (const [index, table] of ['a', 'b'].entries()) proxy.leaders.set(table, servers[index]?.address ?? '');
    for (const server of servers) {
      const usual = server.onRequest;
      server.onRequest = (request) => {
        if (request.command !== COM.STMT_PREPARE) return usual(request);
        request.connection.send([new PacketWriter(12).u8(0).u32(1).u16(0).u16(0).u8(0).u16(0).finish()]);
      };
    }
    moves = new Set();
    stateWatch.onMove = (machine, from, to) => moves.add(`${machine}: ${from} → ${to}`);
  });

  afterEach(async () => {
    stateWatch.onMove = null;
    proxy.close();
    for (const server of servers) await server.close();
  });

  /** One session through some events. */
  const run = async (names: readonly string[]): Promise<void> => {
    for (const server of servers) server.onLogin = null;
    const client = await proxy.client({ database: 'd' });
    for (const name of names) await events[name]?.({ servers, proxy, client });
    client.destroy();
    await until('it is over', () => [...proxy.context.registry].length === 0);
  };

  it.each(machines.map((machine) => [machine.name, machine] as const))(
    '%s: every state can be reached',
    (_, machine) => {
      const moves: Readonly<Record<string, object>> = machine.moves;
      const reached = new Set<string>([machine.first]);
      for (const state of reached) for (const next of Object.keys(moves[state] ?? {})) reached.add(next);
      expect([...reached].sort()).toEqual(Object.keys(machine.states).sort());
    },
  );

  it('C1 C14 whatever happens in whatever order, only moves that are written down are made', async () => {
    const sequences = fc.array(fc.constantFrom(...Object.keys(events)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sequences, async (names) => {
        await run(names);
        expect([...moves].filter((move) => !written.has(move))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  it('each of the events by itself, and between others', async () => {
    for (const name of Object.keys(events)) {
      await run([name, 'a statement for the first server', name, 'a statement for the second server', name]);
    }
    expect([...moves].filter((move) => !written.has(move))).toEqual([]);
    expect([...moves]).toEqual(expect.arrayContaining(usual));
  });
});

/** Moves that these events cannot but make. */
const usual = [
  'client session: login → ready',
  'client session: ready → closed',
  'request of a client session: idle → routing',
  'request of a client session: idle → syncing',
  'request of a client session: idle → replying',
  'request of a client session: routing → connecting',
  'request of a client session: connecting → syncing',
  'request of a client session: syncing → replying',
  'request of a client session: replying → idle',
  'server session: connecting → greeting',
  'server session: greeting → login',
  'server session: login → ready',
  'server session: ready → closed',
];
