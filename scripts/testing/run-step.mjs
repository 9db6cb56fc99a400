import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter } from 'node:path';
import { inTree, root } from '../set-up/paths.mjs';

/** Long enough for any step on two busy cores; a step that hangs must not take the others' time. */
const limitMs = 25 * 60_000;

/**
 * Runs a program of node_modules on the proxy's Node, its output passed on.
 * @returns {Promise<boolean>} whether it ended with 0 within the limit
 */
export function runTool(node, [script, ...args], env = {}) {
  return new Promise((resolve) => {
    const child = spawn(node, [inTree('node_modules', script), ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      // A group of its own, so that at the limit whatever it started ends with it.
      detached: true,
      env: { ...process.env, PATH: `${inTree('node_modules', '.bin')}${delimiter}${process.env.PATH}`, ...env },
    });
    const endGroup = () => process.kill(-child.pid, 'SIGKILL');
    const onSignal = (signal) => {
      endGroup();
      process.exit(signal === 'SIGINT' ? 130 : 143);
    };
    process.once('SIGINT', onSignal);
    process.once('SIGTERM', onSignal);
    const timer = setTimeout(() => {
      console.log(`${script} did not end within ${limitMs / 60_000} minutes`);
      endGroup();
    }, limitMs);
    const done = (ok) => {
      clearTimeout(timer);
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
      resolve(ok);
    };
    child.once('error', (error) => {
      console.log(error.message);
      done(false);
    });
    child.once('exit', (code) => done(code === 0));
  });
}

/** Removes an old report, runs the tool, and reads the report it wrote (null: none). */
export async function runWithReport(node, command, reportFile, env = {}) {
  rmSync(reportFile, { force: true });
  const ok = await runTool(node, command, env);
  return { ok, report: existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : null };
}
