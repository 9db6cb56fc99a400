'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { useText } from '@/components/texts.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { postJson } from '@/lib/api.ts';
import { blocklistQuery } from '@/lib/blocklist-queries.ts';
import { cn } from '@/lib/class-names.ts';
import { listWord, listWordWithin } from '@/lib/list-words.ts';
import {
  type BlocklistName,
  type BlocklistServer,
  blocklistNameSchema,
  blocklistReleaseResponseSchema,
} from '../../../proxy/control/contract.ts';

interface ReleaseDialogProps {
  cluster: string;
  server: BlocklistServer;
  onClose: () => void;
}

/** Takes a server off its lists, or off one of them, with a reason that the history and the timeline keep. */
export function ReleaseDialog({ cluster, server, onClose }: ReleaseDialogProps) {
  const t = useText('blocklist');
  const reasonId = useId();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('releaseTitle', { address: server.address })}
      description={t('releaseAbout')}
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:w-[30rem]"
    >
      <ReleaseForm cluster={cluster} server={server} reasonId={reasonId} onClose={onClose} />
    </Dialog>
  );
}

function ReleaseForm({ cluster, server, reasonId, onClose }: ReleaseDialogProps & { reasonId: string }) {
  const t = useText('blocklist');
  const shell = useText('shell');
  const client = useQueryClient();
  const [chosen, setChosen] = useState<BlocklistName | null>(null);
  const release = useMutation({
    mutationFn: async ({ list, reason }: { list: BlocklistName | null; reason: string }) =>
      blocklistReleaseResponseSchema.parse(
        await postJson('/api/blocklist/release', { cluster, server: server.address, list, reason }),
      ),
    onSuccess: ({ released }) => {
      const lists = released.map((list) => listWordWithin(shell, list)).join(', ');
      toast.success(
        released.length === 0
          ? t('noEffect')
          : t('offTheLists', { address: server.address, lists, count: released.length }),
      );
      void client.invalidateQueries({ queryKey: blocklistQuery.queryKey });
      onClose();
    },
  });
  const lists = server.listings.map(({ list }) => list);
  // The one chosen may have ended meanwhile.
  const list = chosen !== null && lists.includes(chosen) ? chosen : null;
  return (
    <ReasonForm
      reasonId={reasonId}
      word={t('release')}
      pendingWord={t('releasing')}
      request={release}
      disabled={lists.length === 0}
      onSubmit={(reason) => release.mutate({ list, reason })}
      onCancel={onClose}
    >
      {lists.length === 0 ? (
        <Notice tone="info" alert>
          {t('leftByItself')}
        </Notice>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line text-sm">
          {server.listings.map((listing) => (
            <li key={listing.list} className="grid gap-0.5 px-3.5 py-2.5">
              <span className="font-medium">{t('listOf', { list: listWord(shell, listing.list) })}</span>
              <PlainText text={listing.reason} lang="en" className="text-xs text-muted [overflow-wrap:anywhere]" />
            </li>
          ))}
        </ul>
      )}
      {lists.length > 1 ? (
        <label className="grid gap-1.5 text-sm font-medium">
          {t('takeOff')}
          <select
            value={list ?? ''}
            onChange={(event) => setChosen(blocklistNameSchema.safeParse(event.target.value).data ?? null)}
            className={cn(inputClass, 'font-normal')}
          >
            <option value="">{t('allLists', { count: lists.length })}</option>
            {lists.map((one) => (
              <option key={one} value={one}>
                {t('onlyList', { list: listWordWithin(shell, one) })}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <Notice tone="warn">{t('listedAgain')}</Notice>
    </ReasonForm>
  );
}
