import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './testing/session-proxy.ts';

describe('enable_full_username', () => {
  let server: ScriptedServer;
  let proxy: SessionProxy;

  beforeEach(async () => {
    server = await startScriptedServer();
    proxy = startSessionProxy([server], { enable_full_username: 'True', rootservice_cluster_name: 'c1' });
  });
  afterEach(async () => {
    proxy.close();
    await server.close();
  });

  it.each(['u1@t1', 'u1#c1', 'u1'])('case B22 refuses %s, which lacks the tenant or the cluster', async (user) => {
    await expect(proxy.client({ user })).rejects.toThrow(/^1045 /);
    expect(server.connections.size).toBe(0);
  });

  it.each(['u1@t1#c1', 'c1:t1:u1', 'root@proxysys'])('case B22 lets %s in', async (user) => {
    await expect(proxy.client({ user })).resolves.toBeDefined();
  });
});
