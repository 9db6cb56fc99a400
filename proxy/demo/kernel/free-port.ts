import { createServer } from 'node:net';

/**
 * Below the range from which the system takes ports for outgoing connections (32768 and up on Linux), so that none of
 * those can take the port between this look and its use.
 */
const lowest = 20_000;
const highest = 32_000;
const attempts = 50;

/** A TCP port that nobody listens on, on any address, for a program that must be told its port. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await canBind(port)) return port;
  }
  throw new Error(`no free port found in ${attempts} attempts between ${lowest} and ${highest}`);
}

function canBind(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    // A port that is taken on every address is taken on this one too, and nothing is opened to other machines.
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
