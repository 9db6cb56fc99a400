import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { addressBlocks } from './addresses.ts';
import { ClusterState } from './cluster-state.ts';
import { DemoEngine } from './engine/engine.ts';
import { DemoFaults } from './faults.ts';
import { createSampleData } from './sample-data.ts';
import { DemoListener } from './server/listener.ts';
import { ServerFaults } from './server/server-faults.ts';

export interface DemoClusterOptions {
  /** Default `obdemo`. */
  readonly clusterName?: string;
  /** Where the data are kept; a temporary directory that goes with the cluster when it is missing. */
  readonly directory?: string;
  /** First of five consecutive loopback addresses; the next free block is taken when they are in use. */
  readonly base?: string;
  /** SQL port of every server; 0: any free one each. */
  readonly port?: number;
  /** Whether the servers offer CLIENT_DEPRECATE_EOF. OceanBase does not. */
  readonly advertiseDeprecateEof?: boolean;
  /** Certificate and key, PEM: the servers then offer TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface DemoServerAddress {
  /** `ip:port` of the SQL port. */
  readonly address: string;
  readonly ip: string;
  readonly port: number;
  readonly zone: string;
  readonly hostName: string;
}

/** A running demo cluster. */
export interface DemoCluster {
  readonly clusterName: string;
  readonly servers: readonly DemoServerAddress[];
  readonly faults: DemoFaults;
  /** Stops all servers and frees the data's files. */
  close(): Promise<void>;
}

const DEFAULT_NAME = 'obdemo';
const SERVER_COUNT = 5;
const DEFAULT_PORT = 2881;
const RPC_PORT = 2882;

/** Shown in every greeting and by VERSION(): nobody should take the demo for a real server. */
const VERSION = '5.7.25-OceanBase-v4.3.5.3 (ODP demo cluster)';

/**
 * Starts five OBServers that answer over the real wire in this process (placement R28), with tenants `sys` and `trade`.
 * @throws OdpError NO_SERVER_CONNECTION when no block of addresses is free
 */
export async function startDemoCluster(options: DemoClusterOptions = {}): Promise<DemoCluster> {
  const clusterName = options.clusterName ?? DEFAULT_NAME;
  const temporary = options.directory === undefined ? mkdtempSync(join(tmpdir(), 'odp-demo-')) : null;
  const directory = options.directory ?? temporary ?? '';
  const removeTemporary = (): void => {
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
  };
  let lastError = 'no address tried';
  const tls = options.tls === undefined ? null : createSecureContext(options.tls);
  for (const ips of addressBlocks(options.base ?? '127.0.0.11', SERVER_COUNT)) {
    const state = new ClusterState(clusterName, ips, RPC_PORT, Date.now() * 1000);
    const engine = new DemoEngine(directory, state);
    const listeners = state.servers.map((server) => {
      const faults = new ServerFaults();
      const advertiseDeprecateEof = options.advertiseDeprecateEof ?? false;
      const listener = new DemoListener(
        { engine, server, faults, version: VERSION, advertiseDeprecateEof, tls },
        options.port ?? DEFAULT_PORT,
      );
      return { server, listener, faults };
    });
    const stop = async (): Promise<void> => {
      for (const { listener } of listeners) {
        await listener.refuse();
        listener.thaw();
        listener.cut();
      }
      engine.close();
    };
    try {
      for (const { server, listener } of listeners) server.sqlPort = await listener.listen();
    } catch (error) {
      await stop();
      lastError = errorText(error);
      if (!/EADDRINUSE/.test(lastError)) {
        removeTemporary();
        throw error;
      }
      continue;
    }
    await createSampleData(engine);
    const faults = new DemoFaults(engine, listeners);
    return {
      clusterName,
      servers: state.servers.map(({ ip, sqlPort, zone, hostName }) => ({
        address: `${ip}:${sqlPort}`,
        ip,
        port: sqlPort,
        zone,
        hostName,
      })),
      faults,
      close: async () => {
        await stop();
        removeTemporary();
      },
    };
  }
  removeTemporary();
  throw new OdpError('NO_SERVER_CONNECTION', { cluster: clusterName, detail: lastError });
}
