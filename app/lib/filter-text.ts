/**
 * The filter language of the console's search boxes: words, `"exact phrases"` and `key:value` pairs, in any order, all
 * of which must hold. `is:modified group:blocklist window` is one.
 */

export interface FilterText {
  /** Lower-case words and phrases. */
  readonly words: readonly string[];
  /** Pairs whose key the page knows; keys in lower case. */
  readonly pairs: readonly { readonly key: string; readonly value: string }[];
}

const token = /([a-z]+):(?:"([^"]*)"|(\S*))|"([^"]*)"|(\S+)/gi;

/** Read a search box. A pair with a key that is not in `keys` is taken as a plain word, colon and all. */
export function parseFilterText(text: string, keys: readonly string[]): FilterText {
  const words: string[] = [];
  const pairs: { key: string; value: string }[] = [];
  for (const match of text.matchAll(token)) {
    const key = match[1]?.toLowerCase();
    const value = match[2] ?? match[3] ?? match[4] ?? match[5] ?? '';
    if (key !== undefined && keys.includes(key)) {
      if (value !== '') pairs.push({ key, value });
    } else {
      // A quote that is not closed yet is somebody still typing.
      const word = (key === undefined ? value.replace(/^"/, '') : `${match[1]}:${value}`).toLowerCase();
      if (word !== '') words.push(word);
    }
  }
  return { words, pairs };
}

/** The text with every pair of this key replaced by one with this value (`null`: by none). */
export function withPair(text: string, key: string, value: string | null): string {
  const others = text
    .replaceAll(new RegExp(`(^|\\s)${key}:(?:"[^"]*"|\\S*)`, 'gi'), ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (value === null) return others;
  const pair = /\s/.test(value) ? `${key}:"${value}"` : `${key}:${value}`;
  return others === '' ? pair : `${pair} ${others}`;
}

/** The value of the last pair with this key, or null. */
export function pairValue(text: string, key: string): string | null {
  return parseFilterText(text, [key]).pairs.at(-1)?.value ?? null;
}
