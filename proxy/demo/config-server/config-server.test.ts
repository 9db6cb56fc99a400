import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeClusterFiles } from './cluster-files.ts';
import { type DemoConfigServer, startDemoConfigServer } from './config-server.ts';

describe('the demo ConfigServer', () => {
  let directory: string;
  let server: DemoConfigServer;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'odp-cs-'));
    const servers = [1, 2, 3, 4, 5].map((host) => ({
      address: `127.0.0.${host}:2881`,
      ip: `127.0.0.${host}`,
      port: 2881,
      zone: `zone${host}`,
      hostName: '',
    }));
    for (const [index, clusterName] of ['c1', 'c2'].entries()) {
      await writeClusterFiles(directory, { clusterName, servers }, index + 1);
    }
    server = await startDemoConfigServer({ directory, port: 0 });
  });

  afterEach(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });

  const ask = async (url: string) => {
    const response = await fetch(url);
    return { status: response.status, text: await response.text() };
  };
  const dataOf = async (url: string) => JSON.parse((await ask(url)).text).Data;

  it('R3 answers the document in both forms, and the lists that their URLs lead to', async () => {
    const document = await dataOf(server.url());
    expect(document.ObRootServiceInfoUrlList.map((entry: { ObRegion: string }) => entry.ObRegion)).toEqual([
      'c1',
      'c2',
    ]);
    const list = await dataOf(`${document.ObRootServiceInfoUrlList[1].ObRootServiceInfoUrl}&version=2`);
    expect(list).toMatchObject({
      ObCluster: 'c2',
      ObClusterId: 2,
      RsList: { length: 3 },
      ReadonlyRsList: { length: 2 },
    });
    const templates = await dataOf(server.url('GetObRootServiceInfoUrlTemplate'));
    expect(templates.ObClusterList).toEqual(['c1', 'c2']);
    const url = templates.ObRootServiceInfoUrlTemplateV2.replace(/\$\{\w+\}/, 'c1');
    expect(await dataOf(url)).toMatchObject({ ObCluster: 'c1' });
    expect(await dataOf(url.replace('ObRootServiceInfo', 'ObIDCRegionInfo'))).toMatchObject({ IDCList: { length: 4 } });
  });

  it('R3 has another version after each edit, and passes on what is in a file as it is', async () => {
    const versionUrl = `${server.url()}&VersionOnly=true`;
    const before = await dataOf(versionUrl);
    expect(Object.keys(before)).toEqual(['Version']);
    await writeFile(join(directory, 'c1.json'), '{"RsList": [');
    expect((await dataOf(versionUrl)).Version).not.toBe(before.Version);
    const { ObRootServiceInfoUrlList: list } = await dataOf(server.url());
    expect((await ask(list[0].ObRootServiceInfoUrl)).text).toContain('"Data":{"RsList": [');
  });

  it('answers what it does not know with an error', async () => {
    const base = server.url().split('?')[0];
    expect((await ask(`${base}?Action=ObRootServiceInfo&ObRegion=none`)).status).toBe(404);
    expect((await ask(`${base}?Action=ObRootServiceInfo&ObRegion=..%2Fc1`)).status).toBe(404);
    expect((await ask(`${base}?Action=Other`)).status).toBe(400);
    expect((await ask(server.url().replace('/services', '/elsewhere'))).status).toBe(404);
  });
});
