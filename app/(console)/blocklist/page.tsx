import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { BlocklistPage } from '@/components/blocklist/blocklist-page.tsx';
import { readControl } from '@/lib/bff/session.ts';
import { pageTitle, Texts } from '@/lib/bff/texts.tsx';
import { blocklistQuery } from '@/lib/blocklist-queries.ts';
import { parametersQuery } from '@/lib/queries.ts';
import { blocklistResponseSchema, parametersResponseSchema } from '../../../proxy/control/contract.ts';

export const generateMetadata = pageTitle('page.blocklist');

export default async function Page() {
  const client = new QueryClient();
  const [blocklist, parameters] = await Promise.all([
    readControl('blocklist', blocklistResponseSchema),
    readControl('parameters', parametersResponseSchema),
  ]);
  if (blocklist !== undefined) client.setQueryData(blocklistQuery.queryKey, blocklist);
  if (parameters !== undefined) client.setQueryData(parametersQuery.queryKey, parameters);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Texts areas={['blocklist', 'parameters']}>
        <BlocklistPage />
      </Texts>
    </HydrationBoundary>
  );
}
