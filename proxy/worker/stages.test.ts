import { describe, expect, it } from 'vitest';
import { StageClock } from './stages.ts';

function setUp() {
  let nowMs = 0;
  class Inner {
    run(ms: number): number {
      nowMs += ms;
      if (ms > 100) throw new Error('too long');
      return ms;
    }
  }
  class Outer {
    readonly inner = new Inner();
    run(): number {
      nowMs += 1;
      const ms = this.inner.run(5);
      nowMs += 2;
      return ms;
    }
  }
  const clock = new StageClock(() => nowMs);
  return { clock, Inner, Outer };
}

describe('time by stage', () => {
  it('counts a stage without those it goes through', () => {
    const { clock, Inner, Outer } = setUp();
    clock.watch([
      { stage: 'read', of: Outer.prototype, methods: ['run'] },
      { stage: 'scan', of: Inner.prototype, methods: ['run'] },
    ]);
    const outer = new Outer();
    expect([outer.run(), outer.run(), outer.inner.run(7)]).toEqual([5, 5, 7]);
    expect([...clock.take()]).toEqual([
      ['read', { calls: 2, ms: 6 }],
      ['scan', { calls: 3, ms: 17 }],
    ]);
    expect(clock.take().size).toBe(0);
  });

  it('an error leaves its stage as well', () => {
    const { clock, Inner } = setUp();
    clock.watch([{ stage: 'scan', of: Inner.prototype, methods: ['run'] }]);
    const accept = clock.timed('accept', (ms: number) => new Inner().run(ms));
    expect(() => accept(101)).toThrow('too long');
    expect(accept(3)).toBe(3);
    expect([...clock.take()]).toEqual([
      ['accept', { calls: 2, ms: 0 }],
      ['scan', { calls: 2, ms: 104 }],
    ]);
  });

  it('names a method that is not there', () => {
    const { clock, Inner } = setUp();
    expect(() => clock.watch([{ stage: 'plan', of: Inner.prototype, methods: ['route'] }])).toThrow('route');
  });
});
