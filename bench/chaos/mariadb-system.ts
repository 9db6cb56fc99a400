/** Three MariaDB servers that pose as a cluster; their faults are those of processes and of the network. */
import { createConnection } from 'mysql2/promise';
import { fillMariaDb, testDatabase } from '../../proxy/testing/backends.ts';
import { type MariaDb, startMariaDb } from '../../proxy/testing/mariadb.ts';
import { Firewall, type Firewalling, firewallMissing } from './firewall.ts';
import { type ChaosSystem, type Fault, startWatchedProxy } from './system.ts';

const serverCount = 3;
const clusterName = 'trio';

/** In place of the system, when MariaDB is not installed: the reason. */
export async function startMariaDbSystem(): Promise<ChaosSystem | string> {
  const parts = await Promise.all(Array.from({ length: serverCount }, () => startMariaDb(['--max-connections=500'])));
  const servers: MariaDb[] = [];
  for (const part of parts) {
    if (!part.available) return part.reason;
    servers.push(part);
  }
  const firewall = new Firewall();
  const [, second] = servers;
  if (second === undefined) throw new Error('there is no second server');
  // However this process ends.
  process.once('exit', () => firewall.open());
  const heal = () => {
    firewall.open();
    for (const server of servers) goOn(server);
  };
  const closeServers = async () => {
    heal();
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
    for (const [index, server] of servers.entries()) {
      const connection = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
      await fillMariaDb(connection, addresses, index);
      await connection.end();
    }
    const { proxy, changes } = await startWatchedProxy({ rsList: addresses.join(';'), clusterName });
    const address = `127.0.0.1:${second.port}`;
    return {
      proxy,
      changes,
      login: { user: 'u1@sys', database: testDatabase },
      // Tables t0 to t5 lead at the servers in turn.
      statements: {
        read: (random) => `SELECT w.server AS server, k.v FROM ${tableOf(random)} k, whoami w WHERE k.id = 1`,
        write: (random) => `UPDATE ${tableOf(random)} SET v = 'changed' WHERE id = ${2 + Math.floor(random() * 2)}`,
      },
      target: { address, name: address },
      faults: new Map<string, Fault | string>([
        ['freeze', { begin: () => void process.kill(second.pid, 'SIGSTOP'), end: () => goOn(second) }],
        ['stop', { begin: () => second.kill(), end: () => second.restart() }],
        ['drop', firewallFault(firewall, address, 'drop')],
        ['reject', firewallFault(firewall, address, 'reject')],
      ]),
      heal,
      close: async () => {
        await proxy.close();
        await closeServers();
      },
    };
  } catch (error) {
    await closeServers();
    throw error;
  }
}

function tableOf(random: () => number): string {
  return `t${Math.floor(random() * serverCount * 2)}`;
}

function firewallFault(firewall: Firewall, address: string, how: Firewalling): Fault | string {
  return firewallMissing() ?? { begin: () => firewall.close(address, how), end: () => firewall.open() };
}

/** After SIGSTOP; a process that is gone has nothing to go on with. */
function goOn(server: MariaDb): void {
  try {
    process.kill(server.pid, 'SIGCONT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
