import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { Configuration } from '@/components/parameters/configuration.tsx';
import { readControl } from '@/lib/bff/session.ts';
import { pageTitle, Texts } from '@/lib/bff/texts.tsx';
import { parametersQuery } from '@/lib/queries.ts';
import { parametersResponseSchema } from '../../../proxy/control/contract.ts';

export const generateMetadata = pageTitle('page.configuration');

export default async function ConfigurationPage() {
  const client = new QueryClient();
  const parameters = await readControl('parameters', parametersResponseSchema);
  if (parameters !== undefined) client.setQueryData(parametersQuery.queryKey, parameters);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Texts areas={['blocklist', 'parameters', 'proposals']}>
        <Configuration />
      </Texts>
    </HydrationBoundary>
  );
}
