'use client';

import { useRouter } from 'next/navigation';
import { useLanguage, useText } from '@/components/texts.tsx';
import { languageCookie, languages, languageTags } from '@/lib/language.ts';
import { keepCookie } from '@/lib/preferences.ts';
import { useHydrated } from '@/lib/use-hydrated.ts';

/** The language in force and how to choose another: it is kept in a cookie, and the server writes the page anew with what is typed left as it is. */
export function useLanguageChoice(): [string, (language: string) => void] {
  const router = useRouter();
  const choose = (language: string): void => {
    keepCookie(languageCookie, language);
    router.refresh();
  };
  return [useLanguage(), choose];
}

/** The languages by their own names, for pages without the menu. */
export function LanguageSwitch() {
  const t = useText('common');
  const [current, choose] = useLanguageChoice();
  const hydrated = useHydrated();
  return (
    <fieldset className="mt-4 flex justify-center gap-1">
      <legend className="sr-only">{t('language')}</legend>
      {languages.map(({ language, name }) => (
        <button
          key={language}
          type="button"
          lang={languageTags[language]}
          aria-pressed={language === current}
          disabled={!hydrated}
          onClick={() => choose(language)}
          className="h-8 rounded-md px-2.5 text-sm text-muted hover:bg-hover hover:text-fg aria-pressed:font-medium aria-pressed:text-accent"
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
