import { describe, expect, it } from 'vitest';
import { parseEnv } from './env.ts';
import { bytesText, rateText } from './numbers.ts';
import { ownPath } from './own-path.ts';
import { parseTheme, parseZone } from './preferences.ts';
import { visibleText } from './visible-text.ts';

describe('parseEnv', () => {
  it('has defaults for all but the socket', () => {
    expect(parseEnv({ ODP_CONTROL_SOCKET: '/s', ODP_CONSOLE_PORT: '' })).toEqual({
      ODP_CONTROL_SOCKET: '/s',
      ODP_CONSOLE_HOST: '127.0.0.1',
      ODP_CONSOLE_PORT: 8080,
    });
  });

  it('names every bad variable', () => {
    expect(() => parseEnv({ ODP_CONSOLE_PORT: '70000', ODP_CONSOLE_ORIGIN: 'odp.example.com' })).toThrow(
      /ODP_CONTROL_SOCKET.*ODP_CONSOLE_PORT.*ODP_CONSOLE_ORIGIN/,
    );
  });

  it('keeps only the origin of an address', () => {
    const env = parseEnv({ ODP_CONTROL_SOCKET: '/s', ODP_CONSOLE_ORIGIN: 'https://odp.example.com/' });
    expect(env.ODP_CONSOLE_ORIGIN).toBe('https://odp.example.com');
  });
});

describe('ownPath', () => {
  it('keeps paths of this console and nothing else', () => {
    expect(ownPath('/history?q=a%20b')).toBe('/history?q=a%20b');
    for (const foreign of [
      null,
      '',
      'history',
      '//evil.example',
      '/\\evil.example',
      'http://evil.example',
      '/login?next=/',
    ]) {
      expect(ownPath(foreign)).toBe('/');
    }
  });
});

describe('visibleText', () => {
  it('case B113 writes misleading characters as code points and leaves markup as text', () => {
    expect(visibleText('a\u202eb\u2028c\u0000')).toBe('a⟨U+202E⟩b⟨U+2028⟩c⟨U+0000⟩');
    expect(visibleText('<img src=x onerror=alert(1)> 上海 é')).toBe('<img src=x onerror=alert(1)> 上海 é');
  });
});

describe('preferences', () => {
  it('falls back when a cookie is not one of ours', () => {
    expect([parseTheme('dark'), parseTheme('</script>'), parseTheme(undefined)]).toEqual(['dark', 'system', 'system']);
    expect(parseZone('local:Europe/Berlin')).toEqual({ mode: 'local', zone: 'Europe/Berlin' });
    expect(parseZone('local:Nowhere/Land')).toEqual({ mode: 'local', zone: 'UTC' });
    expect(parseZone('utc')).toEqual({ mode: 'utc', zone: 'UTC' });
  });
});

describe('numbers', () => {
  it('read well', () => {
    expect([512, 1536, 123_456_789, 5e12].map(bytesText)).toEqual(['512 B', '1.5 KB', '118 MB', '4.5 TB']);
    expect([0, 0.42, 9.94, 12.4, 12_345].map(rateText)).toEqual(['0', '0.4', '9.9', '12', '12,345']);
  });
});
