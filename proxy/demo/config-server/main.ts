/** `npm run configserver`: a ConfigServer on this machine, with demo clusters to serve. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { errorText, OdpError } from '../../errors/odp-error.ts';
import { type DemoCluster, startDemoCluster } from '../demo-cluster.ts';
import { writeClusterFiles } from './cluster-files.ts';
import { startDemoConfigServer } from './config-server.ts';

const USAGE = `Usage: npm run configserver [-- options]

A ConfigServer for trying things out: it tells a proxy which clusters there are and where their servers listen, from
files in a folder that you may edit while it runs. Two demo clusters are started with it, obdemo and obtest.

  --port PORT          its port on 127.0.0.1 (8089); 0 takes a free one
  --directory FOLDER   where the files are (config-server in ODP_HOME, ./data)
  --clusters A,B       names of the demo clusters to start (obdemo,obtest); empty: none, the files are all yours
  --help               this text

Then:  npm start -- -o obproxy_config_server_url='http://127.0.0.1:8089/services?Action=GetObProxyConfig'
       (its version with templates: …?Action=GetObRootServiceInfoUrlTemplate)

NAME.json is the cluster NAME: where its servers are. NAME.idc.json tells the regions of data centres. A file removed is
a cluster gone. The files of the demo clusters are written at the first start, and left alone afterwards.`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8089' },
    directory: { type: 'string' },
    clusters: { type: 'string', default: 'obdemo,obtest' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

async function main(): Promise<void> {
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new OdpError('INVALID_ARGUMENT', { detail: `--port '${values.port}' is no port` });
  }
  const home = resolve(process.env.ODP_HOME || 'data');
  const directory = resolve(values.directory ?? join(home, 'config-server'));
  mkdirSync(directory, { recursive: true });
  const clusters: DemoCluster[] = [];
  for (const [index, name] of values.clusters.split(',').filter(Boolean).entries()) {
    // Every cluster in a network of its own, so that the addresses stay the same from start to start.
    const base = `127.0.${100 + index}.11`;
    const kept = join(home, 'demo-clusters', name);
    mkdirSync(kept, { recursive: true });
    const cluster = await startDemoCluster({ directory: kept, clusterName: name, base });
    clusters.push(cluster);
    await writeClusterFiles(directory, cluster, index + 1);
    process.stdout.write(
      `configserver: cluster ${name} at ${cluster.servers.map(({ address }) => address).join(', ')}\n`,
    );
  }
  const server = await startDemoConfigServer({ directory, port });
  process.stdout.write(`configserver: files in ${directory}\nconfigserver: ready at ${server.url()}\n`);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void (async () => {
      await server.close();
      await Promise.all(clusters.map((cluster) => cluster.close()));
      process.exit(0);
    })();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}

if (values.help) process.stdout.write(`${USAGE}\n`);
else {
  main().catch((error: unknown) => {
    process.stderr.write(`configserver: ${errorText(error)}\n`);
    process.exit(1);
  });
}
