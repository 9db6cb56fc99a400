import { describe, expect, it } from 'vitest';
import { dayStart, durationText, instantOf, zonedTime } from './time.ts';

describe('zonedTime', () => {
  it('case B106 the hour that comes twice can be told apart', () => {
    expect(zonedTime('2024-10-27T00:30:00Z', 'Europe/Berlin')).toEqual({
      day: '2024-10-27',
      clock: '02:30:00',
      offset: '+02:00',
    });
    expect(zonedTime('2024-10-27T01:30:00Z', 'Europe/Berlin')).toEqual({
      day: '2024-10-27',
      clock: '02:30:00',
      offset: '+01:00',
    });
  });

  it('gives UTC an offset too, and midnight as 00', () => {
    expect(zonedTime('2024-02-29T00:00:00Z', 'UTC')).toEqual({
      day: '2024-02-29',
      clock: '00:00:00',
      offset: '+00:00',
    });
  });
});

describe('dayStart', () => {
  it('finds the beginning of a day on both sides of a change of the clocks', () => {
    expect(dayStart('2024-03-31', 'Europe/Berlin')).toBe('2024-03-30T23:00:00.000Z');
    expect(dayStart('2024-03-31', 'Europe/Berlin', 1)).toBe('2024-03-31T22:00:00.000Z');
    expect(dayStart('2024-12-31', 'America/St_Johns', 1)).toBe('2025-01-01T03:30:00.000Z');
  });
});

describe('instantOf', () => {
  it('reads a clock in a zone, with and without seconds, on both sides of a change of the clocks', () => {
    expect(instantOf('2024-10-27T00:30', 'Europe/Berlin')).toBe('2024-10-26T22:30:00.000Z');
    expect(instantOf('2024-10-27T12:00:05', 'Europe/Berlin')).toBe('2024-10-27T11:00:05.000Z');
    expect(instantOf('2024-06-01T12:00', 'UTC')).toBe('2024-06-01T12:00:00.000Z');
    expect(instantOf('2024-06-01T12:00', 'Asia/Kolkata')).toBe('2024-06-01T06:30:00.000Z');
  });
});

describe('durationText', () => {
  it('shows the two largest units', () => {
    expect([0, 3_400, 250_000, 7_500_000, 190_000_000].map((ms) => durationText(ms, 'en'))).toEqual([
      '0 s',
      '3 s',
      '4 min 10 s',
      '2 h 5 min',
      '2 d 4 h',
    ]);
  });

  it('writes the units as Japanese and Chinese readers do', () => {
    expect([3_400, 250_000, 7_500_000, 190_000_000].map((ms) => durationText(ms, 'ja'))).toEqual([
      '3秒',
      '4分10秒',
      '2時間5分',
      '2日4時間',
    ]);
    expect([3_400, 250_000, 7_500_000, 190_000_000].map((ms) => durationText(ms, 'zh'))).toEqual([
      '3 秒',
      '4 分 10 秒',
      '2 小时 5 分',
      '2 天 4 小时',
    ]);
  });

  it('never shows a negative time', () => {
    expect(durationText(-5_000, 'en')).toBe('0 s');
  });
});
