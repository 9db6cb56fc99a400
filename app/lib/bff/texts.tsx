/** The reader's language and the texts in it, on the server: the browser is sent those that a page needs, in one language. */
import type { Metadata } from 'next';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { TextsProvider } from '@/components/texts.tsx';
import { inLanguage } from '@/messages/area.ts';
import { type AreaName, type Catalog, catalog } from '@/messages/catalog.ts';
import { type Language, languageCookie, languageOf } from '../language.ts';
import { makeText, type Text } from '../text.ts';

/** The language of the answer that is being made. */
export async function currentLanguage(): Promise<Language> {
  return languageOf((await cookies()).get(languageCookie)?.value, (await headers()).get('accept-language'));
}

/** The texts of an area, for what is rendered on the server. */
export async function serverText<A extends AreaName>(area: A): Promise<Text<Catalog[A]>> {
  const language = await currentLanguage();
  return makeText<Catalog[A]>(language, inLanguage(catalog[area], language));
}

/** A page's `generateMetadata`: its name in the window's title. */
export function pageTitle(key: Extract<keyof Catalog['shell'], `page.${string}`>): () => Promise<Metadata> {
  return async () => ({ title: (await serverText('shell'))(key) });
}

/** Sends the texts of these areas along, for `useText` in the components below. */
export async function Texts({ areas, children }: { areas: readonly AreaName[]; children: ReactNode }) {
  const language = await currentLanguage();
  const sent = Object.fromEntries(areas.map((name) => [name, inLanguage(catalog[name], language)]));
  return (
    <TextsProvider language={language} areas={sent}>
      {children}
    </TextsProvider>
  );
}
