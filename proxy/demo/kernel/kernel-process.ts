/** One genuine kernel as a child process. */
import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { OdpError } from '../../errors/odp-error.ts';
import { findFreePort } from './free-port.ts';

const startScript = fileURLToPath(new URL('./start_kernel.py', import.meta.url));
/** Takes 1 to 3 s on an idle machine; three at once beside a build take longer. */
const startTimeoutMs = 120_000;
const endTimeoutMs = 10_000;

export interface KernelProcess {
  /** `127.0.0.1:port`; `root@sys` has no password. */
  readonly address: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the process has ended, whatever ended it. */
  readonly ended: Promise<void>;
  /** Ends the process and removes its data. */
  close(): Promise<void>;
}

/**
 * Starts a kernel on a free port with an empty `dataDir` (what was there is removed: about 160 MB come new).
 * @throws OdpError KERNEL_UNAVAILABLE with the last words of a kernel that did not come up.
 */
export async function startKernelProcess(python: string, dataDir: string): Promise<KernelProcess> {
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  const port = await findFreePort();
  const child = spawn(python, [startScript, dataDir, String(port)], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  // Written to by nobody; its closing is what ends the kernel, which may have ended before.
  child.stdin.on('error', () => child.stdin.destroy());

  await new Promise<void>((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => fail(`no answer within ${startTimeoutMs / 1000} s`), startTimeoutMs);
    const fail = (why: string) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new OdpError('KERNEL_UNAVAILABLE', { detail: `${why}. It said: ${output.trim().slice(-1000)}` }));
    };
    const onEnd = (code: number | null) => fail(`it ended with code ${code}`);
    const read = (chunk: Buffer) => {
      output += chunk.toString('utf8');
      if (!/^kernel ready$/m.test(output)) return;
      clearTimeout(timer);
      child.stdout.off('data', read).resume();
      child.stderr.off('data', read).resume();
      child.off('close', onEnd);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', onEnd);
    child.once('error', (error) => fail(error.message));
  });

  const close = async () => {
    child.stdin.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs);
    await ended;
    clearTimeout(timer);
    await rm(dataDir, { recursive: true, force: true });
  };
  return { address: `127.0.0.1:${port}`, port, pid: child.pid ?? 0, ended, close };
}
