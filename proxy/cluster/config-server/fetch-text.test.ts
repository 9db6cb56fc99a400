import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchText } from './fetch-text.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const never = new AbortController().signal;

describe('fetchText', () => {
  it('R3 gives the body as text', async () => {
    expect(await fetchText(await serve((_request, reply) => reply.end('{"a":"é"}')), 5_000, never)).toBe('{"a":"é"}');
  });

  it('R3 case B25 names an HTTP error, a refused connection, and a body that does not end in time', async () => {
    const failing = await serve((_request, reply) => reply.writeHead(500).end('no'));
    await expect(fetchText(failing, 5_000, never)).rejects.toThrow(/HTTP status 500/);
    const slow = await serve((_request, reply) => reply.writeHead(200).write('{"Code":'));
    await expect(fetchText(slow, 100, never)).rejects.toThrow(/no complete answer within 100 ms/);
    await expect(fetchText('http://127.0.0.1:1/', 5_000, never)).rejects.toThrow(/ECONNREFUSED|bad port/);
    await expect(fetchText('no url', 5_000, never)).rejects.toMatchObject({ code: 'CONFIG_SERVER_FAILED' });
  });

  it('R3 gives up a body without end', async () => {
    const endless = await serve((_request, reply) => {
      const more = (): void => {
        while (!reply.destroyed && reply.write('x'.repeat(65_536)));
        reply.once('drain', more);
      };
      more();
    });
    await expect(fetchText(endless, 30_000, never)).rejects.toThrow(/more than \d+ bytes/);
  });
});
