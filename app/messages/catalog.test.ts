import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalog } from './catalog.ts';

const app = join(import.meta.dirname, '..');
const layoutAreas = areasSent('(console)/layout.tsx').concat(areasSent('layout.tsx'));

/** Every text of every area, with its place. */
const texts = Object.entries(catalog).flatMap(([area, entries]) =>
  Object.entries(entries).flatMap(([key, { en, ja, zh }]) => {
    const english: readonly string[] = typeof en === 'string' ? [en] : Object.values(en);
    return [
      ...english.map((text) => ({ place: `${area}: ${key} (en)`, text, english })),
      { place: `${area}: ${key} (ja)`, text: ja, english },
      { place: `${area}: ${key} (zh)`, text: zh, english },
    ];
  }),
);

const valuesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');

describe('catalog (issue 9)', () => {
  it('no text is empty, has blanks around it, or a brace that is no value', () => {
    const odd = texts.filter(
      ({ text }) => text.trim() !== text || text === '' || /[{}]/.test(text.replace(/\{\w+\}/g, '')),
    );
    expect(odd.map(({ place }) => place)).toEqual([]);
  });

  it('each text takes the values that English takes; a count alone may be left out', () => {
    const wrong = texts.filter(({ text, english }) => {
      const wanted = new Set(english.flatMap(valuesIn));
      const taken = new Set(valuesIn(text));
      const extra = [...taken].filter((name) => !wanted.has(name));
      const missing = [...wanted].filter((name) => !taken.has(name) && name !== 'count');
      return extra.length + missing.length > 0;
    });
    expect(wrong.map(({ place }) => place)).toEqual([]);
  });

  it('Japanese has kana or Han characters, Chinese no kana, unless English has no word either', () => {
    const wrong = texts.filter(({ place, text, english }) => {
      if (english.includes(text) || english.every((one) => !/[a-z]/i.test(one.replace(/\{\w+\}/g, '')))) return false;
      if (place.endsWith('(ja)')) return !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text);
      return place.endsWith('(zh)') && /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text.replaceAll('ー', ''));
    });
    expect(wrong.map(({ place }) => place)).toEqual([]);
  });
});

describe('pages', () => {
  for (const page of globSync('**/page.tsx', { cwd: app })) {
    it(`${page} sends the texts that its components use, and no others`, () => {
      const above = page.startsWith('(console)') ? layoutAreas : areasSent('layout.tsx');
      const used = new Set(reachable(page).flatMap((file) => areasUsed(file)));
      expect([...used].filter((name) => !above.includes(name)).toSorted()).toEqual(areasSent(page).toSorted());
    });
  }

  it('the layouts send what is used in them', () => {
    const used = new Set(reachable('(console)/layout.tsx').flatMap(areasUsed));
    expect([...used].toSorted()).toEqual(layoutAreas.toSorted());
  });

  it('the catalog itself goes to no browser: components import its types alone', () => {
    const wrong = globSync('{components,login,password}/**/*.{ts,tsx}', { cwd: app }).filter((file) =>
      /^import (?!type\b)[^;]*messages\/(?!area)/m.test(readFileSync(join(app, file), 'utf8')),
    );
    expect(wrong).toEqual([]);
  });
});

function areasSent(file: string): string[] {
  const list = /<Texts areas=\{\[([^\]]*)\]\}/.exec(readFileSync(join(app, file), 'utf8'))?.[1] ?? '';
  return [...list.matchAll(/'(\w+)'/g)].map((match) => match[1] ?? '');
}

function areasUsed(file: string): string[] {
  return [...readFileSync(join(app, file), 'utf8').matchAll(/useText\('(\w+)'\)/g)].map((match) => match[1] ?? '');
}

/** The file and all in the console that it imports, however far, also what is fetched later. */
function reachable(start: string): string[] {
  const found = new Set([start]);
  for (const file of found) {
    const text = readFileSync(join(app, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from |import\()'((?:@\/|\.)[^']+)'/g)) {
      const target = specifier.startsWith('@/')
        ? specifier.slice(2)
        : relative(app, join(app, dirname(file), specifier));
      if (!target.startsWith('..') && target.match(/\.tsx?$/)) found.add(target);
    }
  }
  return [...found];
}
