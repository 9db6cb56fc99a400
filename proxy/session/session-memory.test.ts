import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorLine, type RawClient, textRows } from '../testing/raw-client.ts';
import { COM, STATUS } from '../wire/constants.ts';
import { encodeVariableBlock } from '../wire/ob-variables.ts';
import { PacketWriter } from '../wire/writer.ts';
import { PreparedStatements } from './prepared-statements.ts';
import type { ServerSession } from './server-session.ts';
import { heldBytes } from './session-memory.ts';
import { SessionVariables } from './session-variables.ts';
import { BlockVersions, SharedBlocks } from './shared-blocks.ts';
import { type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './testing/session-proxy.ts';

const LIMIT_BYTES = 16 * 1024;
const IN_TRANS = STATUS.AUTOCOMMIT | STATUS.IN_TRANS;

describe('client_max_memory_size', () => {
  let server: ScriptedServer;
  let proxy: SessionProxy;
  let client: RawClient;

  beforeEach(async () => {
    server = await startScriptedServer({ variables: { autocommit: '1' } });
    proxy = startSessionProxy([server], { client_max_memory_size: '16KB' });
    server.onRequest = ({ connection, command, text }) => {
      // SET @name LENGTH: the variable becomes as long.
      const [, name = '', length = ''] = /^SET @(\w+) (\d+)/.exec(text) ?? [];
      const tail = encodeVariableBlock({ user: [[name, Buffer.alloc(Number(length), 0x31)]] });
      if (name !== '') return connection.ok({ status: IN_TRANS | STATUS.SESSION_STATE_CHANGED, tail });
      if (command === COM.STMT_PREPARE) {
        return connection.send([new PacketWriter(12).u8(0).u32(1).u16(0).u16(0).u8(0).u16(0).finish()]);
      }
      if (text.startsWith('SELECT')) return connection.value('1');
      if (command !== COM.STMT_CLOSE) connection.ok();
    };
    client = await proxy.client();
  });

  afterEach(async () => {
    proxy.close();
    await server.close();
  });

  const answer = async (text: string, command: number = COM.QUERY): Promise<string> => {
    client.command(command, text);
    const { payload } = (await client.reply())[0] ?? { payload: Buffer.alloc(0) };
    return payload[0] === 0xff ? errorLine(payload) : 'served';
  };
  const held = (): number => {
    const [session] = [...proxy.context.registry];
    return session === undefined ? 0 : heldBytes(session);
  };
  const prepare = async (text: string): Promise<string> => {
    client.command(COM.STMT_PREPARE, text);
    const { payload } = await client.packet();
    return payload[0] === 0xff ? errorLine(payload) : 'served';
  };

  it('a session whose variables take more is answered with 4080, but for what ends its transaction', async () => {
    expect(await answer('SET @a 10000')).toBe('served');
    expect(await answer('SET @a 15000')).toBe('served');
    expect(held()).toBeLessThan(LIMIT_BYTES);
    expect(await answer('SET @b 5000')).toBe('served');
    const asked = server.log.length;
    expect(await answer('SELECT 1')).toMatch(/^4080 exceed memory limit: .* client_max_memory_size is 16384$/);
    expect(await answer('d', COM.INIT_DB)).toMatch(/^4080 /);
    expect(server.log.length).toBe(asked);
    expect(await answer('ROLLBACK')).toBe('served');
    expect(await answer('SELECT 1')).toMatch(/^4080 /);
  });

  it('COM_RESET_CONNECTION gives everything back', async () => {
    await answer('SET @a 20000');
    expect(await answer('SELECT 1')).toMatch(/^4080 /);
    expect(await answer('', COM.RESET_CONNECTION)).toBe('served');
    expect(held()).toBe(0);
    expect(textRows(await client.query('SELECT 1'))).toEqual([['1']]);
  });

  it('a statement for which there is no room is not prepared, and closing others makes room', async () => {
    const text = `SELECT '${'x'.repeat(7000)}'`;
    expect(await prepare(text)).toBe('served');
    expect(await prepare(text)).toBe('served');
    expect(await prepare(text)).toMatch(/^4080 .*with 2 statements prepared/);
    expect(textRows(await client.query('SELECT 1'))).toEqual([['1']]);
    client.command(COM.STMT_CLOSE, new PacketWriter(4).u32(1).finish());
    expect(await prepare(text)).toBe('served');
  });

  it('many small statements are counted as well', async () => {
    let count = 0;
    while ((await prepare('SELECT 1')) === 'served') count++;
    expect(count).toBeGreaterThan(10);
    expect(count).toBeLessThan(LIMIT_BYTES / 256);
  });

  it('C17 a session that another generation goes on with keeps as much, and can give it back', async () => {
    expect(await prepare(`SELECT '${'x'.repeat(3000)}'`)).toBe('served');
    await answer('SET @a 2000');
    const [session] = [...proxy.context.registry];
    if (session === undefined) throw new Error('there is no session');
    session.servers.blocks.take(Buffer.from('0500030000000a0b0c', 'hex'), new BlockVersions());
    expect(session.servers.blocks.bytes).toBeGreaterThan(0);
    const variables = new SessionVariables();
    variables.restore(session.variables.save());
    expect(variables.bytes).toBe(session.variables.bytes);
    const blocks = new SharedBlocks();
    blocks.restore(session.servers.blocks.save());
    expect(blocks.bytes).toBe(session.servers.blocks.bytes);
    const prepared = new PreparedStatements<ServerSession>();
    prepared.restore(session.prepared.lastId, session.prepared.all());
    expect(prepared.bytes).toBe(session.prepared.bytes);
    for (const { id } of [...prepared.all()]) prepared.delete(id);
    expect(prepared.bytes).toBe(0);
  });
});
