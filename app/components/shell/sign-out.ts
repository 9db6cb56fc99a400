'use client';

import { useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { ApiError, errorText, postJson } from '@/lib/api.ts';

/** Ends the session at the proxy and leaves for the sign-in page with nothing kept in memory. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    try {
      await postJson('/api/logout', {});
    } catch (error) {
      const alreadyOut = error instanceof ApiError && error.status === 401;
      if (!alreadyOut) {
        toast.error(errorText(error));
        return;
      }
    }
    client.clear();
    location.assign('/login');
  };
}
