import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodingOf, staticFiles } from './static-files.ts';

const script = `console.log(${JSON.stringify('again and again '.repeat(200))})`;
let home: string;
let server: Server;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'odp-static-'));
  mkdirSync(join(home, 'static', 'chunks'), { recursive: true });
  writeFileSync(join(home, 'static', 'chunks', '0a~b-c_d.js'), script);
  writeFileSync(join(home, 'secret.js'), 'secret');
  const answer = staticFiles(join(home, 'static'));
  server = createServer(async (incoming, response) => {
    if (await answer(incoming, response)) return;
    response.writeHead(418).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  server.close();
  rmSync(home, { recursive: true, force: true });
});

function ask(path: string, encoding: string, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, agent: false, headers: { 'accept-encoding': encoding } },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      },
    );
    outgoing.once('error', reject);
    outgoing.end();
  });
}

describe('scripts and styles of the build', () => {
  const path = '/_next/static/chunks/0a~b-c_d.js';

  it('are sent compressed as the browser likes it best, to be kept for good', async () => {
    const brotli = await ask(path, 'gzip, deflate, br, zstd');
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'application/javascript; charset=UTF-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(brotli.body.length).toBeLessThan(script.length / 5);
    expect(brotliDecompressSync(brotli.body).toString()).toBe(script);
    const zipped = await ask(`${path}?dpl=1`, 'gzip');
    expect(gunzipSync(zipped.body).toString()).toBe(script);
    const head = await ask(path, 'br', 'HEAD');
    expect(head.headers['content-length']).toBe(String(brotli.body.length));
    expect(head.body).toHaveLength(0);
  });

  it('that are none, or asked for otherwise, are left to somebody else', async () => {
    for (const other of [
      '/_next/static/chunks/none.js',
      '/_next/static/../secret.js',
      '/_next/static/chunks/..%2f..%2fsecret.js',
      '/_next/static/chunks/../../secret.js',
      '/_next/static/font.woff2',
      '/api/me',
    ]) {
      expect((await ask(other, 'br')).status, other).toBe(418);
    }
    expect((await ask(path, 'identity')).status).toBe(418);
    expect((await ask(path, 'br', 'POST')).status).toBe(418);
  });

  it('an encoding that is refused is not taken', () => {
    expect(encodingOf('br;q=0, gzip;q=0.5')).toBe('gzip');
    expect(encodingOf('br; q=0.0')).toBeNull();
    expect(encodingOf('gzip;q=1.0, BR;q=0.8')).toBe('br');
    expect(encodingOf(undefined)).toBeNull();
  });
});
