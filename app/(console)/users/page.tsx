import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { UsersPage } from '@/components/users/users-page.tsx';
import { readControl } from '@/lib/bff/session.ts';
import { serverText, Texts } from '@/lib/bff/texts.tsx';
import { usersQuery } from '@/lib/user-queries.ts';
import { usersResponseSchema } from '../../../proxy/control/contract.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await serverText('shell');
  return { title: t('page.users') };
}

export default async function Page() {
  const client = new QueryClient();
  const users = await readControl('users', usersResponseSchema);
  if (users !== undefined) client.setQueryData(usersQuery.queryKey, users);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Texts areas={['users']}>
        <UsersPage />
      </Texts>
    </HydrationBoundary>
  );
}
