import type { ReactNode } from 'react';
import { serverText } from '@/lib/bff/texts.tsx';
import { BrandMark } from './brand.tsx';
import { LanguageSwitch } from './language-switch.tsx';

interface SignInCardProps {
  title: string;
  lead: string;
  children: ReactNode;
}

/** The quiet page around signing in and choosing a password. */
export async function SignInCard({ title, lead, children }: SignInCardProps) {
  const t = await serverText('common');
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-3">
          <BrandMark className="size-9" />
          <div className="leading-tight">
            <p className="font-semibold">{t('brand')}</p>
            <p lang="en" className="text-xs text-muted">
              OceanBase Database Proxy
            </p>
          </div>
        </div>
        <div className="rounded-xl border border-line bg-panel p-6">
          <h1 className="text-lg font-semibold">{title}</h1>
          <p className="mt-1 mb-5 text-sm text-muted">{lead}</p>
          {children}
        </div>
        <LanguageSwitch />
      </div>
    </main>
  );
}
