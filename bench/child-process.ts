/** Programs that a benchmark starts, waits for and ends. */
import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';

const startTimeoutMs = 60_000;
const endTimeoutMs = 15_000;

/** Resolves when somebody listens on the port of 127.0.0.1. @throws Error when the program ends or takes too long */
export async function untilPortOpen(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (!(await canConnect(port))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`${child.spawnfile} did not start`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const done = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

/** @returns what the program has written until then, once that has a line like `pattern` */
export function untilLine(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (why: string) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`the proxy ${why}: ${said}`));
    };
    const timer = setTimeout(() => fail(`was not ready within ${startTimeoutMs / 1000} s`), startTimeoutMs);
    const onExit = (code: number | null) => fail(`ended with code ${code}`);
    child.once('exit', onExit);
    child.stdout?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-4000);
      if (!pattern.test(said)) return;
      clearTimeout(timer);
      child.off('exit', onExit);
      child.stdout?.removeAllListeners('data').resume();
      resolve(said);
    });
  });
}

/** Asks the process to end and waits; one that does not is killed. */
export function endProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
