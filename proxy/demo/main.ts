/** Entry of the demo cluster's own process. */
import { fstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { startDemoCluster } from './demo-cluster.ts';
import { openFaultDoor } from './fault-door.ts';
import { DemoLab } from './lab/demo-lab.ts';

const USAGE = `Usage: main.ts --home DIR [--socket PATH] [--base 127.0.0.11] [--port 2881] [--deprecate-eof]
Starts the embedded demo cluster: five OBServers on loopback addresses. Data are kept in DIR/demo.
  --socket PATH     Unix socket of the fault door (HTTP and JSON)
  --base ADDRESS    first of five addresses; the next free block is taken when they are in use
  --port PORT       SQL port of every server; 0: any free one each
  --deprecate-eof   offer CLIENT_DEPRECATE_EOF, which OceanBase does not`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      home: { type: 'string' },
      socket: { type: 'string' },
      base: { type: 'string' },
      port: { type: 'string' },
      'deprecate-eof': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || values.home === undefined) {
    process.stdout.write(`${USAGE}\n`);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new OdpError('INVALID_ARGUMENT', { detail: `--port '${values.port}' is no port` });
  }
  const directory = join(values.home, 'demo');
  mkdirSync(directory, { recursive: true });
  const cluster = await startDemoCluster({
    directory,
    ...(values.base === undefined ? {} : { base: values.base }),
    ...(port === undefined ? {} : { port }),
    advertiseDeprecateEof: values['deprecate-eof'],
  });
  const lab = new DemoLab(cluster.faults);
  const door = values.socket === undefined ? null : await openFaultDoor(lab, values.socket);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void (async () => {
      lab.close();
      await door?.close();
      await cluster.close();
      process.exit(0);
    })();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // No orphan: the parent's end shows as the end of its channel or of the pipe on stdin.
  if (process.channel) process.once('disconnect', stop);
  const input = fstatSync(0);
  if (input.isFIFO() || input.isSocket()) {
    process.stdin.once('end', stop);
    process.stdin.once('close', stop);
    process.stdin.resume();
  }
  const servers = cluster.servers.map(({ address, zone }) => ({ address, zone }));
  process.stdout.write(
    `${JSON.stringify({ event: 'ready', clusterName: cluster.clusterName, servers, socket: values.socket ?? null })}\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`demo cluster: ${errorText(error)}\n`);
  process.exit(1);
});
