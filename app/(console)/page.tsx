import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { OverviewPage } from '@/components/overview/overview-page.tsx';
import { readControl } from '@/lib/bff/session.ts';
import { pageTitle, Texts } from '@/lib/bff/texts.tsx';
import { parametersQuery } from '@/lib/queries.ts';
import { parametersResponseSchema } from '../../proxy/control/contract.ts';

export const generateMetadata = pageTitle('page.overview');

export default async function Page() {
  const client = new QueryClient();
  // The overview itself comes with the layout; the switch needs its parameter's revision.
  const parameters = await readControl('parameters', parametersResponseSchema);
  if (parameters !== undefined) client.setQueryData(parametersQuery.queryKey, parameters);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Texts areas={['history', 'parameters']}>
        <OverviewPage />
      </Texts>
    </HydrationBoundary>
  );
}
