import { describe, expect, it } from 'vitest';
import { readSide, sideOf, writeSide } from './compare-side.ts';

describe('a side of a comparison', () => {
  it('reads from the URL what was written there, and takes anything else for now', () => {
    for (const text of ['now', 'defaults', 'file', 'entry:12', 'time:2026-03-01T10:00:00.000Z']) {
      expect(writeSide(readSide(text))).toBe(text);
    }
    expect(readSide('constructor:1')).toEqual({ kind: 'now', value: '' });
  });

  it('is asked only when it is whole', () => {
    const asked = (text: string) => sideOf(readSide(text), null);
    expect(asked('entry:12')).toEqual({ kind: 'entry', id: 12 });
    expect(asked('time:2026-03-01T10:00:00.000Z')).toEqual({ kind: 'time', at: '2026-03-01T10:00:00.000Z' });
    for (const text of ['entry:', 'entry:x', 'entry:-1', 'time:', 'time:yesterday', 'file']) {
      expect(asked(text), text).toBeNull();
    }
    const file = { format: 'odp-configuration', formatVersion: 1, parameters: {} } as const;
    expect(sideOf(readSide('file'), file)).toEqual({ kind: 'file', file });
  });
});
