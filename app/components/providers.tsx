'use client';

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, useState } from 'react';
import { Toaster } from 'sonner';
import { ApiError } from '@/lib/api.ts';
import { leaving } from '@/lib/leaving.ts';

/** What every page needs around it: the query cache, filters in the URL, toasts. */
export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(makeClient);
  return (
    <QueryClientProvider client={client}>
      <NuqsAdapter>{children}</NuqsAdapter>
      <Toaster
        position="top-right"
        offset={{ top: 68, right: 24 }}
        mobileOffset={{ top: 64, left: 12, right: 12 }}
        className="font-sans!"
        gap={8}
        toastOptions={{
          unstyled: true,
          classNames: {
            toast:
              'flex w-full items-start gap-2 rounded-lg border border-line bg-raised px-3.5 py-3 text-sm text-fg shadow-pop break-words',
            title: 'font-medium [overflow-wrap:anywhere]',
            description: 'text-muted',
            icon: 'mt-0.5 shrink-0',
          },
        }}
      />
    </QueryClientProvider>
  );
}

function makeClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      queries: {
        // The event stream says when something changes; asking again on a timer of age would only repeat it.
        staleTime: 60_000,
        retry: (failures, error) =>
          failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
        refetchOnWindowFocus: false,
      },
    },
  });
}

/** An ended session shows on the next call: go and sign in, and come back to the same page. */
function leaveWhenSignedOut(error: Error): void {
  if (!(error instanceof ApiError) || error.status !== 401) return;
  if (leaving.isUnderWay() || location.pathname === '/login') return;
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
}
