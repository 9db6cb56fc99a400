'use client';

import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Language } from '@/lib/language.ts';
import { makeText, type Text } from '@/lib/text.ts';
import type { Messages } from '@/messages/area.ts';
import type { AreaName, Catalog } from '@/messages/catalog.ts';

interface TextsGiven {
  readonly language: Language;
  readonly areas: Readonly<Partial<Record<AreaName, Messages>>>;
}

const TextsContext = createContext<TextsGiven>({ language: 'en', areas: {} });

/** Gives the components below the texts of some areas, besides those that they have from above. */
export function TextsProvider({ language, areas, children }: TextsGiven & { children: ReactNode }) {
  const above = useContext(TextsContext);
  const given = useMemo(() => ({ language, areas: { ...above.areas, ...areas } }), [above, language, areas]);
  return <TextsContext value={given}>{children}</TextsContext>;
}

/** The texts of an area in the reader's language. Throws when the page or a layout above did not send them (see `Texts`). */
export function useText<A extends AreaName>(area: A): Text<Catalog[A]> {
  const { language, areas } = useContext(TextsContext);
  const messages = areas[area];
  if (messages === undefined) throw new Error(`the texts of ${area} were not sent with this page`);
  return useMemo(() => makeText<Catalog[A]>(language, messages), [language, messages]);
}

/** The language that the page is in. */
export function useLanguage(): Language {
  return useContext(TextsContext).language;
}
