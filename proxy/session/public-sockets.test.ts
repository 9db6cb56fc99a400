/** Sessions over Node's public sockets: the tests before scripted servers, over again. */
import { expect, it } from 'vitest';

process.env.ODP_SOCKETS = 'public';
const { socketsInUse } = await import('../net/handles.ts');
await import('./scripted.test.ts');
await import('./scripted-cases.test.ts');

it('these sessions have public sockets', () => {
  expect(socketsInUse).toBe('public sockets (ODP_SOCKETS=public)');
});
