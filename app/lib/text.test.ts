import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { area, inLanguage } from '../messages/area.ts';
import type { Language } from './language.ts';
import { makeText } from './text.ts';

const sample = area({
  plain: { en: 'Close', ja: '閉じる', zh: '关闭' },
  two: { en: '{who} at {when}', ja: '{when}、{who}', zh: '{who} 于 {when}' },
  servers: { en: { one: '{count} server', other: '{count} servers' }, ja: '{count}台', zh: '{count} 台' },
});
const inThe = (language: Language) => makeText<typeof sample>(language, inLanguage(sample, language));

describe('makeText', () => {
  it('puts values where the language wants them', () => {
    expect(inThe('en')('two', { who: 'ann', when: '12:00' })).toBe('ann at 12:00');
    expect(inThe('ja')('two', { who: 'ann', when: '12:00' })).toBe('12:00、ann');
    expect(inThe('zh')('plain')).toBe('关闭');
  });

  it('tells one from more in English, and groups numbers', () => {
    expect([1, 0, 2, 12_345].map((count) => inThe('en')('servers', { count }))).toEqual([
      '1 server',
      '0 servers',
      '2 servers',
      '12,345 servers',
    ]);
    expect(inThe('ja')('servers', { count: 1 })).toBe('1台');
  });

  it('a value that looks like a placeholder or like markup stays text (case B113)', () => {
    expect(inThe('en')('two', { who: '{when}', when: '<b>' })).toBe('{when} at <b>');
    expect(renderToStaticMarkup(inThe('en').rich('two', { who: '{when}', when: '<b>' }))).toBe('{when} at &lt;b&gt;');
  });

  it('takes elements for values', () => {
    const html = renderToStaticMarkup(inThe('ja').rich('two', { who: createElement('b', null, 'ann'), when: 12_345 }));
    expect(html).toBe('12,345、<b>ann</b>');
  });

  it('fails on a text that was not sent', () => {
    expect(() => makeText<typeof sample>('en', {})('plain')).toThrow('there is no text plain');
  });
});

describe('area', () => {
  it('what a language lacks, or has too much, does not compile', () => {
    // @ts-expect-error Chinese is missing.
    area({ a: { en: 'a', ja: 'a' } });
    // @ts-expect-error there is no French.
    area({ a: { en: 'a', ja: 'a', zh: 'a', fr: 'a' } });
    // @ts-expect-error Japanese leaves out a value.
    area({ a: { en: '{name}', ja: 'a', zh: '{name}' } });
    // @ts-expect-error Chinese takes a value that English has not.
    area({ a: { en: 'a', ja: 'a', zh: '{name}' } });
    // @ts-expect-error the value's name is another.
    area({ a: { en: '{name}', ja: '{nam}', zh: '{name}' } });
    // @ts-expect-error only English tells one from more.
    area({ a: { en: 'a', ja: { one: 'a', other: 'b' }, zh: 'a' } });
    // @ts-expect-error this text takes two values.
    inThe('en')('two', { who: 'ann' });
    // @ts-expect-error this text takes none.
    inThe('en')('plain', { who: 'ann' });
    // @ts-expect-error there is no such text.
    expect(() => inThe('en')('nothing')).toThrow();
    // Counting words may be left out where a language has none.
    expect(area({ a: { en: { one: 'One', other: '{count}' }, ja: 'a', zh: 'a' } }).a.zh).toBe('a');
  });
});
