import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Destination } from '../targets.ts';
import type { StubAnswer, StubOrder } from './messages.ts';

/** A stub in a process of its own: it lets anybody in, and is the only server of a cluster. */
export interface StubServer extends Destination {
  readonly pid: number;
  /** @returns connections that it has then */
  order(order: StubOrder): Promise<number>;
  close(): Promise<void>;
}

export async function startStub(): Promise<StubServer> {
  const child = fork(fileURLToPath(new URL('main.ts', import.meta.url)));
  const answer = async (): Promise<StubAnswer> => (await once(child, 'message'))[0] as StubAnswer;
  const started = await answer();
  if (!('port' in started)) throw new Error('the stub server did not tell its port');
  return {
    port: started.port,
    user: 'sb@sys',
    clusterName: 'bench',
    pid: child.pid ?? 0,
    order: async (order) => {
      const answered = answer();
      child.send(order);
      const told = await answered;
      return 'connections' in told ? told.connections : Number.NaN;
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
