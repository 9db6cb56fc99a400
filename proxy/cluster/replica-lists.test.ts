import { describe, expect, it } from 'vitest';
import { ReplicaLists } from './replica-lists.ts';
import type { Replica } from './topology.ts';

describe('shared lists of replicas', () => {
  it('are one for the same servers in the same roles and order, and another for anything else', () => {
    const lists = new ReplicaLists();
    const two = (): Replica[] => [
      { address: 'a:1', role: 'leader' },
      { address: 'b:1', role: 'follower' },
    ];
    const shared = lists.shared(two());
    expect(lists.shared(two())).toBe(shared);
    const others: Replica[][] = [
      two().reverse(),
      two().slice(0, 1),
      [{ address: 'a:1', role: 'leader', isDuplicate: true }],
      [{ address: 'a:1', role: 'follower', isReadOnly: true }],
    ];
    for (const other of others) expect(lists.shared(other)).toEqual(other);
    expect(new Set([shared, ...others.map((other) => lists.shared(other))]).size).toBe(5);
  });

  it('are bounded in number', () => {
    const lists = new ReplicaLists();
    const list = (at: number): Replica[] => [{ address: `a:${at}`, role: 'leader' }];
    const first = lists.shared(list(0));
    for (let at = 1; at <= 16_384; at += 1) lists.shared(list(at));
    expect(lists.shared(list(0))).not.toBe(first);
    expect(lists.shared(list(0))).toEqual(first);
  });
});
