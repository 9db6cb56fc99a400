'use client';

import { useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { useText } from '@/components/texts.tsx';
import { ApiError, errorText, postJson } from '@/lib/api.ts';
import { leaving } from '@/lib/leaving.ts';

/** Ends the session at the proxy and leaves for the sign-in page with nothing kept in memory. */
export function useSignOut(): () => Promise<void> {
  const t = useText('common');
  const client = useQueryClient();
  return async () => {
    leaving.begin();
    try {
      await postJson('/api/logout', {});
    } catch (error) {
      const alreadyOut = error instanceof ApiError && error.status === 401;
      if (!alreadyOut) {
        leaving.giveUp();
        toast.error(errorText(error, t));
        return;
      }
    }
    client.clear();
    location.assign('/login');
  };
}
