import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCapacityBytes, parseInteger, parseTimeUs } from './numbers.ts';
import { findParameter, type ParameterName, parameterTable } from './parameter-table.ts';
import { isInRange, parseRange } from './range.ts';
import { parseValue } from './values.ts';

function parse(name: ParameterName, text: string) {
  const spec = findParameter(name);
  if (spec === undefined) throw new Error(name);
  return parseValue(spec, text);
}

const bad = (name: ParameterName, text: string, reason: RegExp | string) =>
  expect(() => parse(name, text), `${name}=${text}`).toThrow(reason);

describe('parseValue', () => {
  it('case B94: times', () => {
    const window: ParameterName = 'congestion_retry_interval';
    for (const text of ['20', '20s', '20S', '0x14', '024', '20000ms', '20000000us']) {
      expect(parse(window, text), text).toBe(20_000_000);
    }
    expect(parse(window, '1h')).toBe(3_600_000_000);
    expect(parse(window, '010')).toBe(8_000_000);
    for (const text of ['20 s', ' 20s', '20s ', '0.5s', '1w', '', '08', '1e3', 's']) bad(window, text, 'not a time');
    for (const text of ['61m', '-1s', '0']) bad(window, text, 'out of range [1s,1h]');
    bad(window, '99999999999999999999', 'too large');
    bad(window, '1w', "Invalid config: congestion_retry_interval = '1w'");
  });

  it('case B94: sizes', () => {
    const limit: ParameterName = 'proxy_mem_limited';
    for (const text of ['2G', '2048', '2048MB', '2gb', '2097152k']) expect(parse(limit, text), text).toBe(2 ** 31);
    expect(parse(limit, '100MB')).toBe(100 * 2 ** 20);
    bad(limit, '99MB', 'out of range [100MB,100G]');
    for (const text of ['1e9', '', '2 G', '1.5G', '2x']) bad(limit, text, 'not a size');
  });

  it('case B94: words and lengths', () => {
    for (const text of ['yes', 'T', 'ON', '1', 'true']) expect(parse('enable_congestion', text)).toBe(true);
    for (const text of ['no', 'f', 'Off', '0']) expect(parse('enable_congestion', text)).toBe(false);
    for (const text of ['2', '', ' true', 'constructor']) bad('enable_congestion', text, 'use true or false');
    bad('client_max_connections', '99999999999999999999', 'too large');
    expect(parse('init_sql', 'x'.repeat(4096))).toHaveLength(4096);
    bad('init_sql', 'x'.repeat(4097), /4097 characters, at most 4096/);
    bad('server_routing_mode', 'best', 'use one of oceanbase, random, mock, mysql');
    bad('local_bound_ip', '300.0.0.1', 'not an IPv4');
    expect(parse('syslog_level', 'INFO,PROXY.SM:debug')).toBe('INFO,PROXY.SM:debug');
    bad('syslog_level', 'LOUD', 'not a log level');
    expect(parse('rootservice_list', '10.0.0.1:1;10.0.0.2:1;')).toEqual(['10.0.0.1:1', '10.0.0.2:1']);
    bad('rootservice_list', Array(65).fill('10.0.0.1:1').join(';'), 'at most 64');
  });

  it('B17 the failure threshold may be negative', () => {
    expect(parse('congestion_failure_threshold', '-1')).toBe(-1);
  });

  it('case B115: an error does not show a secret', () => {
    const spec = { ...parameterTable[0], name: 'x', secret: true, type: 'int' } as Parameters<typeof parseValue>[0];
    expect(() => parseValue(spec, 'hunter2')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  it('case B117: numbers beyond 2^53 are refused instead of rounded', () => {
    expect(parseInteger('9007199254740991')).toEqual({ value: Number.MAX_SAFE_INTEGER });
    expect(parseInteger('9007199254740993')).toEqual({ reason: 'too large' });
    expect(parse('hot_upgrade_exit_timeout', '30000000')).toBe(30_000_000);
  });
});

describe('numbers', () => {
  it('reads what it can print, in every base', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => {
        const size = Math.abs(number);
        const sign = number < 0 ? '-' : '';
        const expected = { value: number === 0 ? 0 : number };
        expect(parseInteger(`${sign}${size}`)).toEqual(expected);
        expect(parseInteger(`${sign}0x${size.toString(16)}`)).toEqual(expected);
        expect(parseInteger(`${sign}0${size.toString(8)}`)).toEqual(expected);
      }),
    );
  });

  it('multiplies by the unit, whatever its case', () => {
    const units = { us: 1, ms: 1e3, s: 1e6, m: 6e7, h: 3.6e9, d: 8.64e10, '': 1e6 };
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.constantFrom(...Object.entries(units)),
        fc.boolean(),
        (count, [unit, us], upper) => {
          expect(parseTimeUs(`${count}${upper ? unit.toUpperCase() : unit}`)).toEqual({ value: count * us });
          expect(parseTimeUs(`-${count}${unit}`)).toEqual({ value: 0 });
        },
      ),
    );
    expect(parseCapacityBytes('3p')).toEqual({ value: 3 * 2 ** 50 });
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const parser of [parseInteger, parseTimeUs, parseCapacityBytes]) expect(parser(text)).toBeTypeOf('object');
      }),
    );
  });
});

describe('ranges', () => {
  it('knows open, closed and missing ends', () => {
    const port = parseRange('(1024,65536)', parseInteger);
    expect([1024, 1025, 65_535, 65_536].map((value) => isInRange(value, port))).toEqual([false, true, true, false]);
    const anyCount = parseRange('[0,)', parseInteger);
    expect([-1, 0, 2 ** 50].map((value) => isInRange(value, anyCount))).toEqual([false, true, true]);
    expect(parseRange('[10ms, 1h]', parseTimeUs)).toMatchObject({ low: 10_000, high: 3_600_000_000 });
  });
});
