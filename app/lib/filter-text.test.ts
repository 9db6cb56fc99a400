import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairValue, parseFilterText, withPair } from './filter-text.ts';

describe('parseFilterText', () => {
  it('reads words, phrases and pairs in any order', () => {
    expect(parseFilterText('fail is:modified "two words" group:"Server sessions" Window', ['is', 'group'])).toEqual({
      words: ['fail', 'two words', 'window'],
      pairs: [
        { key: 'is', value: 'modified' },
        { key: 'group', value: 'Server sessions' },
      ],
    });
  });

  it('takes unknown keys as text: addresses and levels have colons of their own', () => {
    expect(parseFilterText('127.0.0.1:2883 debug:on', ['is'])).toEqual({
      words: ['127.0.0.1:2883', 'debug:on'],
      pairs: [],
    });
  });

  it('drops pairs that are still being typed', () => {
    expect(parseFilterText('is: x', ['is'])).toEqual({ words: ['x'], pairs: [] });
  });

  it('never throws, whatever is typed', () => {
    fc.assert(fc.property(fc.string(), (text) => parseFilterText(text, ['is']).pairs.every(({ key }) => key === 'is')));
  });
});

describe('withPair', () => {
  it('sets, replaces and takes off one key, and leaves the rest', () => {
    expect(withPair('', 'is', 'modified')).toBe('is:modified');
    expect(withPair('window is:modified', 'is', 'pending')).toBe('is:pending window');
    expect(withPair('is:modified window', 'is', null)).toBe('window');
    expect(withPair('window', 'group', 'Server sessions')).toBe('group:"Server sessions" window');
    expect(withPair('group:"Server sessions" window', 'group', null)).toBe('window');
  });

  it('does not take part of a longer key or word', () => {
    expect(withPair('analysis:x', 'is', null)).toBe('analysis:x');
  });

  it('gives back what was put in', () => {
    const value = fc.stringMatching(/^[a-zA-Z0-9 _.@-]{1,20}$/).filter((text) => text.trim() === text);
    fc.assert(fc.property(value, (text) => pairValue(withPair('some words', 'key', text), 'key') === text));
  });
});
