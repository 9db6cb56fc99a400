/**
 * Programs from Debian's unstable suite in a folder of their own, with all that they are linked with: nothing of it is
 * installed, and the machine's own packages stay as they are. For what its release does not have.
 */
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SUITE = 'sid';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Runs a program. @returns what it prints */
type Run = (program: string, args: readonly string[]) => Promise<string>;

/** Unpacks a package and what it depends on below `target`. @throws Error where there is no Debian to fetch from */
export async function unpackFromDebian(name: string, target: string, run: Run): Promise<void> {
  const apt = join(target, 'apt');
  for (const folder of ['lists/partial', 'cache/archives/partial']) await mkdir(join(apt, folder), { recursive: true });
  await writeFile(join(apt, 'status'), '');
  await writeFile(join(apt, 'sources.list'), `deb [signed-by=${KEYRING}] ${await mirror(run)} ${SUITE} main\n`);
  const options = Object.entries({
    'Dir::Etc::sourcelist': join(apt, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(apt, 'lists'),
    // As if nothing were installed: every library comes along.
    'Dir::State::status': join(apt, 'status'),
    'Dir::Cache': join(apt, 'cache'),
    'Acquire::Languages': 'none',
    'APT::Sandbox::User': 'root',
    'Debug::NoLocking': '1',
  }).flatMap(([option, value]) => ['-o', `${option}=${value}`]);
  await run('apt-get', [...options, '-q', 'update']);
  await run('apt-get', [...options, '-qy', '--no-install-recommends', '--download-only', 'install', name]);
  const archives = join(apt, 'cache', 'archives');
  for (const file of await readdir(archives)) {
    if (file.endsWith('.deb')) await run('dpkg-deb', ['-x', join(archives, file), target]);
  }
  await rm(apt, { recursive: true });
}

/** Makes a file that starts an unpacked program with the libraries that came with it: the machine's may be older. */
export async function makeLauncher(target: string, program: string, file: string): Promise<void> {
  const [machine = ''] = (await readdir(join(target, 'usr', 'lib'))).filter((name) => name.endsWith('-linux-gnu'));
  const libraries = join(target, 'usr', 'lib', machine);
  const loader = (await readdir(libraries)).find((name) => /^ld-linux-.*\.so/.test(name));
  if (loader === undefined) throw new Error(`no loader is in ${libraries}`);
  const command = `exec '${join(libraries, loader)}' --library-path '${libraries}' '${join(target, program)}' "$@"`;
  await writeFile(file, `#!/bin/sh\n${command}\n`);
  await chmod(file, 0o755);
}

/** Where this machine has its Debian from; known before any list of packages was fetched. */
async function mirror(run: Run): Promise<string> {
  const addresses = await run('apt-get', ['--print-uris', 'update']);
  const found = /'([^']+\/debian\/?)\/dists\//.exec(addresses)?.[1];
  if (found === undefined) throw new Error('this machine has no Debian package source');
  return found;
}
