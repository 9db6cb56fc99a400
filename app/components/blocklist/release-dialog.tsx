'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Dialog } from '@/components/ui/dialog.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { postJson } from '@/lib/api.ts';
import { blocklistQuery } from '@/lib/blocklist-queries.ts';
import { cn } from '@/lib/class-names.ts';
import {
  type BlocklistName,
  type BlocklistServer,
  blocklistNameSchema,
  blocklistReleaseResponseSchema,
} from '../../../proxy/control/contract.ts';
import { listWords } from './words.ts';

interface ReleaseDialogProps {
  cluster: string;
  server: BlocklistServer;
  onClose: () => void;
}

/** Takes a server off its lists, or off one of them, with a reason that the history and the timeline keep. */
export function ReleaseDialog({ cluster, server, onClose }: ReleaseDialogProps) {
  const reasonId = useId();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Release ${server.address}`}
      description="It gets requests again at once. Who did it and why is kept."
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:w-[30rem]"
    >
      <ReleaseForm cluster={cluster} server={server} reasonId={reasonId} onClose={onClose} />
    </Dialog>
  );
}

function ReleaseForm({ cluster, server, reasonId, onClose }: ReleaseDialogProps & { reasonId: string }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<BlocklistName | null>(null);
  const release = useMutation({
    mutationFn: async ({ list, reason }: { list: BlocklistName | null; reason: string }) =>
      blocklistReleaseResponseSchema.parse(
        await postJson('/api/blocklist/release', { cluster, server: server.address, list, reason }),
      ),
    onSuccess: ({ released }) => {
      const lists = released.map((list) => listWords[list].word.toLowerCase()).join(', ');
      toast.success(
        released.length === 0
          ? 'No effect: it was on no such list any more'
          : `${server.address} is off the ${lists} ${released.length === 1 ? 'list' : 'lists'}`,
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
      word="Release"
      pendingWord="Releasing …"
      request={release}
      disabled={lists.length === 0}
      onSubmit={(reason) => release.mutate({ list, reason })}
      onCancel={onClose}
    >
      {lists.length === 0 ? (
        <Notice tone="info" alert>
          It has left its lists by itself: there is nothing to release any more.
        </Notice>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line text-sm">
          {server.listings.map((listing) => (
            <li key={listing.list} className="grid gap-0.5 px-3.5 py-2.5">
              <span className="font-medium">{listWords[listing.list].word} list</span>
              <PlainText text={listing.reason} className="text-xs text-muted [overflow-wrap:anywhere]" />
            </li>
          ))}
        </ul>
      )}
      {lists.length > 1 ? (
        <label className="grid gap-1.5 text-sm font-medium">
          Take it off
          <select
            value={list ?? ''}
            onChange={(event) => setChosen(blocklistNameSchema.safeParse(event.target.value).data ?? null)}
            className={cn(inputClass, 'font-normal')}
          >
            <option value="">all {lists.length} lists</option>
            {lists.map((one) => (
              <option key={one} value={one}>
                only the {listWords[one].word.toLowerCase()} list
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <Notice tone="warn">
        While the cause lasts it will be listed again, and requests that go there meanwhile may fail.
      </Notice>
    </ReasonForm>
  );
}
