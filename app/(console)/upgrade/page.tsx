import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { UpgradePage } from '@/components/upgrade/upgrade-page.tsx';
import { readControl } from '@/lib/bff/session.ts';
import { pageTitle, Texts } from '@/lib/bff/texts.tsx';
import { parametersQuery } from '@/lib/queries.ts';
import { upgradeQuery } from '@/lib/upgrade-queries.ts';
import { parametersResponseSchema, upgradeStateSchema } from '../../../proxy/control/contract.ts';

export const generateMetadata = pageTitle('page.upgrade');

export default async function Page() {
  const client = new QueryClient();
  const [state, parameters] = await Promise.all([
    readControl('upgrade', upgradeStateSchema),
    readControl('parameters', parametersResponseSchema),
  ]);
  if (state !== undefined) client.setQueryData(upgradeQuery.queryKey, state);
  if (parameters !== undefined) client.setQueryData(parametersQuery.queryKey, parameters);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Texts areas={['parameters', 'upgrade']}>
        <UpgradePage />
      </Texts>
    </HydrationBoundary>
  );
}
