/** Sessions over Node's public sockets: the tests before scripted servers, over again. */
import { expect, it } from 'vitest';

process.env.ODP_SOCKETS = 'public';
await import('./scripted.test.ts');
await import('./scripted-cases.test.ts');
const { reasonToStay } = await import('./handover/reason-to-stay.ts');
const { startScriptedServer } = await import('./testing/scripted-server.ts');
const { startSessionProxy } = await import('./testing/session-proxy.ts');

it('C8 C17 a session with a public socket stays where it is, and tells why', async () => {
  const server = await startScriptedServer();
  const proxy = startSessionProxy([server]);
  const client = await proxy.client();
  await client.query('SELECT 1');
  const [session] = proxy.context.registry;
  expect(session && reasonToStay(session)).toBe(
    'connections of this process cannot be handed over: they are public sockets (ODP_SOCKETS=public)',
  );
  client.destroy();
  proxy.close();
  await server.close();
});
