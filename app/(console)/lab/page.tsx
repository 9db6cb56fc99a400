import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { LabPage } from '@/components/lab/lab-page.tsx';
import { readControl } from '@/lib/bff/session.ts';
import { serverText, Texts } from '@/lib/bff/texts.tsx';
import { blocklistQuery } from '@/lib/blocklist-queries.ts';
import { demoQuery } from '@/lib/demo-queries.ts';
import { blocklistResponseSchema, demoStateSchema, overviewSchema } from '../../../proxy/control/contract.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await serverText('shell'))('page.lab') };
}

export default async function Page() {
  const client = new QueryClient();
  const [overview, state, blocklist] = await Promise.all([
    readControl('overview', overviewSchema),
    readControl('demo', demoStateSchema),
    readControl('blocklist', blocklistResponseSchema),
  ]);
  // Real servers are broken by nobody from here.
  if (overview !== undefined && !overview.proxy.hasLab) notFound();
  if (state !== undefined) client.setQueryData(demoQuery.queryKey, state);
  if (blocklist !== undefined) client.setQueryData(blocklistQuery.queryKey, blocklist);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Texts areas={['lab']}>
        <LabPage />
      </Texts>
    </HydrationBoundary>
  );
}
