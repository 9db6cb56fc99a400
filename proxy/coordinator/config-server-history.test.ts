import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { singleCluster } from '../cluster/cluster-directory.ts';
import { type HistoryStore, openHistory } from '../history/history-store.ts';
import { ConfigServerHistory } from './config-server-history.ts';

const log = { warn: (_fields: object, text: string) => expect.unreachable(text) };
let home: string;
let history: HistoryStore;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'odp-configserver-history-'));
  history = await openHistory(home, { log });
});
afterEach(async () => {
  await history.close();
  rmSync(home, { recursive: true, force: true });
});

/** What a ConfigServer tells: servers by cluster; null: nothing yet. */
function telling(servers: Record<string, string[]> | null) {
  const status = { url: '', version: '1', answeredAtMs: 0, error: null };
  const clusters = Object.entries(servers ?? {}).flatMap(([name, hosts]) =>
    singleCluster(
      name,
      hosts.map((host) => ({ host, port: 2881, text: `${host}:2881` })),
    ).clusters(),
  );
  const source = servers === null ? ('none' as const) : ('server' as const);
  return { status: { ...status, source }, clusters: () => clusters };
}

const rows = async () =>
  (await history.log.page({ source: 'configserver' }, 20)).rows.map(({ scope, oldValue, newValue, origin }) => [
    scope,
    oldValue,
    newValue,
    origin,
  ]);

const url = 'http://user:secret@config:8080/services?Action=GetObProxyConfig';

describe('changes of a ConfigServer in the history', () => {
  it('clusters that come, change and go leave a row each; order and unknown servers leave none', async () => {
    const changes = await ConfigServerHistory.open(history, url);
    await changes.look(telling(null));
    await changes.look(telling({ a: ['10.0.0.1', '10.0.0.2'], b: [] }));
    await changes.look(telling({ a: ['10.0.0.2', '10.0.0.1'], b: [] }));
    await changes.look(telling({ a: ['10.0.0.3'], b: ['10.1.0.1'] }));
    await changes.look(telling({ b: ['10.1.0.1'] }));
    expect(await rows()).toEqual([
      ['cluster=a', '10.0.0.3:2881', null, 'config:8080'],
      ['cluster=b', null, '10.1.0.1:2881', 'config:8080'],
      ['cluster=a', '10.0.0.1:2881;10.0.0.2:2881', '10.0.0.3:2881', 'config:8080'],
      ['cluster=a', null, '10.0.0.1:2881;10.0.0.2:2881', 'config:8080'],
    ]);
  });

  it('C17 of two generations one writes, and who takes its place goes on from what it wrote', async () => {
    const old = await ConfigServerHistory.open(history, url);
    await old.look(telling({ a: ['10.0.0.1'] }));
    const fresh = await ConfigServerHistory.open(history, url);
    fresh.pause();
    await fresh.look(telling({ a: ['10.0.0.1'], b: ['10.1.0.1'] }));
    expect(await rows()).toHaveLength(1);
    await old.look(telling({ a: ['10.0.0.2'], c: ['10.2.0.1'] }));
    old.pause();
    await fresh.resume(telling({ a: ['10.0.0.1'] }));
    await old.look(telling({ a: ['10.0.0.3'] }));
    expect((await rows()).slice(0, -3)).toEqual([
      ['cluster=c', '10.2.0.1:2881', null, 'config:8080'],
      ['cluster=a', '10.0.0.2:2881', '10.0.0.1:2881', 'config:8080'],
    ]);
  });

  it('what changed while the proxy was down is found at its start, and nothing is told twice', async () => {
    const before = await ConfigServerHistory.open(history, url);
    await before.look(telling({ a: ['10.0.0.1'], b: ['10.1.0.1'] }));
    const after = await ConfigServerHistory.open(history, url);
    const another = await ConfigServerHistory.open(history, url);
    await another.look(telling({ a: ['10.0.0.1'], b: ['10.1.0.2'] }));
    await after.look(telling({ a: ['10.0.0.1'], b: ['10.1.0.2'] }));
    expect((await rows()).slice(0, -2)).toEqual([['cluster=b', '10.1.0.1:2881', '10.1.0.2:2881', 'config:8080']]);
  });
});
