import { request } from 'node:http';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { product } from './product.ts';

interface DemoServer {
  readonly address: string;
  readonly zone: string;
  readonly hostName: string;
}

/** Asks the demo cluster's fault door for a fault, e.g. `{ fault: 'stop', server: 'zone2' }`. */
export async function fault(body: Record<string, unknown>): Promise<void> {
  await askDoor('POST', '/faults', body);
}

/** The address of the one server of a zone: it depends on what else runs on the machine. */
export async function addressOf(zone: string): Promise<string> {
  const { servers } = (await askDoor('GET', '/servers')) as { servers: DemoServer[] };
  const server = servers.find((one) => one.zone === zone);
  if (server === undefined) throw new Error(`the demo cluster has no zone ${zone}`);
  return server.address;
}

/**
 * Runs statements through the proxy, one log-in each, until `enough` says so. Failures are what is wanted here.
 * @param statement of a number that grows: other keys lead to other servers
 */
export async function failUntil(enough: () => Promise<boolean>, statement: (key: number) => string): Promise<void> {
  for (let key = 1; key <= 300; key += 1) {
    const connection = await mysql.createConnection({
      host: '127.0.0.1',
      port: product().mysqlPort,
      user: 'root@trade#obdemo',
      database: 'trade',
    });
    try {
      await connection.query(statement(key)).catch(errorOfServer);
    } finally {
      connection.destroy();
    }
    if (await enough()) return;
  }
  throw new Error('300 statements were not enough');
}

/** Lets a server's error pass, and nothing else. */
function errorOfServer(error: unknown): void {
  if (typeof (error as { errno?: unknown }).errno !== 'number') throw error;
}

function askDoor(method: string, path: string, body?: unknown): Promise<unknown> {
  return new Promise((done, fail) => {
    const call = request(
      {
        socketPath: join(product().home, 'run', 'demo.sock'),
        method,
        path,
        headers: { 'content-type': 'application/json' },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => {
          text += part;
        });
        answer.on('end', () => {
          if (answer.statusCode === 200) done(JSON.parse(text));
          else fail(new Error(`fault door: ${answer.statusCode} ${text}`));
        });
      },
    );
    call.once('error', fail);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
