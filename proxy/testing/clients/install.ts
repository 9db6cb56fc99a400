/**
 * The drivers of other languages, in a folder of their own: made on first use, reused as long as the lists of versions
 * (`requirements.txt`, `go.mod`, `pom.xml`) are those they were made from. Each language's own tool fetches them, with
 * its own settings.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { errorText } from '../../errors/odp-error.ts';
import { makeLauncher, unpackFromDebian } from './debian.ts';

const run = promisify(execFile);
const sources = fileURLToPath(new URL('.', import.meta.url));
const fromSources = (...parts: readonly string[]): string => join(sources, ...parts);
const CAN_TAKE_MS = 10 * 60_000;

/** Where `npm test` keeps them; git ignores it. */
const folder = fileURLToPath(new URL('../../../.cache/clients', import.meta.url));

export const installed = {
  python: join(folder, 'python', 'bin', 'python'),
  pythonProgram: fromSources('python', 'work.py'),
  go: join(folder, 'go', 'work'),
  javaFolder: join(folder, 'java'),
  mysqlClient: join(folder, 'mysql', 'mysql'),
  mysqlPlugins: join(folder, 'mysql', 'usr', 'lib', 'mysql', 'plugin'),
  /** Each driver has the folder to itself: all of them would answer to `jdbc:mysql:`. */
  classPath: (driver: string): string => [join(folder, 'java', 'classes'), join(folder, 'java', driver, '*')].join(':'),
} as const;

interface Kit {
  readonly name: string;
  /** What it is made from; any change makes it anew. */
  readonly files: readonly string[];
  make(target: string): Promise<unknown>;
}

const kits: readonly Kit[] = [
  {
    name: 'python',
    files: ['python/requirements.txt'],
    make: async (target) => {
      await runOrExplain('python3', ['-m', 'venv', target], 'Python with venv is needed (Debian: python3-venv)');
      const options = ['--disable-pip-version-check', '--no-input', '--quiet', '--only-binary', ':all:'];
      const list = fromSources('python', 'requirements.txt');
      await runOrExplain(join(target, 'bin', 'python'), ['-m', 'pip', 'install', ...options, '-r', list], 'pip failed');
    },
  },
  {
    name: 'go',
    files: ['go/go.mod', 'go/go.sum', 'go/main.go'],
    make: (target) =>
      runOrExplain(
        // Debian's own is too old for the driver.
        join(folder, 'python', 'bin', 'go'),
        ['build', '-mod=readonly', '-o', join(target, 'work'), '.'],
        'building with the Go of python/requirements.txt failed',
        fromSources('go'),
      ),
  },
  {
    name: 'java',
    files: ['java/pom.xml', 'java/Work.java', 'java/sha256.txt'],
    make: async (target) => {
      const jars = join(target, 'jars');
      const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${jars}`, `-f`, fromSources('java', 'pom.xml')];
      await runOrExplain('mvn', ['-q', '-B', ...copy], 'Maven is needed (Debian: maven)');
      await sortJars(jars, target);
      const compile = ['-encoding', 'UTF-8', '-d', join(target, 'classes'), fromSources('java', 'Work.java')];
      await runOrExplain(
        'javac',
        compile,
        'a Java compiler of version 17 or newer is needed (Debian: default-jdk-headless)',
      );
    },
  },
  {
    name: 'mysql',
    files: ['debian.ts'],
    make: async (target) => {
      const hint = "MySQL's command line client comes from Debian's unstable suite; this needs Debian";
      await unpackFromDebian('mysql-client-core', target, (program, args) => runOrExplain(program, args, hint));
      await makeLauncher(target, 'usr/bin/mysql', installed.mysqlClient);
    },
  },
];

/**
 * Makes what is missing; what cannot be had does not keep the others from being made. @param log is told what takes time
 * @throws Error with what is missing on this machine, or what a tool said
 */
export async function installClients(log: (line: string) => void): Promise<void> {
  const problems: string[] = [];
  for (const kit of kits) {
    try {
      await install(kit, log);
    } catch (error) {
      problems.push(errorText(error));
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

async function install(kit: Kit, log: (line: string) => void): Promise<void> {
  const target = join(folder, kit.name);
  const stampFile = join(target, 'odp-stamp');
  const texts = await Promise.all(kit.files.map((file) => readFile(fromSources(file))));
  const stamp = createHash('sha256').update(Buffer.concat(texts)).digest('hex');
  if (existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp) return;
  log(`fetching database drivers for ${kit.name}`);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await kit.make(target);
  await writeFile(stampFile, stamp);
}

/** Holds the archives to the sums that are written down, and lays each driver into its own folder. */
async function sortJars(jars: string, target: string): Promise<void> {
  const listed = (await readFile(fromSources('java', 'sha256.txt'), 'utf8')).trim().split('\n');
  const wanted = new Map(
    listed.map((line) => line.split(/\s+/)).map(([sum = '', driver = '', file = '']) => [file, { sum, driver }]),
  );
  for (const file of await readdir(jars)) {
    const expected = wanted.get(file);
    if (expected === undefined) throw new Error(`${file} is not among the archives of java/sha256.txt`);
    const bytes = await readFile(join(jars, file));
    const sum = createHash('sha256').update(bytes).digest('hex');
    if (sum !== expected.sum) throw new Error(`${file} has the SHA-256 ${sum}, ${expected.sum} is expected`);
    const place = join(target, expected.driver, file);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, bytes);
    wanted.delete(file);
  }
  if (wanted.size > 0) throw new Error(`missing: ${[...wanted.keys()].join(', ')}`);
  await rm(jars, { recursive: true });
}

async function runOrExplain(program: string, args: readonly string[], hint: string, cwd = folder): Promise<string> {
  try {
    return (await run(program, args, { cwd, timeout: CAN_TAKE_MS, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
    throw new Error(`${hint}: ${program}: ${(stderr + stdout).trim().slice(-1500) || errorText(error)}`);
  }
}
