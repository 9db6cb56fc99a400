/** The embedded demo cluster, whose faults are made through its own door. */
import { request } from 'node:http';
import { join } from 'node:path';
import { type ChaosSystem, type Fault, startWatchedProxy } from './system.ts';

/** Each leads in its own zone; the faults are those of the second. */
const places = [
  ['trade.trade.customers', 'zone1'],
  ['trade.trade.products', 'zone2'],
  ['trade.trade.orders', 'zone3'],
] as const;
const target = 'zone2';

type FaultRequest = Readonly<Record<string, unknown>>;
interface Report {
  readonly servers: readonly { readonly address: string; readonly zone: string; readonly hostName: string }[];
}

export async function startDemoSystem(): Promise<ChaosSystem> {
  const { proxy, changes } = await startWatchedProxy({ rsList: null, clusterName: 'obdemo' });
  const socketPath = join(proxy.home, 'run', 'demo.sock');
  const ask = (body: FaultRequest | null) => askDoor(socketPath, body);
  const leadersHome = async () => {
    for (const [table, to] of places) await ask({ fault: 'leader', table, to });
  };
  const fault = (begin: FaultRequest, end: FaultRequest): Fault => ({
    begin: async () => void (await ask({ server: target, ...begin })),
    end: async () => {
      await ask({ server: target, ...end });
      // Where a leader has moved away, as after a stop, nobody would ask the server for anything.
      await leadersHome();
    },
  });
  try {
    const found = (await ask(null)).servers.find(({ zone }) => zone === target);
    if (found === undefined) throw new Error(`the demo cluster has no server in ${target}`);
    await leadersHome();
    return {
      proxy,
      changes,
      login: { user: 'app@trade', password: 'app-secret', database: 'trade' },
      statements: {
        read: (random) => {
          const id = 1 + Math.floor(random() * 40);
          const table = ['customers', 'products', 'orders'][Math.floor(random() * 3)];
          return `SELECT @@hostname AS server, id FROM ${table} WHERE id = ${id}`;
        },
        write: (random) => {
          const id = 1 + Math.floor(random() * 40);
          const isProduct = random() < 0.5;
          return isProduct
            ? `UPDATE products SET stock = stock + 1 WHERE id = ${id}`
            : `UPDATE customers SET city = 'Wuxi' WHERE id = ${id}`;
        },
      },
      target: { address: found.address, name: found.hostName },
      faults: new Map([
        ['stop', fault({ fault: 'stop' }, { fault: 'start' })],
        ['freeze', fault({ fault: 'freeze' }, { fault: 'thaw' })],
        ['refuse', fault({ fault: 'refuse' }, { fault: 'accept' })],
        ['slow', fault({ fault: 'slow', delayMs: 400 }, { fault: 'slow', delayMs: 0 })],
        ['initialising', fault({ fault: 'error', errno: 8001 }, { fault: 'error', errno: 0 })],
        ['inactive', fault({ fault: 'status', status: 'INACTIVE' }, { fault: 'status', status: 'ACTIVE' })],
        ['stop-time', fault({ fault: 'stopTime', stopped: true }, { fault: 'stopTime', stopped: false })],
      ]),
      heal: async () => void (await ask({ fault: 'clear' })),
      close: () => proxy.close(),
    };
  } catch (error) {
    await proxy.close();
    throw error;
  }
}

/** One request to the fault door; null: only ask how the servers are. @throws Error with the door's answer */
function askDoor(socketPath: string, body: FaultRequest | null): Promise<Report> {
  return new Promise((resolve, reject) => {
    const [method, path] = body === null ? ['GET', '/servers'] : ['POST', '/faults'];
    const call = request({ socketPath, method, path }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(text) as Report);
        else reject(new Error(`the demo cluster answers ${JSON.stringify(body)} with ${text}`));
      });
    });
    call.on('error', reject);
    call.end(body === null ? undefined : JSON.stringify(body));
  });
}
