/** `npm run chaos -- upgrade`: see `options.ts` for what it takes and `docs/upgrade.md` for what came out. */
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { replaceSection } from '../../page-section.ts';
import { runKills } from './kills.ts';
import { parseUpgradeOptions, usage } from './options.ts';
import { isClean, killReport, upgradeReport } from './report.ts';
import { runUpgrades } from './run.ts';

const page = fileURLToPath(new URL('../../../docs/upgrade.md', import.meta.url));
/** Processes that wanted a core before anything was started here. */
const loadBefore = loadavg()[0] ?? 0;
/** What was started, in order; ended in the opposite one, however the run ends. */
const started: { close(): Promise<void> }[] = [];

const closeAll = async (): Promise<void> => {
  for (const part of started.splice(0).reverse()) await part.close();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void closeAll().finally(() => process.exit(1)));

async function finish(section: string, name: string, write: boolean): Promise<void> {
  console.log(`\n${section}`);
  if (write) await writeFile(page, replaceSection(await readFile(page, 'utf8'), section, name));
}

try {
  const options = parseUpgradeOptions(process.argv.slice(2));
  if (options === null) process.stdout.write(usage);
  else if (options.kills > 0) {
    const outcomes = await runKills(options.kills, (line) => console.log(line), started);
    await finish(killReport(outcomes, loadBefore), 'upgrade-kills', options.write);
  } else {
    const outcome = await runUpgrades(options, (line) => console.log(line), started);
    await finish(upgradeReport(options, outcome, loadBefore), 'upgrade', options.write);
    if (!isClean(outcome)) process.exitCode = 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await closeAll();
}
process.exit();
