import { describe, expect, it } from 'vitest';
import { ActiveFaults } from './active-faults.ts';

const addresses: Readonly<Record<string, string>> = { zone1: '127.0.0.11:2881', zone2: '127.0.0.12:2881' };
const bench = () => new ActiveFaults((name) => addresses[name] ?? name);

describe('faults that last', () => {
  it('are told from when they began until they are ended', () => {
    const faults = bench();
    faults.note({ fault: 'slow', server: 'zone1', delayMs: 500 }, 1_000);
    faults.note({ fault: 'merge', zone: 'zone2', merging: true }, 2_000);
    faults.note({ fault: 'slow', server: 'zone1', delayMs: 800 }, 3_000);
    expect(faults.list()).toEqual([
      { fault: 'slow', target: '127.0.0.11:2881', detail: '800 ms', sinceMs: 1_000 },
      { fault: 'merge', target: 'zone2', detail: '', sinceMs: 2_000 },
    ]);
    faults.note({ fault: 'slow', server: 'zone1', delayMs: 0 }, 4_000);
    faults.note({ fault: 'merge', zone: 'zone2', merging: false }, 4_000);
    expect(faults.list()).toEqual([]);
  });

  it('of a process end with its next start; what the cluster says of the server stays', () => {
    const faults = bench();
    faults.note({ fault: 'error', server: 'zone1', errno: 4013 }, 1);
    faults.note({ fault: 'status', server: 'zone1', status: 'INACTIVE' }, 1);
    faults.note({ fault: 'stop', server: 'zone1' }, 1);
    faults.note({ fault: 'freeze', server: 'zone2' }, 1);
    expect(faults.list().map(({ fault }) => fault)).toEqual(['status', 'stop', 'freeze']);
    faults.note({ fault: 'start', server: 'zone1' }, 2);
    expect(faults.list().map(({ fault }) => fault)).toEqual(['status', 'freeze']);
    faults.note({ fault: 'clear' }, 3);
    expect(faults.list()).toEqual([]);
  });

  it('of a network are told by the server or the region that was cut off', () => {
    const faults = bench();
    faults.note({ fault: 'partition', region: 'HANGZHOU', cut: true }, 1);
    faults.note({ fault: 'partition', server: 'zone1', cut: true }, 1);
    expect(faults.list()).toMatchObject([
      { target: 'HANGZHOU', detail: 'region' },
      { target: '127.0.0.11:2881', detail: '' },
    ]);
    faults.note({ fault: 'thaw', server: 'zone1' }, 2);
    faults.note({ fault: 'partition', region: 'HANGZHOU', cut: false }, 2);
    expect(faults.list()).toEqual([]);
  });

  it('are not what happens once, or is a state like any other', () => {
    const faults = bench();
    faults.note({ fault: 'cut', server: 'zone1' }, 1);
    faults.note({ fault: 'leader', server: 'zone1', to: 'zone2' }, 1);
    faults.note({ fault: 'spreadLeaders' }, 1);
    expect(faults.list()).toEqual([]);
  });
});
