import { describe, expect, it } from 'vitest';
import { changeOf, microTable } from './baseline.ts';
import { measureInTurns } from './measure.ts';
import { loginOperations } from './operations/log-in.ts';
import { replyOperations } from './operations/replies.ts';
import { routeOperations } from './operations/routes.ts';
import { stateOperations } from './operations/state.ts';
import { statementOperations } from './operations/statements.ts';

const result = (name: string, toYardstick: number) => ({ name, ns: toYardstick * 1000, toYardstick });

describe('micro benchmark', () => {
  it('measures what works: every operation checks what came out of it, the second time as well', async () => {
    const routes = await routeOperations([10, 50]);
    const all = [
      ...replyOperations,
      ...statementOperations,
      ...stateOperations,
      ...loginOperations,
      ...routes.operations,
    ];
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { run } of all) {
      run();
      run();
    }
    expect(routes.held.map(({ places }) => places)).toEqual([10, 50]);
  });

  it('takes turns, and tells the median of one operation by that of the yardstick', () => {
    let nowUs = 0;
    const done: string[] = [];
    // Each reading of the clock takes a microsecond; one turn of the second operation meets a busy moment.
    const options = { rounds: 3, sliceMs: 0.001, cpuUs: () => nowUs++ };
    const operations = ['a', 'b'].map((name) => ({
      name,
      run: () => {
        done.push(name);
        nowUs += name === 'a' ? 1 : done.length === 4 ? 500 : 3;
      },
    }));
    const results = measureInTurns(operations, options);
    expect(done).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']);
    expect(results.map(({ ns, toYardstick }) => [ns, toYardstick])).toEqual([
      [1000, 1],
      [2000, 2],
      [4000, 4],
    ]);
  });

  it('compares by the yardstick, and calls a small change none', () => {
    const baseline = { machine: 'another', results: [result('a', 1), result('b', 1), result('c', 1)] };
    expect(changeOf(result('a', 1.5), baseline)).toBeCloseTo(0.5);
    expect(changeOf(result('d', 1), baseline)).toBeNull();
    const table = microTable([result('a', 1.5), result('b', 0.5), result('c', 1.05), result('d', 2)], baseline);
    const changes = table.split('\n').slice(2);
    expect(changes.map((row) => row.split(' | ').at(-1))).toEqual(['+50 % |', '−50 % |', 'as before |', 'new |']);
  });
});
