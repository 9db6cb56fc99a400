/** An address where connecting hangs: a process that is stopped, with no place left for connections that wait. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

export interface DeafServer {
  /** On 127.0.0.1. */
  readonly port: number;
  close(): Promise<void>;
}

/** Listens with the shortest queue and tells its port. */
const program = `require('node:net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, function () {
  process.stdout.write(String(this.address().port));
})`;
/** Linux lets one more wait than the queue is long; the others are to find it full. */
const WAITING = 2;
const KNOCKING = 4;

export async function startDeafServer(): Promise<DeafServer> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGSTOP');
  const sockets = Array.from({ length: KNOCKING }, () => connect({ host: '127.0.0.1', port: Number(port) }));
  await new Promise<void>((resolve) => {
    let waiting = 0;
    for (const socket of sockets) {
      socket.on('error', () => socket.destroy());
      socket.once('connect', () => {
        waiting += 1;
        if (waiting === WAITING) resolve();
      });
    }
  });
  for (const socket of sockets) if (socket.connecting) socket.destroy();
  return {
    port: Number(port),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
