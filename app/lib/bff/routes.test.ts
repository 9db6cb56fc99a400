import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../proxy/control/contract.ts';

const api = join(import.meta.dirname, '../../api');
// The API for scripts is one file, and made by the same wrapper: see find-api-route.test.ts.
const files = globSync('**/route.ts', { cwd: api }).filter((file) => !file.startsWith('v1/'));

describe('API routes', () => {
  it('are all made by the one wrapper (case B111)', () => {
    for (const file of files) {
      const exported = readFileSync(join(api, file), 'utf8').match(/^export .*$/gm) ?? [];
      expect(exported.length, file).toBeGreaterThan(0);
      for (const line of exported) expect(line, file).toMatch(/^export const (GET|POST) = forward\('\w+'(, \w+)?\);$/);
    }
  });

  it('forward every route of the control API, once, by its own method', () => {
    const forwarded = files.flatMap((file) =>
      [...readFileSync(join(api, file), 'utf8').matchAll(/^export const (\w+) = forward\('(\w+)'/gm)].map(
        ([, method, name]) => `${method} ${name}`,
      ),
    );
    expect(forwarded.toSorted()).toEqual(
      Object.entries(routes)
        .map(([name, { method }]) => `${method} ${name}`)
        .toSorted(),
    );
  });
});
