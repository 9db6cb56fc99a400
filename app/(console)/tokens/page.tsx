import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { TokensPage } from '@/components/tokens/tokens-page.tsx';
import { readControl } from '@/lib/bff/session.ts';
import { serverText, Texts } from '@/lib/bff/texts.tsx';
import { tokensQuery } from '@/lib/token-queries.ts';
import { tokensResponseSchema } from '../../../proxy/control/contract.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await serverText('tokens');
  return { title: t('title') };
}

export default async function Page() {
  const client = new QueryClient();
  const tokens = await readControl('tokens', tokensResponseSchema);
  if (tokens !== undefined) client.setQueryData(tokensQuery('own').queryKey, tokens);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Texts areas={['tokens']}>
        <TokensPage />
      </Texts>
    </HydrationBoundary>
  );
}
