/** The languages of the console: which there are, and which one a reader gets. */

export type Language = 'en' | 'ja' | 'zh';

/** Every language in its own words; the order of the switches. */
export const languages: readonly { readonly language: Language; readonly name: string }[] = [
  { language: 'en', name: 'English' },
  { language: 'ja', name: '日本語' },
  { language: 'zh', name: '中文' },
];

/** For `lang`: browsers choose the shapes of Han characters, and readers' software its voice, by it. */
export const languageTags: Readonly<Record<Language, string>> = { en: 'en', ja: 'ja', zh: 'zh-CN' };

export const languageCookie = 'odp_language';

/**
 * The language of an answer: as chosen before (the cookie's text), else the first one of ours that the browser asks for
 * (`Accept-Language`, by its weights), else English.
 */
export function languageOf(cookie: string | undefined, acceptLanguage: string | null): Language {
  return known(cookie ?? '') ?? wanted(acceptLanguage ?? '').find((one) => one !== undefined) ?? 'en';
}

/** Languages of an `Accept-Language`, most wanted first; undefined stands for those we do not have. */
function wanted(header: string): (Language | undefined)[] {
  return header
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { language: known(tag.split('-')[0] ?? ''), weight: Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => language);
}

function known(text: string): Language | undefined {
  return languages.find(({ language }) => language === text)?.language;
}
