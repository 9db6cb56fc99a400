import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorLine, textRows } from '../testing/raw-client.ts';
import { buildErr } from '../wire/err-packet.ts';
import { closeScriptedPair, type ScriptedPair, startScriptedPair } from './testing/scripted-pair.ts';
import { when } from './testing/scripted-server.ts';

describe('errors counted of each server', () => {
  let pair: ScriptedPair;
  beforeEach(async () => {
    pair = await startScriptedPair();
  });
  afterEach(async () => closeScriptedPair(pair));

  it('are what it answers, one for each request, and none for those that work', async () => {
    const { one, proxy } = pair;
    const session = await proxy.client({ database: 'd' });
    await session.query('SELECT 1 FROM a');
    expect(proxy.erroneous).toEqual([]);
    const error = buildErr({ errno: 1062, sqlState: '23000', message: 'Duplicate entry' });
    when(one, 'INSERT', ({ connection }) => connection.send([error], 1));
    expect(errorLine((await session.query('INSERT INTO a VALUES (1)'))[0]?.payload)).toContain('1062');
    expect(proxy.erroneous).toEqual([one.address]);
  });

  it('are counted where they happened when another server does the work in the end', async () => {
    const { one, two, proxy } = pair;
    const session = await proxy.client({ database: 'd' });
    await session.query('SELECT 1 FROM a');
    // OB_SERVER_IS_STOPPING: the statement has not begun, and the failure counts against the server as well.
    const error = buildErr({ errno: 8002, sqlState: 'HY000', message: 'stopping' });
    when(one, 'SELECT 2', ({ connection }) => connection.send([error], 1));
    expect(textRows(await session.query('SELECT 2 FROM a'))).toEqual([['2']]);
    expect(proxy.erroneous).toEqual([one.address]);
    expect(two.log).toContain('QUERY SELECT 2 FROM a');
  });

  it('are those of a server that cannot be had as well', async () => {
    const { one, two, proxy } = pair;
    await two.close();
    const session = await proxy.client({ database: 'd' });
    await session.query('SELECT 1 FROM a');
    await session.query('SELECT 1 FROM b');
    expect(proxy.erroneous).toEqual([two.address]);
    expect(one.log).toContain('QUERY SELECT 1 FROM b');
  });
});
