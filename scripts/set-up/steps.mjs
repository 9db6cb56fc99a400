/**
 * What must be there before the proxy can run, each with a cheap check whether it is. A step's stamp is a fingerprint
 * of what went into it, kept inside what it made, and removed before it is made again.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fingerprint, withImports } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { inTree, root, runtimeNode } from './paths.mjs';

const lockFile = inTree('package-lock.json');

const packages = {
  title: 'installing packages (npm ci; a minute or two the first time)',
  stamp: inTree('node_modules', '.odp-stamp'),
  inputs: () => [lockFile],
  /** Packages installed by hand since the lock file changed are good as well: npm leaves its own copy of the lock file. */
  alsoFresh() {
    const installed = inTree('node_modules', '.package-lock.json');
    return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs;
  },
  async make() {
    const npm = process.env.npm_execpath;
    const [program, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
    await run(program, [...first, 'ci', '--include=dev', '--include=optional', '--loglevel=error']);
  },
  hint: 'npm ci failed: is the package registry within reach, and is there room on the disk? Then run it again.',
};

const prismaClient = {
  title: 'generating the database client (prisma generate)',
  stamp: inTree('proxy', 'history', 'generated', '.odp-stamp'),
  inputs: () => [inTree('prisma', 'schema.prisma'), lockFile],
  async make() {
    await run(runtimeNode(), [inTree('node_modules', 'prisma', 'build', 'index.js'), 'generate'], {
      // `generate` never runs this engine but insists on having one, and would download it.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
    });
  },
  hint: 'prisma generate failed: see prisma/schema.prisma.',
};

const consoleBuild = {
  title: 'building the console (next build; about half a minute)',
  stamp: inTree('.next', 'odp-stamp'),
  inputs: () => [
    inTree('app'),
    inTree('public'),
    inTree('next.config.mjs'),
    inTree('postcss.config.mjs'),
    inTree('tsconfig.json'),
    lockFile,
    ...withImports(inTree('proxy', 'control', 'contract.ts')),
  ],
  async make() {
    await run(runtimeNode(), [inTree('node_modules', 'next', 'dist', 'bin', 'next'), 'build'], {
      NEXT_TELEMETRY_DISABLED: '1',
      NODE_ENV: 'production',
    });
  },
  hint: 'next build failed: the message above names the file.',
};

const isFresh = (step) => {
  if (!existsSync(step.stamp)) return step.alsoFresh?.() ?? false;
  return readFileSync(step.stamp, 'utf8') === fingerprint(step.inputs()) || (step.alsoFresh?.() ?? false);
};

/**
 * Makes what is missing or out of date, one process at a time for this tree.
 * @param {(line: string) => void} log told each step that takes time
 * @param {{ build?: boolean }} options `build: false` leaves the console unbuilt
 */
export function setUp(log, { build = true } = {}) {
  return makeStale(build ? [packages, prismaClient, consoleBuild] : [packages, prismaClient], log);
}

/** The last step of `setUp` alone: packages must be there. */
export function buildConsole(log) {
  return makeStale([consoleBuild], log);
}

/** What Prisma makes of the schema, alone: packages must be there. */
export function makeDatabaseClient(log) {
  return makeStale([prismaClient], log);
}

async function makeStale(steps, log) {
  if (steps.every(isFresh)) return;
  const waitingFor = (pid) => log(`waiting for process ${pid}, which is setting up this folder`);
  await withLock(inTree('.cache', 'set-up.lock'), waitingFor, async () => {
    for (const step of steps) {
      if (!isFresh(step)) await make(step, log);
    }
  });
}

async function make(step, log) {
  log(step.title);
  rmSync(step.stamp, { force: true });
  const before = fingerprint(step.inputs());
  try {
    await step.make();
  } catch (error) {
    throw new Error(`${error.message}\n${step.hint}`, { cause: error });
  }
  mkdirSync(dirname(step.stamp), { recursive: true });
  writeFileSync(step.stamp, before);
}

/** Runs a program silently; when it fails the error carries all it said. */
function run(program, args, extraEnv = {}) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...extraEnv };
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env });
    const said = [];
    child.stdout.on('data', (chunk) => said.push(chunk));
    child.stderr.on('data', (chunk) => said.push(chunk));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${Buffer.concat(said).toString('utf8')}(ended with ${signal ?? `code ${code}`})`));
    });
  });
}
