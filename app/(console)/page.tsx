import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { OverviewPage } from '@/components/overview/overview-page.tsx';
import { readControl } from '@/lib/bff/session.ts';
import { pageTitle, Texts } from '@/lib/bff/texts.tsx';
import { listedAtQuery, trafficQuery } from '@/lib/overview-queries.ts';
import { pausedAt } from '@/lib/overview-view.ts';
import { parametersQuery } from '@/lib/queries.ts';
import {
  blocklistAtSchema,
  blocklistResponseSchema,
  parametersResponseSchema,
  trafficSchema,
} from '../../proxy/control/contract.ts';

export const generateMetadata = pageTitle('page.overview');

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const client = new QueryClient();
  const { at: atText } = await searchParams;
  const at = pausedAt({ at: String(atText ?? '') });
  // The overview itself comes with the layout; the verdict needs the lists and the traffic, the switch its parameter's
  // revision. With them in the page nothing moves when the scripts come.
  const [parameters, blocklist, then, traffic] = await Promise.all([
    readControl('parameters', parametersResponseSchema),
    readControl('blocklist', blocklistResponseSchema),
    at === null ? undefined : readControl('blocklistAt', blocklistAtSchema, `?at=${at}`),
    readControl('traffic', trafficSchema, at === null ? '' : `?to=${at}`),
  ]);
  if (parameters !== undefined) client.setQueryData(parametersQuery.queryKey, parameters);
  if (at !== null && then !== undefined) client.setQueryData(listedAtQuery(at).queryKey, then);
  if (traffic !== undefined) client.setQueryData(trafficQuery('15m', at).queryKey, traffic);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Texts areas={['overview', 'parameters']}>
        <OverviewPage blocklist={blocklist} />
      </Texts>
    </HydrationBoundary>
  );
}
