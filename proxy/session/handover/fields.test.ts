import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from '../testing/session-proxy.ts';

/**
 * What goes to another generation is a form of its own: a field that comes new to a session would stay behind unnoticed.
 * Whoever adds one decides here whether it goes along, and then adds it to the state as well.
 */
describe('C17 fields of what moves', () => {
  let server: ScriptedServer;
  let proxy: SessionProxy;

  beforeEach(async () => {
    server = await startScriptedServer();
    proxy = startSessionProxy([server]);
    const client = await proxy.client({ database: 'd' });
    await client.query('SELECT 1');
  });

  afterEach(async () => {
    proxy.close();
    await server.close();
  });

  /** Names of `of` that are neither sent nor of no meaning elsewhere, and names here that it has no more. */
  const difference = (of: object, sent: readonly string[], own: readonly string[]): string[] => {
    const [known, found] = [[...sent, ...own], Object.keys(of)];
    return [...known.filter((name) => !found.includes(name)), ...found.filter((name) => !known.includes(name))];
  };

  it('a client session', () => {
    const [session] = proxy.context.registry;
    const sent = [
      ...['id', 'host', 'port', 'vip', 'connectedAtMs', 'identity', 'user', 'tenant', 'clusterName', 'cluster'],
      ...['credentials', 'databaseVersion', 'status', 'multiStatements', 'isOceanBase', 'sharesIds', 'heldBegin'],
      ...['heldSets', 'transactionCount', 'transactionBeganAtMs', 'loss', 'variables', 'prepared', 'servers'],
    ];
    const own = ['context', 'config', 'limits', 'forwarder', 'recent'];
    expect(difference(session ?? {}, sent, own)).toEqual([]);
  });

  it('what ties it to its server sessions', () => {
    const [session] = proxy.context.registry;
    const sent = ['blocks', 'last', 'lastInsertIdAt', 'routesInside', 'pinned', 'stayOnLast', 'routeAddress'];
    // Only while a request is being served.
    const own = ['isRoaming'];
    expect(difference(session?.servers ?? {}, sent, own)).toEqual([]);
  });

  it('a server session', () => {
    const [session] = proxy.context.registry;
    const sent = [
      ...['address', 'synced', 'database', 'databaseVersion', 'multiStatements', 'requestCount', 'clientCapabilities'],
      ...['serverCapabilities', 'extraOk', 'connectionId', 'framing'],
    ];
    // Its number in the worker; what counts while it logs in or is at work.
    const own = ['id', 'agreed', 'busy', 'failure'];
    expect(difference(session?.servers.last ?? {}, sent, own)).toEqual([]);
  });

  it('a kept log-in', () => {
    const [session] = proxy.context.registry;
    const sent = [
      ...['serverUser', 'scope', 'authAnswer', 'authPlugin', 'scramble', 'capabilities', 'maxPacketBytes', 'collation'],
      ...[
        'database',
        'clientAttributes',
        'clientHost',
        'clientPort',
        'sessionId',
        'idVersion',
        'cluster',
        'connectedAtMs',
      ],
    ];
    expect(difference(session?.credentials ?? {}, sent, [])).toEqual([]);
  });
});
