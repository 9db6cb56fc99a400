/** How the texts of a part of the console are written down, so that the compiler sees what a language lacks. */
import type { Language } from '@/lib/language.ts';

/** A text with `{name}` where a value goes. English may tell one from more by the value `count`; the others do not. */
type Message = string | { readonly one: string; readonly other: string };

/** Texts of one area in one language, as they are sent to the browser. */
export type Messages = Readonly<Record<string, Message>>;

/** One text in all languages. English is the source. */
interface Entry {
  readonly en: Message;
  readonly ja: string;
  readonly zh: string;
}

export type Entries = Readonly<Record<string, Entry>>;

type NamesIn<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The names of the values that a text takes. */
export type ValueNames<M extends Message> = M extends string
  ? NamesIn<M>
  : M extends { readonly one: infer One extends string; readonly other: infer Other extends string }
    ? 'count' | NamesIn<One> | NamesIn<Other>
    : never;

/** `S` itself when it takes exactly these values, else a text that names those it should take. */
type Taking<S extends string, Names extends string> = [NamesIn<S>] extends [Names]
  ? [Exclude<Names, 'count'>] extends [NamesIn<S>]
    ? S
    : `must take the value {${Exclude<Names, NamesIn<S>>}}`
  : `must not take the value {${Exclude<NamesIn<S>, Names>}}`;

type Checked<T extends Entries> = {
  readonly [K in keyof T]: {
    readonly [L in keyof T[K]]: L extends 'en'
      ? T[K][L]
      : L extends 'ja' | 'zh'
        ? Taking<T[K][L] & string, ValueNames<T[K]['en']>>
        : never;
  };
};

/**
 * The texts of an area. A language that is missing or unknown, and a value that one language takes and English does not
 * (or the other way round), do not compile; `count` alone may be left out where a language has no use for it.
 */
export function area<const T extends Entries>(entries: T & Checked<T>): T {
  return entries;
}

/** The texts of an area in one language. */
export function inLanguage(entries: Entries, language: Language): Messages {
  return Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, entry[language]]));
}
