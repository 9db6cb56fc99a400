import { describe, expect, it } from 'vitest';
import { HeldServers, isInTransaction } from './held-servers.ts';
import type { ServerSession } from './server-session.ts';

const server = (address: string): ServerSession => ({ address, ready: true }) as unknown as ServerSession;

describe('server sessions of a client session', () => {
  const counted: string[] = [];
  const held = (): HeldServers => new HeldServers((address, change) => counted.push(`${address} ${change}`));

  it('C3 they are looked up by address, counted, and forgotten with all that they held', () => {
    const servers = held();
    const [one, other] = [server('one'), server('other')];
    servers.add(one);
    servers.add(other);
    servers.last = one;
    servers.bind(one, false);
    servers.takeLock(one);
    expect([servers.size, servers.find('one'), servers.tied]).toEqual([2, one, one]);
    servers.remove(one);
    servers.remove(one);
    expect([servers.size, servers.last, servers.bound, servers.pinned, servers.tied]).toEqual([
      1,
      null,
      null,
      null,
      null,
    ]);
    expect(servers.all()).toEqual([other]);
    expect(counted).toEqual(['one 1', 'other 1', 'one -1']);
  });

  it('case B46 two locks need two releases', () => {
    const servers = held();
    const one = server('one');
    servers.takeLock(one);
    servers.takeLock(one);
    servers.releaseLock();
    expect(servers.tied).toBe(one);
    servers.releaseLock();
    servers.releaseLock();
    expect(servers.tied).toBeNull();
  });

  it('case B45 case B55 what is pinned stays until the last pin is gone', () => {
    const servers = held();
    const one = server('one');
    servers.pin(one, 'temporary table');
    servers.pin(one, 'statement s');
    servers.unpinOne('statement s');
    expect(servers.tied).toBe(one);
    expect(servers.lossOf(one)).toBe('what the session held there is lost: temporary table');
    servers.unpin();
    expect([servers.tied, servers.lossOf(one)]).toEqual([null, null]);
  });

  it('C6 a lost transaction is told of before all else', () => {
    const servers = held();
    const one = server('one');
    servers.takeLock(one);
    servers.bind(one, false);
    expect(servers.withLoss(one, 'gone')).toBe('gone; the transaction has ended');
    servers.unbind();
    expect(servers.withLoss(one, 'gone')).toBe('gone; what the session held there is lost: lock');
    expect(servers.withLoss(server('other'), 'gone')).toBe('gone');
  });

  it('C10 the status flag says whether a transaction is open', () => {
    expect([isInTransaction(0x2), isInTransaction(0x3)]).toEqual([false, true]);
  });
});
