import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { RoutingPage } from '@/components/routing/routing-page.tsx';
import { readControl } from '@/lib/bff/session.ts';
import { routingChoicesQuery } from '@/lib/routing-queries.ts';
import { routingChoicesSchema } from '../../../proxy/control/contract.ts';

export const metadata: Metadata = { title: 'Routing' };

export default async function Page() {
  const client = new QueryClient();
  const choices = await readControl('routingChoices', routingChoicesSchema);
  if (choices !== undefined) client.setQueryData(routingChoicesQuery.queryKey, choices);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <RoutingPage />
    </HydrationBoundary>
  );
}
