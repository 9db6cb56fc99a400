import { describe, expect, it } from 'vitest';
import type { RoutePlan } from '../../proxy/control/contract.ts';
import { planMoves } from './plan-moves.ts';

const planOf = (...addresses: string[]): RoutePlan =>
  ({ candidates: addresses.map((address) => ({ address })) }) as unknown as RoutePlan;

describe('what moves between two plans', () => {
  it('tells up, down, new and gone, with the place before', () => {
    const { byAddress, gone, count } = planMoves(planOf('a', 'b', 'c', 'd'), planOf('b', 'a', 'c', 'e'));
    expect(Object.fromEntries(byAddress)).toEqual({
      b: { kind: 'up', from: 2 },
      a: { kind: 'down', from: 1 },
      c: { kind: 'same' },
      e: { kind: 'new' },
    });
    expect(gone).toEqual([{ address: 'd', from: 4 }]);
    expect(count).toBe(4);
  });

  it('tells nothing of equal plans', () => {
    expect(planMoves(planOf('a', 'b'), planOf('a', 'b')).count).toBe(0);
  });
});
