import { createElement, Fragment, type ReactNode } from 'react';
import type { Entries, Messages, ValueNames } from '@/messages/area.ts';
import type { Language } from './language.ts';
import { countText } from './numbers.ts';

/** What must be given for the values of a text; nothing when it takes none. */
type Values<Names extends string, Value> = [Names] extends [never]
  ? []
  : [values: { readonly [Name in Names]: Name extends 'count' ? number : Value }];

/** Texts of one area in the reader's language. Numbers are written as `countText` writes them. */
export interface Text<E extends Entries> {
  <K extends keyof E & string>(key: K, ...values: Values<ValueNames<E[K]['en']>, string | number>): string;
  /** The same with elements for values: names in their own type, links, times. */
  readonly rich: <K extends keyof E & string>(
    key: K,
    ...values: Values<ValueNames<E[K]['en']>, ReactNode>
  ) => ReactNode;
  readonly language: Language;
}

/** Makes the texts of an area usable, on the server and in the browser alike. */
export function makeText<E extends Entries>(language: Language, messages: Messages): Text<E> {
  const parts = (key: string, values: Readonly<Record<string, ReactNode>> = {}): ReactNode[] => {
    const message = messages[key];
    if (message === undefined) throw new Error(`there is no text ${key}`);
    const text = typeof message === 'string' ? message : values.count === 1 ? message.one : message.other;
    return text.split(/\{(\w+)\}/).map((part, index) => {
      if (index % 2 === 0) return part;
      const value = values[part];
      return typeof value === 'number' ? countText(value) : value;
    });
  };
  const plain = (key: string, values?: Readonly<Record<string, ReactNode>>): string => parts(key, values).join('');
  const rich = (key: string, values?: Readonly<Record<string, ReactNode>>): ReactNode =>
    createElement(Fragment, null, ...parts(key, values));
  return Object.assign(plain, { rich, language });
}
