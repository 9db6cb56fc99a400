/**
 * The console's server: Next's request handler behind a few lines of our own, which Next's own server has no place
 * for – a nonce per answer, the caller's real address, and a port that may be 0. Two of them run from one build.
 *
 * Start: `node app/server/main.ts` with the variables of `app/lib/env.ts`. Prints `console ready <url>` once pages can
 * be served; a parent with an IPC channel also gets `{ type: 'ready', url }`, and the server ends when that channel does.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { consoleEnv, parseEnv } from '../lib/env.ts';
import { clientAddress, clientAddressHeader } from './client-address.ts';
import { contentSecurityPolicy, securityHeaders } from './security-headers.ts';
import { staticFiles } from './static-files.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

process.env.NEXT_TELEMETRY_DISABLED = '1';
if (!process.argv.includes('--dev')) Object.assign(process.env, { NODE_ENV: 'production' });

const settings = readSettings();
const handler = Promise.withResolvers<Handler>();

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error('console: request failed', request.method, request.url, error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});
await listen(server).catch((error: NodeJS.ErrnoException) => {
  const where = `${bracketed(settings.ODP_CONSOLE_HOST)}:${settings.ODP_CONSOLE_PORT}`;
  const hint = '--console-port and --console-host take another';
  return giveUp(`console: ${where} cannot be listened on: ${error.code ?? error.message} (${hint})`);
});
const { port } = server.address() as AddressInfo;
// The cookie's name carries the real port, and route handlers read it from here.
process.env.ODP_CONSOLE_PORT = String(port);
const url = consoleEnv().ODP_CONSOLE_ORIGIN ?? `http://${bracketed(settings.ODP_CONSOLE_HOST)}:${port}`;

const { default: next } = await import('next');
const root = resolve(import.meta.dirname, '../..');
const dev = process.argv.includes('--dev');
const app = next({
  dev,
  dir: root,
  hostname: settings.ODP_CONSOLE_HOST,
  port,
  httpServer: server,
});
await app.prepare();
const nextHandler = app.getRequestHandler();
const answerStatic = dev ? null : staticFiles(resolve(root, '.next/static'));
handler.resolve(async (request, response) => {
  if (answerStatic !== null && (await answerStatic(request, response))) return;
  await nextHandler(request, response);
});

process.stdout.write(`console ready ${url}\n`);
process.send?.({ type: 'ready', url });
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.once('disconnect', stop);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const policy = contentSecurityPolicy(randomBytes(16).toString('base64'));
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', policy);
  // Next reads the nonce for its own scripts from the request's copy of the policy.
  request.headers['content-security-policy'] = policy;
  request.headers[clientAddressHeader] = clientAddress(request, settings.ODP_CONSOLE_ORIGIN !== undefined);
  await (await handler.promise)(request, response);
}

function readSettings() {
  try {
    return parseEnv(process.env);
  } catch (error) {
    return giveUp(error instanceof Error ? error.message : String(error));
  }
}

/** What the person who starts it can mend needs no stack. */
function giveUp(reason: string): never {
  console.error(reason);
  process.exit(1);
}

function listen(target: Server): Promise<void> {
  return new Promise((done, fail) => {
    target.once('error', fail);
    target.listen(settings.ODP_CONSOLE_PORT, settings.ODP_CONSOLE_HOST, () => {
      target.off('error', fail);
      done();
    });
  });
}

function stop(): void {
  server.close(() => process.exit(0));
  // Event streams never end by themselves.
  server.closeAllConnections();
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
