import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from '@/components/providers.tsx';
import { TimeZoneProvider } from '@/components/time-zone.tsx';
import { currentLanguage, serverText, Texts } from '@/lib/bff/texts.tsx';
import { languageTags } from '@/lib/language.ts';
import { parseTheme, parseZone, themeCookie, zoneCookie } from '@/lib/preferences.ts';
import './globals.css';

// Latin only: other scripts come from the reader's system, which has better fonts for them.
const inter = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  variable: '--font-inter',
  weight: '100 900',
  display: 'swap',
});
const jetbrains = localFont({
  src: '../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  variable: '--font-jetbrains',
  weight: '100 800',
  display: 'swap',
  adjustFontFallback: false,
});

export async function generateMetadata(): Promise<Metadata> {
  const t = await serverText('common');
  return {
    title: { default: t('brand'), template: `%s · ${t('brand')}` },
    description: t('description'),
    robots: { index: false, follow: false },
  };
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#131418' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const jar = await cookies();
  const theme = parseTheme(jar.get(themeCookie)?.value);
  return (
    <html
      lang={languageTags[await currentLanguage()]}
      data-theme={theme === 'system' ? undefined : theme}
      className={`${inter.variable} ${jetbrains.variable}`}
      suppressHydrationWarning
    >
      <body>
        <Texts areas={['common']}>
          <Providers>
            <TimeZoneProvider initial={parseZone(jar.get(zoneCookie)?.value)}>{children}</TimeZoneProvider>
          </Providers>
        </Texts>
      </body>
    </html>
  );
}
