import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { RoutingPage } from '@/components/routing/routing-page.tsx';
import { readControl } from '@/lib/bff/session.ts';
import { overviewQuery } from '@/lib/queries.ts';
import { routingChoicesQuery } from '@/lib/routing-queries.ts';
import { overviewSchema, routingChoicesSchema } from '../../../proxy/control/contract.ts';

export const metadata: Metadata = { title: 'Routing' };

export default async function Page() {
  const client = new QueryClient();
  const [overview, choices] = await Promise.all([
    readControl('overview', overviewSchema),
    readControl('routingChoices', routingChoicesSchema),
  ]);
  if (overview !== undefined) client.setQueryData(overviewQuery.queryKey, overview);
  if (choices !== undefined) client.setQueryData(routingChoicesQuery.queryKey, choices);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <RoutingPage />
    </HydrationBoundary>
  );
}
