import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { RoutingPage } from '@/components/routing/routing-page.tsx';
import { readControl } from '@/lib/bff/session.ts';
import { pageTitle, Texts } from '@/lib/bff/texts.tsx';
import { routingChoicesQuery } from '@/lib/routing-queries.ts';
import { routingChoicesSchema } from '../../../proxy/control/contract.ts';

export const generateMetadata = pageTitle('page.routing');

export default async function Page() {
  const client = new QueryClient();
  const choices = await readControl('routingChoices', routingChoicesSchema);
  if (choices !== undefined) client.setQueryData(routingChoicesQuery.queryKey, choices);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Texts areas={['routing']}>
        <RoutingPage />
      </Texts>
    </HydrationBoundary>
  );
}
