import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idRange, proxyIdOf } from './session-ids.ts';
import { SessionRegistry } from './session-registry.ts';

describe('connection ids', () => {
  it('case B80 stand where the reference has them', () => {
    expect(idRange({ version: 1, proxyId: 0, worker: 1, workerCount: 2, upgradeBit: 0 })).toEqual({
      base: 2_097_152,
      sequenceMask: 2_097_151,
    });
    expect(idRange({ version: 1, proxyId: 255, worker: 0, workerCount: 1, upgradeBit: 0 }).base).toBe(0x7f80_0000);
    expect(idRange({ version: 2, proxyId: 1, worker: 0, workerCount: 1, upgradeBit: 0 })).toEqual({
      base: 1 << 18,
      sequenceMask: (1 << 17) - 1,
    });
    expect(idRange({ version: 2, proxyId: 8191, worker: 3, workerCount: 4, upgradeBit: 0 }).base).toBe(
      0x7fff_8000 - (1 << 17),
    );
  });

  it('C17 C19 never meet: not those of two workers, of two generations, nor of two proxies', () => {
    const place = fc
      .record({ version: fc.constantFrom(1, 2), workerCount: fc.integer({ min: 1, max: 64 }) })
      .chain(({ version, workerCount }) =>
        fc.record({
          version: fc.constant(version),
          workerCount: fc.constant(workerCount),
          worker: fc.nat(workerCount - 1),
          upgradeBit: fc.constantFrom<0 | 1>(0, 1),
          proxyId: fc.nat(version === 1 ? 255 : 8191),
        }),
      );
    fc.assert(
      fc.property(place, fc.nat(255), fc.nat(63), fc.constantFrom<0 | 1>(0, 1), (one, proxyId, worker, upgradeBit) => {
        const range = idRange(one);
        const last = range.base + range.sequenceMask;
        expect(range.base & range.sequenceMask).toBe(0);
        expect(last).toBeLessThanOrEqual(0x7fff_ffff);
        expect(proxyIdOf(last, one.version)).toBe(one.proxyId);
        const two = { ...one, proxyId, upgradeBit, worker: worker % one.workerCount };
        if (two.proxyId === one.proxyId && two.worker === one.worker && upgradeBit === one.upgradeBit) return;
        const other = idRange(two);
        expect(other.base > last || other.base + other.sequenceMask < range.base).toBe(true);
      }),
    );
  });

  it('a server’s id is no proxy’s', () => {
    expect(proxyIdOf(0x8000_0001, 1)).toBeNull();
  });

  it('are those of the parameters as they are now, and none is given out twice', () => {
    let proxyId = 0;
    const registry = new SessionRegistry(() => ({ version: 2, proxyId, worker: 0, workerCount: 1, upgradeBit: 0 }));
    expect([registry.nextId(), registry.nextId()]).toEqual([1, 2]);
    proxyId = 5;
    expect(registry.nextId()).toBe((5 << 18) + 3);
    registry.add({ id: (5 << 18) + 4 } as never);
    expect(registry.nextId()).toBe((5 << 18) + 5);
  });

  it('C17 those of sessions that are elsewhere are not given out', () => {
    const registry = new SessionRegistry(() => ({
      version: 2,
      proxyId: 0,
      worker: 0,
      workerCount: 1,
      upgradeBit: 1,
    }));
    const first = (1 << 17) + 1;
    registry.reserve([first, first + 2]);
    expect([registry.nextId(), registry.nextId()]).toEqual([first + 1, first + 3]);
  });

  it('a worker whose ids are all in use says so', () => {
    const registry = new SessionRegistry(() => ({
      version: 2,
      proxyId: 0,
      worker: 0,
      workerCount: 1 << 15,
      upgradeBit: 0,
    }));
    for (let id = 1; id <= 3; id++) registry.add({ id } as never);
    expect(() => registry.nextId()).toThrow('Too many sessions');
  });
});
