import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OdpError } from '../../errors/odp-error.ts';
import type { Timers } from '../../net/timers.ts';
import { ConfigServer, type ConfigServerOptions } from './config-server.ts';
import { keptCopyAt } from './kept-copy.ts';

const url = 'http://cs/services?Action=GetObProxyConfig';
const server = (address: string) => ({ address: `${address}:2882`, role: 'LEADER', sql_port: 2881 });

/** A ConfigServer whose answers are set by hand; an Error is thrown, a missing answer is an HTTP error. */
class FakeServer {
  readonly answers = new Map<string, unknown>();
  readonly asked: string[] = [];

  setClusters(version: string, clusters: Readonly<Record<string, readonly string[]>>): void {
    const list = Object.keys(clusters).map((name) => ({
      ObCluster: name,
      ObRootServiceInfoUrl: `http://cs/rs/${name}`,
    }));
    this.answers.set(`${url}&VersionOnly=true`, { Version: version });
    this.answers.set(url, { Version: version, ObRootServiceInfoUrlList: list });
    for (const [name, servers] of Object.entries(clusters)) this.setServers(name, servers);
  }

  setServers(name: string, servers: readonly string[]): void {
    this.answers.set(`http://cs/rs/${name}?version=2`, {
      ObCluster: name,
      ObClusterId: 1,
      RsList: servers.map(server),
    });
  }

  readonly fetchText = async (from: string): Promise<string> => {
    this.asked.push(from);
    const data = this.answers.get(from);
    if (typeof data === 'string') return data;
    if (data === undefined) throw new OdpError('CONFIG_SERVER_FAILED', { url: from, detail: 'HTTP status 500' });
    return JSON.stringify({ Code: 200, Success: true, Message: 'successful', Data: data });
  };
}

/** Timers that fire by hand. */
class HandTimers implements Timers {
  readonly pending = new Map<number, { readonly run: () => void; readonly delayMs: number }>();
  #last = 0;

  readonly set = (run: () => void, delayMs: number): number => {
    this.pending.set(++this.#last, { run, delayMs });
    return this.#last;
  };

  readonly clear = (handle: unknown): void => {
    this.pending.delete(handle as number);
  };

  fire(delayMs: number): void {
    const [handle, timer] = [...this.pending].find(([, candidate]) => candidate.delayMs === delayMs) ?? [];
    if (handle === undefined) throw new Error(`no timer of ${delayMs} ms`);
    this.pending.delete(handle);
    timer?.run();
  }
}

describe('ConfigServer', () => {
  let home: string;
  let fake: FakeServer;
  let timers: HandTimers;
  let notices: string[];
  const open: ConfigServer[] = [];

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'odp-cs-'));
    fake = new FakeServer();
    timers = new HandTimers();
    notices = [];
  });

  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    await rm(home, { recursive: true });
  });

  const make = (change: Partial<ConfigServerOptions> = {}): ConfigServer => {
    const made = new ConfigServer({
      url,
      fetchText: fake.fetchText,
      kept: keptCopyAt(join(home, 'copy.json')),
      keptFirst: false,
      intervalMs: () => 60_000,
      idcIntervalMs: () => 7_200_000,
      alwaysAsks: () => false,
      defaultCluster: 'undefined',
      troubled: () => [],
      onNotice: (_level, text) => notices.push(text),
      timers,
      now: () => 1_000,
      random: () => 1,
      ...change,
    });
    open.push(made);
    return made;
  };
  const until = async (what: ConfigServer, isSo: () => boolean): Promise<void> => {
    if (isSo()) return;
    await new Promise<void>((resolve) => what.onChange(() => isSo() && resolve()));
  };
  const addresses = (what: ConfigServer, name: string) =>
    what.find(name, '')?.rootServers.map(({ address }) => address.host);
  const started = async (change: Partial<ConfigServerOptions> = {}): Promise<ConfigServer> => {
    const made = make(change);
    await made.start();
    await until(made, () => made.clusters().every(({ rootServers }) => rootServers.length > 0));
    return made;
  };

  it('R3 tells several clusters with their servers; the first stands for names without one', async () => {
    fake.setClusters('v1', { c1: ['10.0.0.1'], c2: ['10.0.0.2', '10.0.0.3'] });
    const cs = await started();
    expect(addresses(cs, 'c2')).toEqual(['10.0.0.2', '10.0.0.3']);
    expect(cs.find('c1', '')).toMatchObject({ key: 'c1', id: 1, rsUrl: 'http://cs/rs/c1?version=2' });
    expect(cs.defaultName()).toBe('c1');
    expect((await started({ defaultCluster: 'c2' })).defaultName()).toBe('c2');
    expect(cs.status).toEqual({ url, version: 'v1', source: 'server', answeredAtMs: 1_000, error: null });
    await expect(cs.ready('c1', '1')).resolves.toMatchObject({ key: 'c1' });
    await expect(cs.ready('c1', '7')).rejects.toMatchObject({
      code: 'CLUSTER_NOT_EXIST',
      details: { cluster: 'c1:7' },
    });
    await expect(cs.ready('c3', '')).rejects.toMatchObject({ code: 'CLUSTER_NOT_EXIST' });
  });

  it('R3 asks for the version only, and for everything when that is another one', async () => {
    fake.setClusters('v1', { c1: ['10.0.0.1'] });
    const cs = await started();
    fake.asked.length = 0;
    timers.fire(60_000);
    await cs.refresh(false);
    expect(fake.asked).toEqual([`${url}&VersionOnly=true`]);
    fake.setClusters('v2', { c1: ['10.0.0.9'], c2: ['10.0.0.2'] });
    timers.fire(60_000);
    await until(cs, () => addresses(cs, 'c2')?.length === 1 && addresses(cs, 'c1')?.[0] === '10.0.0.9');
    fake.setClusters('v3', { c2: ['10.0.0.2'] });
    timers.fire(60_000);
    await until(cs, () => cs.clusters().length === 1);
    await expect(cs.ready('c1', '')).rejects.toMatchObject({ code: 'CLUSTER_NOT_EXIST' });
  });

  it.each([
    ['an HTTP error', undefined, /HTTP status 500/],
    ['broken JSON', '{"Code":', /not JSON/],
    ['a wrong type', { Version: 'v2', ObRootServiceInfoUrlList: 'c1' }, /ObRootServiceInfoUrlList/],
    ['an empty list', { Version: 'v2', ObRootServiceInfoUrlList: [] }, /no cluster/],
  ])('R3 case B25 with %s what was good stays, and the state tells why', async (_what, document, reason) => {
    fake.setClusters('v1', { c1: ['10.0.0.1'] });
    const cs = await started();
    fake.answers.set(`${url}&VersionOnly=true`, { Version: 'v2' });
    fake.answers.set(url, document);
    await cs.refresh(false);
    expect(cs.status).toMatchObject({ version: 'v1', error: expect.stringMatching(reason) });
    expect(addresses(cs, 'c1')).toEqual(['10.0.0.1']);
    expect(notices.join()).toMatch(reason);
    fake.setClusters('v3', { c1: ['10.0.0.1'] });
    await cs.refresh(false);
    expect(cs.status).toMatchObject({ version: 'v3', error: null });
    expect(notices.at(-1)).toMatch(/answers again/);
  });

  it('R3 case B25 a list of servers that is emptied or fails leaves the one known, and is asked for again', async () => {
    fake.setClusters('v1', { c1: ['10.0.0.1'], c2: ['10.0.0.2'] });
    const cs = await started();
    fake.setServers('c1', []);
    await cs.refreshServerLists();
    expect(addresses(cs, 'c1')).toEqual(['10.0.0.1']);
    expect(cs.find('c1', '')?.error).toMatch(/names no server/);
    expect(cs.find('c2', '')?.error).toBeNull();
    fake.setServers('c1', ['10.0.0.7']);
    await cs.refresh(false);
    await until(cs, () => addresses(cs, 'c1')?.[0] === '10.0.0.7');
    expect(cs.find('c1', '')?.error).toBeNull();
  });

  it('R3 a cluster of which no server answers has its list asked for with the next round', async () => {
    fake.setClusters('v1', { c1: ['10.0.0.1'] });
    let troubled: string[] = [];
    const cs = await started({ troubled: () => troubled });
    fake.setServers('c1', ['10.0.0.8']);
    await cs.refresh(false);
    expect(addresses(cs, 'c1')).toEqual(['10.0.0.1']);
    troubled = ['c1'];
    await cs.refresh(false);
    await until(cs, () => addresses(cs, 'c1')?.[0] === '10.0.0.8');
  });

  it('R3 the kept copy stands in when the ConfigServer is down at start, and says so', async () => {
    fake.setClusters('v1', { c1: ['10.0.0.1'] });
    fake.answers.set('http://cs/rs/c1_idc_list?version=2&ObRegionId=1', { IDCList: [{ idc: 'i', region: 'r' }] });
    const first = await started();
    await until(first, () => first.find('c1', '')?.idcRegions.length === 1);
    await first.refreshIdcLists();
    await first.close();
    fake.answers.clear();
    const cs = await started();
    expect(cs.status).toMatchObject({ version: 'v1', source: 'copy', answeredAtMs: 1_000, error: expect.any(String) });
    expect(addresses(cs, 'c1')).toEqual(['10.0.0.1']);
    expect(cs.find('c1', '')?.idcRegions).toEqual([{ idc: 'i', region: 'r' }]);
    await expect(cs.ready('c1', '')).resolves.toMatchObject({ key: 'c1' });
    // It goes on asking, for the whole document.
    fake.setClusters('v1', { c1: ['10.0.0.1'], c2: ['10.0.0.2'] });
    await cs.refresh(false);
    expect(cs.status).toMatchObject({ source: 'server', error: null });
    expect(cs.clusters().map(({ key }) => key)).toEqual(['c1', 'c2']);
  });

  it('R3 another ConfigServer’s copy, or a broken one, does not count', async () => {
    fake.setClusters('v1', { c1: ['10.0.0.1'] });
    await (await started()).close();
    fake.answers.clear();
    const other = make({ url: 'http://other/' });
    await other.start();
    expect(other.clusters()).toEqual([]);
    await expect(other.ready('c1', '')).rejects.toMatchObject({
      code: 'CLUSTERS_NOT_KNOWN',
      message: expect.stringMatching(/'c1'.*HTTP status 500/),
    });
    const file = join(home, 'copy.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"format": 1', '"format": 99'));
    const broken = make();
    await broken.start();
    expect(broken.clusters()).toEqual([]);
    expect(notices.join()).toMatch(/copy\.json is not usable: format/);
  });

  it('R3 with ignore_local_config off the copy counts at once, without waiting for the ConfigServer', async () => {
    fake.setClusters('v1', { c1: ['10.0.0.1'] });
    await (await started()).close();
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const cs = make({ keptFirst: true, fetchText: (from) => held.then(() => fake.fetchText(from)) });
    await cs.start();
    expect(cs.status.source).toBe('copy');
    expect(addresses(cs, 'c1')).toEqual(['10.0.0.1']);
    letGo();
    await until(cs, () => cs.status.source === 'server');
  });

  it('R3 enable_get_rslist_remote asks anew when a cluster begins to be served; many who wait share a question', async () => {
    fake.setClusters('v1', { c1: ['10.0.0.1'] });
    const cs = await started({ alwaysAsks: () => true });
    fake.setServers('c1', ['10.0.0.4']);
    fake.asked.length = 0;
    const all = await Promise.all([cs.ready('c1', ''), cs.ready('c1', ''), cs.ready('c1', '')]);
    expect(all.map(({ rootServers }) => rootServers[0]?.address.host)).toEqual(['10.0.0.4', '10.0.0.4', '10.0.0.4']);
    expect(fake.asked).toEqual(['http://cs/rs/c1?version=2']);
  });

  it('R3 a cluster whose servers nobody tells says so to who asks for it', async () => {
    fake.setClusters('v1', { c1: ['10.0.0.1'] });
    fake.answers.delete('http://cs/rs/c1?version=2');
    const cs = make();
    await cs.start();
    await expect(cs.ready('c1', '')).rejects.toMatchObject({
      code: 'NO_SERVER_CONNECTION',
      message: expect.stringMatching(/servers are not known: .*HTTP status 500/),
    });
  });

  it('R3 standbys are reached by their id; a change of the primary shows', async () => {
    fake.setClusters('v1', { c1: [] });
    const member = (id: number, type: string, host: string) => ({
      ObCluster: 'c1',
      ObClusterId: id,
      Type: type,
      RsList: [server(host)],
    });
    const list = 'http://cs/rs/c1?version=2';
    fake.answers.set(list, [member(1, 'PRIMARY', '10.0.0.1'), member(2, 'STANDBY', '10.0.0.2')]);
    const cs = await started();
    expect(cs.clusters().map(({ key, id }) => [key, id])).toEqual([
      ['c1', 1],
      ['c1:2', 2],
    ]);
    expect(cs.find('c1', '2')).toMatchObject({ key: 'c1:2', name: 'c1' });
    fake.answers.set(list, [member(1, 'STANDBY', '10.0.0.1'), member(2, 'PRIMARY', '10.0.0.2')]);
    await cs.refreshServerLists();
    expect(cs.clusters().map(({ key, id }) => [key, id])).toEqual([
      ['c1', 2],
      ['c1:1', 1],
    ]);
  });
});
