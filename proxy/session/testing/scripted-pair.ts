/** What most tests of sessions begin with: two scripted servers, table `a` at the first, `b` at the second. */
import { type ScriptedServer, type ScriptedServerOptions, startScriptedServer } from './scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './session-proxy.ts';

export interface ScriptedPair {
  readonly one: ScriptedServer;
  readonly two: ScriptedServer;
  readonly proxy: SessionProxy;
}

/** @param options of both servers */
export async function startScriptedPair(options?: ScriptedServerOptions): Promise<ScriptedPair> {
  const one = await startScriptedServer(options);
  const two = await startScriptedServer(options);
  const proxy = startSessionProxy([one, two]);
  proxy.leaders.set('a', one.address);
  proxy.leaders.set('b', two.address);
  return { one, two, proxy };
}

export async function closeScriptedPair({ one, two, proxy }: ScriptedPair): Promise<void> {
  proxy.close();
  await Promise.all([one.close(), two.close()]);
}
