'use client';

import { useText } from '@/components/texts.tsx';
import type { ScenarioName } from '@/lib/lab-scenarios.ts';
import type { Text } from '@/lib/text.ts';
import type { Catalog } from '@/messages/catalog.ts';

type LabText = Text<Catalog['lab']>;

const known = ['stop', 'freeze', 'slow', 'refuse', 'error', 'partition', 'merge', 'rollingMerge'] as const;

/** What a fault is called; one that was asked for at the demo's own door may have no name here. */
export function useFaultWord(): (fault: string) => string {
  const t = useText('lab');
  return (fault) => {
    const name = known.find((one) => one === fault);
    return name === undefined ? fault : t(`fault.${name}`);
  };
}

interface Places {
  /** What it is done to, and where what was there goes. */
  readonly target: string;
  readonly other: string;
}

/** What to watch in each scenario. */
export const watched: Readonly<Record<ScenarioName, (t: LabText, places: Places) => readonly string[]>> = {
  serverDies: (t, places) => [t('serverDies.1', places), t('serverDies.2'), t('serverDies.3')],
  zoneMerges: (t, places) => [t('zoneMerges.1', places), t('zoneMerges.2'), t('zoneMerges.3')],
  leaderMoves: (t, places) => [t('leaderMoves.1', places), t('leaderMoves.2', places), t('leaderMoves.3')],
  regionCut: (t, places) => [t('regionCut.1', places), t('regionCut.2', places), t('regionCut.3')],
};
