import { join } from 'node:path';
import type { Cluster, Server } from '../../proxy/control/contract.ts';
import { ControlBench } from '../../proxy/control/testing.ts';
import { testSession } from '../../proxy/control/testing-client-sessions.ts';
import { endChild } from '../../proxy/supervisor/child.ts';
import { consoleReady, spawnConsole } from '../../proxy/supervisor/console-process.ts';

const name = 'large';
const regions = ['SHANGHAI', 'HANGZHOU', 'SHENZHEN', 'BEIJING', 'CHENGDU'];
const zonesOfRegion = 4;
const serversOfZone = 25;
const sessionCount = 10_000;
const locationCount = 2_000;
const listedCount = 12;
const probesOfServer = 20;
/** As often as a busy proxy tells it. */
const overviewEveryMs = 250;

export const largeSizes = {
  servers: regions.length * zonesOfRegion * serversOfZone,
  sessions: sessionCount,
  locations: locationCount,
  listed: listedCount,
};

interface Place {
  readonly address: string;
  readonly zone: string;
  readonly region: string;
}

const places: readonly Place[] = regions.flatMap((region, r) =>
  Array.from({ length: zonesOfRegion }, (_, z) =>
    Array.from({ length: serversOfZone }, (_, s) => ({
      address: `10.${r}.${z}.${s + 1}:2881`,
      zone: `zone${r * zonesOfRegion + z + 1}`,
      region,
    })),
  ).flat(),
);

/**
 * A console in front of a control server that tells of 500 servers and 10,000 sessions, and goes on telling: the whole
 * way of a page but the proxy behind it.
 */
export class LargeCluster {
  readonly url: string;
  readonly user = { name: 'ada', password: 'ada-password' };
  readonly #close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.#close = close;
  }

  static async start(): Promise<LargeCluster> {
    const bench = await ControlBench.start();
    // The browser goes by its own clock: a cookie of the bench's day would be gone at once.
    bench.pass(Date.now() - bench.nowMs);
    await bench.addUser('ada', 'administrator');
    fill(bench);
    let turn = 0;
    const ticking = setInterval(() => {
      turn += 1;
      bench.setOverview({ clusters: [clusterAt(turn)] });
    }, overviewEveryMs);
    const child = spawnConsole({
      tree: join(import.meta.dirname, '../..'),
      host: '127.0.0.1',
      port: 0,
      controlSocket: bench.socketPath,
    });
    const close = async (): Promise<void> => {
      clearInterval(ticking);
      await endChild(child);
      await bench.stop();
    };
    try {
      return new LargeCluster(await consoleReady(child), close);
    } catch (error) {
      await close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#close();
  }
}

function fill({ blocklists, clientSessions, locations }: ControlBench): void {
  blocklists.setServers(name, places);
  const now = blocklists.now();
  blocklists.tell(name, (blocklist) =>
    places.flatMap(({ address }) =>
      Array.from({ length: probesOfServer }, () =>
        blocklist.probe({ address, ok: true, ...now, tookMs: 2, detail: '' }),
      ).flat(),
    ),
  );
  for (const { address } of places
    .filter((_, index) => index % Math.floor(places.length / listedCount) === 0)
    .slice(0, listedCount)) {
    for (let count = 0; count < 5; count += 1) blocklists.fail(name, address);
  }
  for (let id = 1; id <= sessionCount; id += 1) {
    const session = testSession(id, {
      user: `user-${id % 97}`,
      tenant: `tenant-${id % 31}`,
      clusterName: name,
      host: `10.9.${id % 250}.${id % 199}`,
      active: id % 10 === 0,
      inTransaction: id % 25 === 0,
    });
    clientSessions.sessions.push(session);
  }
  for (let count = 1; count <= locationCount; count += 1) locations.add(`table_${String(count).padStart(5, '0')}`);
}

/** The cluster with counters that have grown. */
function clusterAt(turn: number): Cluster {
  const zones = new Map(places.map(({ zone, region }, index) => [zone, { region, idc: `idc${index % 3}` }]));
  return {
    name,
    demo: false,
    source: 'views',
    refreshedAt: '2026-03-01T10:00:00.000Z',
    error: null,
    isWatched: true,
    zones: [...zones].map(([zone, { region, idc }]) => ({
      name: zone,
      region,
      idc,
      type: 'ReadWrite',
      state: 'ACTIVE',
    })),
    servers: places.map(
      ({ address, zone }, index): Server => ({
        address,
        zone,
        state: index % 41 === 0 ? 'ACTIVE_CONGESTED' : 'ACTIVE',
        serverSessions: 20 + (index % 7),
        requests: 1_000 * (index + 1) + turn * (index % 50),
        reason: 'status ACTIVE',
      }),
    ),
    locations: {
      hits: turn * 90,
      misses: turn,
      lookups: turn,
      failures: 0,
      doubts: 0,
      evictions: 0,
      entries: 2_000,
      bytes: 1,
    },
  };
}
