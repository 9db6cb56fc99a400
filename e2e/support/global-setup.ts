import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { rememberProduct } from './product.ts';

const root = resolve(import.meta.dirname, '../..');
const startLimitMs = 60_000;

/** Starts the real product in a home of its own, as `npm start` would; the answer stops it and removes the home. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), 'odp-e2e-'));
  const [mysqlPort, consolePort] = [await freePort(), await freePort()];
  const child = spawn(
    process.execPath,
    ['proxy/main.ts', '-p', String(mysqlPort), '--console-port', String(consolePort)],
    { cwd: root, env: { ...process.env, ODP_HOME: home }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const lines = await linesUntilReady(child);
    const url = lines.join('\n').match(/https?:\/\/[\w.:[\]-]+/)?.[0];
    const password = lines.join('\n').match(/one-time password:? (\S+)/)?.[1];
    if (url === undefined || password === undefined) throw new Error(`no address or password in:\n${lines.join('\n')}`);
    rememberProduct({ url, mysqlPort, oneTimePassword: password, home });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/** What the product prints up to the line that says it is ready. */
function linesUntilReady(child: ChildProcess): Promise<string[]> {
  return new Promise((done, fail) => {
    const lines: string[] = [];
    const timer = setTimeout(() => fail(new Error(`not ready after 60 s:\n${lines.join('\n')}`)), startLimitMs);
    if (child.stdout === null) throw new Error('the product has no standard output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (!line.startsWith('odp ready')) return;
      clearTimeout(timer);
      done(lines);
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(new Error(`the product ended with ${code} before it was ready:\n${lines.join('\n')}`));
    });
  });
}

/** A port that nobody listens on just now. */
function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') fail(new Error('no port'));
        else done(address.port);
      });
    });
  });
}
