'use client';

import dynamic from 'next/dynamic';
import { useMay } from '@/components/shell/user-context.tsx';
import { changesBlocklist, changesRoutes } from '@/lib/effects.ts';
import type { PendingChange } from './pending-change.ts';

// Only who reviews such a change fetches what replays or plans.
const BlocklistEffect = dynamic(() => import('./blocklist-effect.tsx').then((module) => module.BlocklistEffect));
const RouteEffect = dynamic(() => import('./route-effect.tsx').then((module) => module.RouteEffect));

/** What the changes would have done to the blocklists, and what they do to a statement's route: where they can. */
export function EffectPreview({ changes }: { changes: readonly PendingChange[] }) {
  const [mayReplay, mayPlan] = [useMay('blocklist.read'), useMay('routing.explain')];
  const valid = changes.filter((change) => change.invalid === null);
  return (
    <>
      {mayReplay && changesBlocklist(valid) ? <BlocklistEffect changes={valid} /> : null}
      {mayPlan && changesRoutes(valid) ? <RouteEffect changes={valid} /> : null}
    </>
  );
}
