/**
 * `npm test [-- step …]`: everything that is checked about this tree, on a machine that has only Node 20 and npm. The
 * last line is `N passed, N failed, N skipped`; lint, build, types and dead code count as one test each.
 */
import { mkdirSync } from 'node:fs';
import { inTree, runtimeNode } from './set-up/paths.mjs';
import { buildConsole, setUp } from './set-up/steps.mjs';
import { failureText, playwrightFailures, vitestFailures } from './testing/failures.mjs';
import { listedAsSkipped, playwrightCounts, single, total, vitestCounts } from './testing/reports.mjs';
import { runTool, runWithReport } from './testing/run-step.mjs';
import { ensureSystemPackages, findChromium } from './testing/system-packages.mjs';

const reports = inTree('.cache', 'test');
const playwright = ['@playwright/test/cli.js', 'test', '--config=playwright.config.ts'];

/** In the order of running: types need what the build writes, the browser tests need the built console. */
const steps = {
  lint: async ({ node }) => single(await runTool(node, ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings'])),
  build: async () => single(await succeeds(() => buildConsole(say))),
  types: async ({ node }) => single(await runTool(node, ['typescript/bin/tsc', '--noEmit'])),
  deadcode: async ({ node }) => single(await runTool(node, ['knip/bin/knip.js'])),
  unit: ({ node }) => vitest(node, 'unit'),
  integration: ({ node }) => vitest(node, 'integration'),
  e2e: async ({ node }) => {
    const file = inTree('.cache', 'test', 'e2e.json');
    const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file };
    const chromium = findChromium();
    if (chromium === undefined) {
      const { report } = await runWithReport(node, [...playwright, '--list', '--reporter=json'], file, env);
      say('skipped: there is no Chromium');
      return report === null ? single(false) : listedAsSkipped(report);
    }
    const withBrowser = { ODP_CHROMIUM: chromium, ...env };
    const { ok, report } = await runWithReport(node, [...playwright, '--reporter=list,json'], file, withBrowser);
    return { ...playwrightCounts(report, ok), failures: playwrightFailures(report) };
  },
};

process.exitCode = (await testAll(process.argv.slice(2))) ? 0 : 1;

async function testAll(wanted) {
  const unknown = wanted.filter((name) => !(name in steps));
  if (unknown.length > 0) {
    say(`no such step: ${unknown.join(', ')}; there are ${Object.keys(steps).join(', ')}`);
    return conclude([single(false)]);
  }
  const started = Date.now();
  if (!(await succeeds(() => setUp(say, { build: false })))) return conclude([single(false)]);
  mkdirSync(reports, { recursive: true });
  const node = runtimeNode();
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
  if (isWanted('integration') || isWanted('e2e')) {
    for (const need of ensureSystemPackages(say)) say(`missing: ${need}`);
  }
  if (isWanted('integration')) {
    await runTool(node, ['../scripts/prepare-kernel.ts']);
    await runTool(node, ['../scripts/prepare-clients.ts']);
  }

  const results = [];
  for (const [name, step] of Object.entries(steps)) {
    if (!isWanted(name)) continue;
    const begun = Date.now();
    say(`---- ${name}`);
    results.push({ name, ...(await step({ node })), seconds: (Date.now() - begun) / 1000 });
  }
  say('');
  for (const { failures = [] } of results) for (const failure of failures) say(failureText(failure));
  for (const { name, passed, failed, skipped, seconds } of results) {
    say(`${name.padEnd(12)} ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds.toFixed(1)} s`);
  }
  say(`in all ${((Date.now() - started) / 1000).toFixed(0)} s`);
  return conclude(results);
}

async function vitest(node, project) {
  const file = inTree('.cache', 'test', `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { ok, report } = await runWithReport(
    node,
    ['vitest/vitest.mjs', 'run', '--project', project, ...reporters],
    file,
  );
  return { ...vitestCounts(report, ok), failures: vitestFailures(report) };
}

/** Prints the closing line. @returns whether the run is good: something ran and nothing failed */
function conclude(results) {
  const { passed, failed, skipped } = total(results);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 && passed > 0;
}

async function succeeds(work) {
  try {
    await work();
    return true;
  } catch (error) {
    say(error.message);
    return false;
  }
}

function say(line) {
  console.log(line);
}
