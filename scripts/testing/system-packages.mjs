/** What the tests need from the system beside Node: installed where that is possible, named where it is not. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

const findProgram = (...names) =>
  names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
const hasProgram = (name) => findProgram(name) !== undefined;

/** Path of a Chromium or of a browser that is one in all but name; undefined when there is none. */
export const findChromium = () => findProgram('chromium', 'chromium-browser', 'google-chrome');

const hasPythonVenv = () => spawnSync('python3', ['-c', 'import ensurepip, venv'], { stdio: 'ignore' }).status === 0;

/** The core packages carry the programs without a service that starts by itself. */
const needs = [
  { package: 'chromium', for: 'browser tests, skipped without', isThere: () => findChromium() !== undefined },
  { package: 'fonts-dejavu-core', for: 'browser tests', isThere: () => existsSync('/usr/share/fonts') },
  {
    package: 'fonts-droid-fallback',
    for: 'browser tests in Japanese and Chinese, which show boxes of another width without',
    isThere: () => existsSync('/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf'),
  },
  {
    package: 'mariadb-server-core',
    for: 'tests against MariaDB, skipped without',
    isThere: () => hasProgram('mariadbd') && hasProgram('mariadb-install-db'),
  },
  {
    package: 'mariadb-client-core',
    for: 'tests with the mysql client, skipped or failing without',
    isThere: () => hasProgram('mariadb'),
  },
  { package: 'curl', for: 'the examples of the API, failing without', isThere: () => hasProgram('curl') },
  { package: 'jq', for: 'the examples of the API, failing without', isThere: () => hasProgram('jq') },
  { package: 'sysbench', for: 'a short benchmark, skipped without', isThere: () => hasProgram('sysbench') },
  {
    package: 'python3-venv',
    for: 'tests against the genuine OceanBase kernel, skipped without',
    isThere: hasPythonVenv,
  },
  {
    package: 'default-jdk-headless',
    for: 'tests with clients in Java, failing without',
    isThere: () => hasProgram('javac') && hasProgram('keytool'),
  },
  { package: 'maven', for: 'tests with clients in Java, failing without', isThere: () => hasProgram('mvn') },
];

/**
 * Installs what is missing (root on Debian and its kin), and returns what is missing after that, in words.
 * @param {(line: string) => void} log
 * @returns {string[]}
 */
export function ensureSystemPackages(log) {
  const missing = needs.filter((need) => !need.isThere());
  if (missing.length > 0 && process.getuid?.() === 0 && hasProgram('apt-get')) {
    const names = missing.map((need) => need.package);
    log(`installing with apt-get: ${names.join(' ')}`);
    aptGet(['update', '-qq'], log);
    aptGet(['install', '-y', '-qq', '--no-install-recommends', ...names], log);
  }
  return needs.filter((need) => !need.isThere()).map((need) => `${need.package} (${need.for})`);
}

function aptGet(args, log) {
  const { status, stdout, stderr } = spawnSync('apt-get', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) log(`apt-get ${args[0]} failed:\n${stdout}${stderr}`);
}
