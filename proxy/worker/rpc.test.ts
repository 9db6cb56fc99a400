import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { OdpError } from '../errors/odp-error.ts';
import { Rpc } from './rpc.ts';

type Calls = { double: (value: number) => Promise<number>; fail: (name: string) => never };
type None = Record<string, never>;

let close = (): void => undefined;
afterEach(() => close());

function pair(): Rpc<Calls, None> {
  const { port1, port2 } = new MessageChannel();
  close = () => port1.close();
  new Rpc<None, Calls>(port2, {
    double: async (value) => value * 2,
    fail: (name) => {
      throw name === '' ? new Error('broken') : new OdpError('UNKNOWN_PARAMETER', { name });
    },
  });
  return new Rpc<Calls, None>(port1, {});
}

describe('calls between threads', () => {
  it('give each caller its own answer', async () => {
    const rpc = pair();
    expect(await Promise.all([1, 2, 3].map((value) => rpc.call('double', value)))).toEqual([2, 4, 6]);
  });

  it('bring an error of the table across whole, and any other as INTERNAL with its text', async () => {
    const rpc = pair();
    await expect(rpc.call('fail', 'nosuch')).rejects.toMatchObject({
      code: 'UNKNOWN_PARAMETER',
      message: "System config unknown: 'nosuch'",
    });
    await expect(rpc.call('fail', '')).rejects.toThrow(/broken/);
  });

  it('fail when the other side has ended', async () => {
    const rpc = pair();
    const waiting = rpc.call('double', 1);
    rpc.end('worker 1 has ended');
    await expect(waiting).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  });
});
