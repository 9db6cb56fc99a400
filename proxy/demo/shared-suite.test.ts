import { afterAll } from 'vitest';
import { startDemoCluster } from './demo-cluster.ts';
import { sharedSuite } from './shared-suite.ts';

const cluster = await startDemoCluster({ port: 0 });
afterAll(() => cluster.close());

sharedSuite('demo cluster', () => {
  const [server] = cluster.servers;
  if (!server) throw new Error('the demo cluster has no server');
  return { host: server.ip, port: server.port, user: 'root@trade' };
});
