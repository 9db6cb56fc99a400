import { describe, expect, it } from 'vitest';
import { ConfigView } from '../config/config-view.ts';
import { createLogger } from '../log/logger.ts';
import { clustersToServe, withOneSource } from './clusters-to-serve.ts';
import type { GenerationStart } from './supervisor-link.ts';

const url = { name: 'obproxy_config_server_url', value: 'http://cs/' };
const list = { name: 'rootservice_list', value: '10.0.0.1:2881' };

describe('withOneSource', () => {
  it('R2 R3 lets a new source of clusters take the place of the stored one', () => {
    expect(withOneSource([url])).toEqual([url, { ...list, value: '' }]);
    expect(withOneSource([list])).toEqual([list, { ...url, value: '' }]);
    expect(withOneSource([{ name: 'proxy_id', value: '1' }])).toEqual([{ name: 'proxy_id', value: '1' }]);
  });

  it('R2 R3 refuses both at once, however the names are written', () => {
    expect(() => withOneSource([{ ...url, name: 'OBPROXY_CONFIG_SERVER_URL' }, list])).toThrow(/exclude each other/);
    expect(withOneSource([url, { ...list, value: '' }])).toContainEqual(url);
  });
});

describe('clustersToServe', () => {
  const start = (change: Partial<GenerationStart> = {}): GenerationStart => ({
    type: 'start',
    home: '/nowhere',
    parameters: [],
    demo: null,
    resetAdmin: false,
    generation: 1,
    trial: false,
    ...change,
  });
  const surroundings = (texts: Record<string, string>) => ({
    config: new ConfigView(texts),
    log: createLogger('test', 'silent'),
    troubled: () => [],
    supervisor: {
      demo: async () => ({
        clusterName: 'obdemo',
        demoUser: 'root@trade',
        servers: [{ address: '127.0.0.11:1', zone: 'z' }],
      }),
    },
  });

  it('R2 serves the one of the options, or a stand-in', async () => {
    const one = await clustersToServe(start(), surroundings({ rootservice_list: list.value }));
    expect(one.directory.defaultName()).toBe('obcloud');
    expect(one.directory.clusters()[0]?.rootServers[0]?.address.text).toBe(list.value);
    await expect(one.directory.ready('obcloud', '7')).resolves.toMatchObject({ key: 'obcloud' });
    await expect(one.directory.ready('other', '')).rejects.toMatchObject({ code: 'CLUSTER_NOT_EXIST' });
    const demo = await clustersToServe(
      start({ demo: 'embedded' }),
      surroundings({ [url.name]: 'http://127.0.0.1:1/' }),
    );
    expect(demo).toMatchObject({ demo: true, demoUser: 'root@trade', hasLab: true, configServer: null });
  });

  it('R2 refuses a name without servers', async () => {
    const named = start({ parameters: [{ name: 'rootservice_cluster_name', value: 'c1' }] });
    await expect(clustersToServe(named, surroundings({}))).rejects.toThrow(/-c c1 needs -r/);
  });

  it('R3 case B25 starts although the ConfigServer is not there, and says so to who asks for a cluster', async () => {
    const served = await clustersToServe(start(), surroundings({ [url.name]: 'http://127.0.0.1:1/' }));
    expect(served.directory.clusters()).toEqual([]);
    expect(served.directory.defaultName()).toBe('');
    expect(served.directory.status).toMatchObject({ source: 'none', error: expect.stringContaining('127.0.0.1:1') });
    await expect(served.directory.ready('c1', '')).rejects.toMatchObject({ code: 'CLUSTERS_NOT_KNOWN' });
    await served.close();
  });
});
