import Link from 'next/link';
import { createElement } from 'react';
import { toast } from 'sonner';
import type { ParametersText } from '@/lib/parameter-check.ts';
import type { ChangeResponse } from '../../../proxy/control/contract.ts';

/** Says what became of a change, in every worker: what was not taken everywhere stays until it is read. */
export function announceApplied(
  t: ParametersText,
  names: readonly string[],
  { unchanged, workers, proposal }: ChangeResponse,
): void {
  if (proposal !== null) {
    toast.success(t('proposed', { number: String(proposal) }), {
      description: createElement(
        Link,
        { href: `/configuration/proposals/${proposal}`, className: 'underline' },
        t('proposedAbout'),
      ),
    });
    return;
  }
  if (unchanged.length === names.length) {
    toast.success(t('noEffect'));
    return;
  }
  const made = names.filter((name) => !unchanged.includes(name));
  const [first = ''] = made;
  const text = made.length === 1 ? t('isChanged', { name: first }) : t('areChanged', { count: made.length });
  const failed = workers.filter(({ failure }) => failure !== null);
  if (failed.length === 0) {
    const everywhere = t('inForceIn', { count: workers.length });
    // A change that waits for the restart is told to nobody yet.
    toast.success(text, workers.length === 0 ? {} : { description: everywhere });
    return;
  }
  const taken = workers.length - failed.length;
  toast.warning(t('inForceInSome', { taken, total: workers.length }), {
    description: failed
      .map(({ worker, failure }) => t('workerFailed', { worker: String(worker), failure: failure ?? '' }))
      .join('; '),
    duration: Number.POSITIVE_INFINITY,
  });
}
