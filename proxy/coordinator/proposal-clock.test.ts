import { describe, expect, it } from 'vitest';
import { watchProposals } from './proposal-clock.ts';

function bench() {
  const state = { inCharge: true, runs: 0, warnings: 0, ended: false, tick: (): void => undefined };
  let finish: (error?: Error) => void = () => undefined;
  const close = watchProposals(
    {
      expire: () => {
        state.runs += 1;
        return new Promise((resolve, reject) => {
          finish = (error) => (error === undefined ? resolve() : reject(error));
        });
      },
    },
    () => state.inCharge,
    {
      warn: () => {
        state.warnings += 1;
      },
    },
    (_ms, run) => {
      state.tick = run;
      return () => {
        state.ended = true;
      };
    },
  );
  return { state, close, finish: (error?: Error) => finish(error) };
}

describe('proposals that nobody decides', () => {
  it('are looked at one look at a time, and only by the generation in charge', async () => {
    const { state, close, finish } = bench();
    state.inCharge = false;
    state.tick();
    expect(state.runs).toBe(0);
    state.inCharge = true;
    state.tick();
    state.tick();
    expect(state.runs).toBe(1);
    const closed = close();
    finish();
    await closed;
    expect(state.ended).toBe(true);
  });

  it('are looked at again after a failure, which the log tells', async () => {
    const { state, close, finish } = bench();
    state.tick();
    finish(new Error('disk full'));
    await close();
    expect(state.warnings).toBe(1);
    state.tick();
    expect(state.runs).toBe(2);
  });
});
