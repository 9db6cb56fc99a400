import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RollingMerge } from './rolling-merge.ts';

describe('rolling merge', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function bench() {
    const merging = new Set<string>();
    const rolling = new RollingMerge(['zone1', 'zone2'], (zone, merges) => {
      if (merges) merging.add(zone);
      else merging.delete(zone);
    });
    return { merging, rolling };
  }

  it('merges one zone after the other, and ends by itself', () => {
    const { merging, rolling } = bench();
    rolling.start(1_000);
    expect([...merging]).toEqual(['zone1']);
    expect(rolling.state).toMatchObject({ zone: 'zone1', step: 1, steps: 2, perZoneMs: 1_000 });
    vi.advanceTimersByTime(1_000);
    expect([...merging]).toEqual(['zone2']);
    expect(rolling.state).toMatchObject({ zone: 'zone2', step: 2 });
    vi.advanceTimersByTime(1_000);
    expect([...merging]).toEqual([]);
    expect(rolling.state).toBeNull();
  });

  it('ends at once when it is told to, and begins anew when it is started again', () => {
    const { merging, rolling } = bench();
    rolling.start(1_000);
    vi.advanceTimersByTime(1_000);
    rolling.start(2_000);
    expect([...merging]).toEqual(['zone1']);
    rolling.start(0);
    expect([...merging]).toEqual([]);
    expect(rolling.state).toBeNull();
    vi.advanceTimersByTime(10_000);
    expect([...merging]).toEqual([]);
  });
});
