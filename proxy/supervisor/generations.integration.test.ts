import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spoiltTree } from '../testing/spoilt-tree.ts';
import type { TemporaryTree } from '../testing/temporary-tree.ts';
import { Generations } from './generations.ts';

/** A generation that serves, as far as it says, and has an upgrade given up after one attempt. */
const serving = `
const settings = { exitTimeoutMs: 0, rollbackTimeoutMs: 60000, failureRetries: 1, delayExitMs: 100 };
const none = { version: '1', workers: 0, clientSessions: 0, requests: 0, errors: 0, rssBytes: 0, moved: 0, refused: 0 };
process.on('message', ({ type }) => {
  if (type !== 'start') return;
  process.send({ type: 'ready' });
  process.send({ type: 'report', report: { ...none, settings, waiting: [], waitingTotal: 0 } });
});
for (const event of ['disconnect', 'SIGTERM']) process.on(event, () => process.exit(0));
`;

const order = {
  type: 'start',
  kind: 'upgrade',
  hold: false,
  watchMs: 0,
  md5: null,
  by: 'a',
  source: 'start',
  reason: 'b',
} as const;

describe('case B92: a tree whose generation cannot even be started', () => {
  let tree: TemporaryTree;
  let other: TemporaryTree;
  let generations: Generations;

  beforeEach(async () => {
    [tree, other] = [spoiltTree(serving), spoiltTree('')];
    generations = new Generations({
      options: {
        parameters: [],
        demo: null,
        consoleHost: '',
        consolePort: 0,
        withConsole: false,
        resetAdmin: false,
        home: tree.directory,
      },
      directory: tree.directory,
      print: () => undefined,
      demo: () => Promise.reject(new Error('not wanted here')),
      onTree: () => undefined,
      onExit: () => undefined,
    });
    const reported = seen((view) => view.failureRetries === 1);
    await generations.start();
    await reported;
  });
  afterEach(async () => {
    await generations.stop();
    tree.remove();
    other.remove();
  });

  function seen(fits: (view: ReturnType<Generations['view']>) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = generations.watch((view) => {
        if (!fits(view)) return;
        end();
        resolve();
      });
    });
  }

  it.each([
    ['its manifest is gone', () => rmSync(join(other.directory, 'package.json'))],
    [
      'its Node may not be run',
      () => {
        rmSync(join(other.directory, 'node_modules'));
        for (const name of ['zod', '.bin']) mkdirSync(join(other.directory, 'node_modules', name), { recursive: true });
        writeFileSync(join(other.directory, 'node_modules', '.bin', 'node'), '', { mode: 0o600 });
      },
    ],
  ])('%s: the run is given up, and another can be ordered', async (_what, spoil) => {
    spoil();
    for (const number of [1, 2]) {
      const over = seen(({ run }) => run?.number === number && run.outcome !== null);
      expect(generations.order({ ...order, directory: other.directory })).toBeNull();
      await over;
      const { phase, run, generations: left } = generations.view();
      expect({ phase, outcome: run?.outcome }).toEqual({ phase: 'idle', outcome: 'given up' });
      expect(left.map(({ id, role }) => [id, role])).toEqual([[1, 'active']]);
    }
  });
});
