import { expect, it } from 'vitest';
import type { ClusterTopology } from '../cluster/topology.ts';
import { SingleLeaders } from './single-leaders.ts';

it('R22 a doubted leader is none until the time is over or the cluster tells of another; a stranger never is one', () => {
  let nowMs = 0;
  let leader = 'a';
  const leaders = new SingleLeaders({
    topology: () => ({ singleLeaders: { t: leader, u: 'b' } }) as unknown as ClusterTopology,
    serves: (address) => address !== 'b',
    nowMs: () => nowMs,
    doubtMs: () => 100,
  });
  expect([leaders.of('t'), leaders.of('u'), leaders.of('v')]).toEqual(['a', null, null]);
  leaders.doubt('t');
  nowMs = 99;
  expect(leaders.of('t')).toBeNull();
  nowMs = 100;
  expect(leaders.of('t')).toBe('a');
  leaders.doubt('t');
  expect(leaders.of('t')).toBeNull();
  leader = 'c';
  expect(leaders.of('t')).toBe('c');
});
