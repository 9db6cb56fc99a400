import { describe, expect, it } from 'vitest';
import type { Parameter } from '../../proxy/control/contract.ts';
import { inLanguage } from '../messages/area.ts';
import { type Catalog, catalog } from '../messages/catalog.ts';
import { checkValue } from './parameter-check.ts';
import { makeText } from './text.ts';

const t = makeText<Catalog['parameters']>('en', inLanguage(catalog.parameters, 'en'));

function parameter(part: Partial<Parameter>): Parameter {
  return {
    name: 'p',
    value: '',
    pendingValue: null,
    defaultValue: '',
    type: 'string',
    unit: '',
    range: '',
    choices: [],
    needReboot: false,
    readOnly: false,
    secret: false,
    fourEyes: false,
    visibleLevel: 'USER',
    configLevel: 'LEVEL_GLOBAL',
    info: '',
    honoured: true,
    group: '',
    revision: 0,
    changedAt: null,
    changedBy: null,
    overrides: [],
    revert: null,
    ...part,
  };
}

function accepts(part: Partial<Parameter>, texts: string[]): void {
  for (const text of texts) expect([text, checkValue(t, parameter(part), text)]).toEqual([text, null]);
}

function refuses(part: Partial<Parameter>, texts: string[], reason: RegExp): void {
  for (const text of texts)
    expect([text, checkValue(t, parameter(part), text)]).toEqual([text, expect.stringMatching(reason)]);
}

describe('checkValue', () => {
  it('takes times with a unit, and without one as the parameter says', () => {
    const time = { type: 'time', unit: 's', range: '[1s,1h]' } as const;
    accepts(time, ['1s', '3600', '1h', '60m', '1000ms', '0x10', '20S']);
    refuses(time, ['0', '2h', '3601', '999ms', '-5s'], /range \[1s,1h\]/);
    refuses(time, ['1.5s', 's', '10x', 'ten'], /number with a unit/);
  });

  it('takes sizes in any unit', () => {
    const size = { type: 'capacity', unit: 'MB', range: '[8KB, 64MB]' } as const;
    accepts(size, ['8KB', '64', '64mb', '8192b', '1m']);
    refuses(size, ['65', '1g', '7k', '4B'], /range/);
  });

  it('takes whole numbers as C does: decimal, hexadecimal, octal', () => {
    const int = { type: 'int', range: '[1,100]' } as const;
    accepts(int, ['1', '100', '0x64', '0144', '+7']);
    refuses(int, ['0', '101', '0145', '-1'], /range/);
    refuses(int, ['08', '1s', '1e3', '0.5'], /whole number/);
  });

  it('keeps open ends and open bounds apart', () => {
    accepts({ type: 'int', range: '[0,]' }, ['0', '9223372036854775807']);
    refuses({ type: 'int', range: '(0,5)' }, ['0', '5'], /range/);
    accepts({ type: 'int', range: '' }, ['-12345678901234567890']);
  });

  it('case B117 blanks are refused, not cut off', () => {
    refuses({ type: 'time', unit: 's' }, [' 20s ', '20 s', '20s\n'], /Blanks/);
    refuses({ type: 'int' }, [' 5'], /Blanks/);
    accepts({ type: 'string' }, ['  kept  ']);
  });

  it('says that a number is missing', () => {
    refuses({ type: 'int' }, [''], /needed/);
  });

  it('knows the spellings of a bool', () => {
    accepts({ type: 'bool' }, ['True', 'false', 'ON', 'off', 'yes', 'no', 't', 'F', '1', '0']);
    refuses({ type: 'bool' }, ['', 'maybe', ' true'], /True or False/);
  });

  it('checks addresses, choices and log levels', () => {
    accepts({ type: 'ip' }, ['10.0.0.1', '::1', 'fe80::1']);
    refuses({ type: 'ip' }, ['10.0.0.256', 'localhost', '10.0.0', ''], /IPv4/);
    accepts({ type: 'enum', choices: ['a', 'b'] }, ['b']);
    refuses({ type: 'enum', choices: ['a', 'b'] }, ['c', ''], /a, b/);
    accepts({ type: 'loglevel' }, ['INFO', 'PROXY.SM:DEBUG,INFO']);
    refuses({ type: 'loglevel' }, ['LOUD'], /log level/);
  });

  it('refuses what is too long to keep', () => {
    refuses({ type: 'string' }, ['x'.repeat(4097)], /4096/);
  });
});
