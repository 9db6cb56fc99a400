/**
 * The Python virtual environment that carries the kernel. Made on first use (the package is about 163 MB), reused as
 * long as `requirements.txt` is the one it was made from.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { errorText, OdpError } from '../../errors/odp-error.ts';

const requirementsFile = fileURLToPath(new URL('./requirements.txt', import.meta.url));
/** The package has wheels for these; Debian 12 has 3.11. */
const pythonNames = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
const supportedMinors = [11, 12, 13, 14];

const run = promisify(execFile);

/** Path of the Python of an environment that is complete and current, or null. Looks at files only. */
export function findKernelPython(directory: string): string | null {
  const python = join(directory, 'bin', 'python');
  const stamp = join(directory, 'odp-requirements.txt');
  if (!existsSync(python) || !existsSync(stamp)) return null;
  return readFileSync(stamp, 'utf8') === readFileSync(requirementsFile, 'utf8') ? python : null;
}

/**
 * Makes the environment in `directory` unless it is there, and gives the path of its Python.
 * `log` is told what takes time, one line each.
 * @throws OdpError KERNEL_UNAVAILABLE with what is missing and how to get it.
 */
export async function ensureKernelPython(directory: string, log: (line: string) => void): Promise<string> {
  const ready = findKernelPython(directory);
  if (ready !== null) return ready;
  const basePython = await findBasePython();
  await rm(directory, { recursive: true, force: true });
  await mkdir(dirname(directory), { recursive: true });
  log(`making a Python environment in ${directory}`);
  await runOrExplain(basePython, ['-m', 'venv', directory], 'the Python module venv is needed (Debian: python3-venv)');
  const python = join(directory, 'bin', 'python');
  log('fetching the OceanBase kernel with pip (about 163 MB, the first time only)');
  await runOrExplain(
    python,
    ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--quiet', '-r', requirementsFile],
    'pip could not install it: x86_64 or aarch64 Linux with glibc 2.28 or newer and a package index are needed',
  );
  await writeFile(join(directory, 'odp-requirements.txt'), readFileSync(requirementsFile));
  return python;
}

async function findBasePython(): Promise<string> {
  const seen: string[] = [];
  for (const name of pythonNames) {
    try {
      const { stdout } = await run(name, ['-c', 'import sys; print("%d %d" % sys.version_info[:2])']);
      const [major, minor] = stdout.trim().split(' ').map(Number);
      if (major === 3 && minor !== undefined && supportedMinors.includes(minor)) return name;
      seen.push(`${name} is ${major}.${minor}`);
    } catch (error) {
      if (!isMissingProgram(error)) seen.push(`${name}: ${errorText(error)}`);
    }
  }
  const found = seen.length > 0 ? seen.join(', ') : 'no python3 was found';
  throw new OdpError('KERNEL_UNAVAILABLE', { detail: `it needs Python 3.11 to 3.14 (${found})` });
}

function isMissingProgram(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function runOrExplain(program: string, args: string[], hint: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-2000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => reject(new OdpError('KERNEL_UNAVAILABLE', { detail: errorText(error) })));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new OdpError('KERNEL_UNAVAILABLE', { detail: `${hint}. It said: ${output.trim()}` }));
    });
  });
}
