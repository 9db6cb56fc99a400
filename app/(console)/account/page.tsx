import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { AccountPage } from '@/components/account/account-page.tsx';
import { readControl } from '@/lib/bff/session.ts';
import { serverText, Texts } from '@/lib/bff/texts.tsx';
import { logInsQuery } from '@/lib/user-queries.ts';
import { logInsResponseSchema } from '../../../proxy/control/contract.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await serverText('shell');
  return { title: t('page.account') };
}

export default async function Page() {
  const client = new QueryClient();
  const logIns = await readControl('ownLogIns', logInsResponseSchema);
  if (logIns !== undefined) client.setQueryData(logInsQuery(null).queryKey, logIns);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Texts areas={['users']}>
        <AccountPage />
      </Texts>
    </HydrationBoundary>
  );
}
