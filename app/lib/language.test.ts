import { describe, expect, it } from 'vitest';
import { languageOf } from './language.ts';
import { countText } from './numbers.ts';

describe('languageOf', () => {
  it('issue 9: takes what was chosen before what the browser asks for', () => {
    expect(languageOf('ja', 'zh-CN,zh;q=0.9')).toBe('ja');
    expect(languageOf('en', 'ja')).toBe('en');
  });

  it('takes the most wanted language that there is, by weight and not by place', () => {
    expect(languageOf(undefined, 'ja')).toBe('ja');
    expect(languageOf(undefined, 'zh-Hant-TW;q=0.5, ja-JP;q=0.9')).toBe('ja');
    expect(languageOf(undefined, 'fr-FR, fr;q=0.9, zh-CN;q=0.8, en;q=0.7')).toBe('zh');
    expect(languageOf(undefined, 'JA;Q=1')).toBe('ja');
  });

  it('leaves out what is not wanted at all', () => {
    expect(languageOf(undefined, 'ja;q=0, zh;q=0.1')).toBe('zh');
  });

  it('falls back to English from anything else', () => {
    for (const header of [null, '', '*', 'fr, de;q=0.5', ';;q=', 'ja;q=x', ',,,']) {
      expect(languageOf(undefined, header)).toBe('en');
    }
    expect(languageOf('</script>', null)).toBe('en');
    expect(languageOf('', 'ja')).toBe('ja');
  });
});

describe('countText', () => {
  it('is right in all three languages: they group whole numbers alike', () => {
    for (const tag of ['en-US', 'ja-JP', 'zh-CN']) {
      expect(new Intl.NumberFormat(tag).format(1_234_567)).toBe(countText(1_234_567));
    }
  });
});
