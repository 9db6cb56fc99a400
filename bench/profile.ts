/** Where a V8 CPU profile's time went. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  /** Microseconds between a sample and the one before. */
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

const shown = 15;

/** Removes the profiles of earlier runs. */
export async function clearProfiles(folder: string): Promise<void> {
  for (const file of await profilesIn(folder)) await rm(file);
}

/** One paragraph per profile in the folder: the functions that were running themselves for the longest. */
export async function describeProfiles(folder: string): Promise<string> {
  const files = await profilesIn(folder);
  const texts = files.map(async (file) => {
    const lines = selfTimes(JSON.parse(await readFile(file, 'utf8')))
      .slice(0, shown)
      .map(({ share, name }) => `  ${(share * 100).toFixed(1).padStart(5)} %  ${name}`);
    return [basename(file), ...lines].join('\n');
  });
  return (await Promise.all(texts)).join('\n\n');
}

/** Share of all time, idle time left out, by function. */
export function selfTimes(profile: CpuProfile): { name: string; share: number }[] {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of profile.samples.entries()) {
    const name = names.get(id) ?? '?';
    times.set(name, (times.get(name) ?? 0) + (profile.timeDeltas[index] ?? 0));
  }
  times.delete('(idle)');
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .map(([name, time]) => ({ name, share: time / total }))
    .sort((left, right) => right.share - left.share);
}

function nameOf({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName || '(anonymous)';
  return url === '' ? name : `${name} ${basename(url)}:${lineNumber + 1}`;
}

async function profilesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith('.cpuprofile')).map((name) => join(folder, name));
}
