'use client';

import { toast } from 'sonner';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import type { Proposal } from '../../../proxy/control/contract.ts';
import type { Step } from './decide-dialog.tsx';

interface ProposalActionsProps {
  proposal: Proposal;
  onStep: (step: Step) => void;
}

/** What the reader may do about a proposal that waits; why nothing, if nothing. */
export function ProposalActions({ proposal, onStep }: ProposalActionsProps) {
  const t = useText('proposals');
  const [mayApprove, mayWrite] = [useMay('parameters.approve'), useMay('parameters.write')];
  if (proposal.state !== 'waiting') return null;
  const mayDecide = mayApprove && !proposal.isMine;
  const moved = proposal.changes.some((change) => change.moved !== null);
  return (
    <div className="ml-auto flex flex-wrap items-center gap-2">
      {mayApprove || proposal.isMine ? null : <span className="text-xs text-muted">{t('mayNot')}</span>}
      <CopyLink />
      {mayWrite && proposal.isMine ? <Button onClick={() => onStep('withdraw')}>{t('withdraw')} …</Button> : null}
      {mayDecide ? (
        <>
          <Button onClick={() => onStep('refuse')}>{t('refuse')} …</Button>
          <Button variant="primary" disabled={moved} onClick={() => onStep('approve')}>
            {t('approve')} …
          </Button>
        </>
      ) : null}
    </div>
  );
}

/** The address of this page, to be pasted into a chat. Browsers give the clipboard to pages over HTTPS and on localhost only. */
function CopyLink() {
  const t = useText('proposals');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      toast.success(t('copied'));
    } catch {
      toast(window.location.href);
    }
  };
  return <Button onClick={() => void copy()}>{t('copyLink')}</Button>;
}
