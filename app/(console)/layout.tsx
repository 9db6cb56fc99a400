import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { BlocklistAlerts } from '@/components/blocklist/blocklist-alerts.tsx';
import { LoadHistoryProvider } from '@/components/charts/load-history.tsx';
import { LiveProvider } from '@/components/live/live-provider.tsx';
import { DraftProvider } from '@/components/parameters/draft-provider.tsx';
import { Shell } from '@/components/shell/shell.tsx';
import { UserProvider } from '@/components/shell/user-context.tsx';
import { Unreachable } from '@/components/unreachable.tsx';
import { currentUser, readControl } from '@/lib/bff/session.ts';
import { Texts } from '@/lib/bff/texts.tsx';
import { overviewQuery } from '@/lib/queries.ts';
import { overviewSchema } from '../../proxy/control/contract.ts';

/**
 * The frame of the pages behind the sign-in. Sending people to the sign-in page is a courtesy: whether they may see or
 * change anything is judged by the proxy in every single call (case B111).
 */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  if (user === 'unreachable') return <Unreachable />;
  if (user === null) redirect('/login');
  if (user.mustChangePassword) redirect('/password');
  const client = new QueryClient();
  const overview = await readControl('overview', overviewSchema);
  if (overview !== undefined) client.setQueryData(overviewQuery.queryKey, overview);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Texts areas={['shell']}>
        <UserProvider user={user}>
          <LiveProvider userName={user.name}>
            <BlocklistAlerts />
            <DraftProvider>
              <LoadHistoryProvider>
                <Shell>{children}</Shell>
              </LoadHistoryProvider>
            </DraftProvider>
          </LiveProvider>
        </UserProvider>
      </Texts>
    </HydrationBoundary>
  );
}
