'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { useText } from '@/components/texts.tsx';
import { errorText } from '@/lib/api.ts';
import { demoQuery, injectFault, orderLoad } from '@/lib/demo-queries.ts';
import { visibleText } from '@/lib/visible-text.ts';
import type { DemoFault, DemoState } from '../../../proxy/control/contract.ts';

/** What the reader does to the demo cluster; the page shows the state that came of it. */
export interface Lab {
  /** One after the other; the first that is refused ends it, and is told. */
  readonly inject: (...faults: readonly DemoFault[]) => void;
  /** Starts the sample load for so many minutes; 0 ends it. */
  readonly load: (minutes: number) => void;
  readonly isBusy: boolean;
}

/** @param reason kept in the history with each fault; may be empty */
export function useLab(reason: string): Lab {
  const t = useText('lab');
  const common = useText('common');
  const client = useQueryClient();
  const show = (state: DemoState): void => {
    // An answer on its way is older than this.
    void client.cancelQueries({ queryKey: demoQuery.queryKey });
    client.setQueryData(demoQuery.queryKey, state);
  };
  const onError = (error: Error): void => {
    toast.error(t('failed', { detail: visibleText(errorText(error, common)) }));
  };
  const injecting = useMutation({
    mutationFn: async (faults: readonly DemoFault[]) => {
      for (const fault of faults) show(await injectFault(fault, reason.trim()));
    },
    onError,
  });
  const loading = useMutation({ mutationFn: async (minutes: number) => show(await orderLoad(minutes)), onError });
  return {
    inject: (...faults) => injecting.mutate(faults),
    load: (minutes) => loading.mutate(minutes),
    isBusy: injecting.isPending || loading.isPending,
  };
}
