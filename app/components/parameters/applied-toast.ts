import Link from 'next/link';
import { createElement } from 'react';
import { toast } from 'sonner';
import type { ChangeResponse } from '../../../proxy/control/contract.ts';

/** Says what became of a change, in every worker: what was not taken everywhere stays until it is read. */
export function announceApplied(names: readonly string[], { unchanged, workers, proposal }: ChangeResponse): void {
  if (proposal !== null) {
    toast.success(`Proposed as number ${proposal}: nothing is changed yet`, {
      description: createElement(
        Link,
        { href: `/configuration/proposals/${proposal}`, className: 'underline' },
        'Somebody else has to approve it',
      ),
    });
    return;
  }
  if (unchanged.length === names.length) {
    toast.success('No effect: these values were in force already');
    return;
  }
  const made = names.filter((name) => !unchanged.includes(name));
  const text = made.length === 1 ? `${made[0]} is changed` : `${made.length} parameters are changed`;
  const failed = workers.filter(({ failure }) => failure !== null);
  if (failed.length === 0) {
    const everywhere = workers.length === 1 ? 'In force in the worker' : `In force in all ${workers.length} workers`;
    // A change that waits for the restart is told to nobody yet.
    toast.success(text, workers.length === 0 ? {} : { description: everywhere });
    return;
  }
  const taken = workers.length - failed.length;
  toast.warning(`Stored, but in force in ${taken} of ${workers.length} workers only`, {
    description: failed.map(({ worker, failure }) => `Worker ${worker}: ${failure}`).join('; '),
    duration: Number.POSITIVE_INFINITY,
  });
}
