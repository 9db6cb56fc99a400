import type { StateLook } from '@/lib/server-state.ts';
import type { Text } from '@/lib/text.ts';
import type { UpgradeRun } from '@/lib/upgrade-progress.ts';
import type { Catalog } from '@/messages/catalog.ts';
import type { UpgradeGeneration, UpgradeState } from '../../../proxy/control/contract.ts';

export type UpgradeText = Text<Catalog['upgrade']>;

/** What each generation is for, as a colour and a shape; the word is the text `role.…`. */
export const roleLooks: Readonly<Record<UpgradeGeneration['role'], Omit<StateLook, 'word'>>> = {
  starting: { tone: 'info', shape: 'turn' },
  active: { tone: 'ok', shape: 'disc' },
  standby: { tone: 'warn', shape: 'triangle' },
  leaving: { tone: 'neutral', shape: 'ring' },
};

/** How a run has ended; the word is the text `outcome.…`. */
export const outcomeLooks: Readonly<Record<NonNullable<UpgradeRun['outcome']>, Omit<StateLook, 'word'>>> = {
  committed: { tone: 'ok', shape: 'disc' },
  'rolled back': { tone: 'warn', shape: 'turn' },
  'given up': { tone: 'bad', shape: 'octagon' },
};

/** What is going on, in one line. */
export function nowText(state: UpgradeState, run: UpgradeRun, t: UpgradeText): string {
  const { oldGeneration: old, newGeneration: fresh } = run;
  const { phase } = state;
  switch (phase) {
    case 'prepare':
      return fresh === null ? t('now.attempt') : t('now.prepare', { id: String(fresh) });
    case 'switch':
    case 'move':
      return t(`now.${phase}`, { id: String(fresh) });
    case 'watch':
      return run.hold ? t('now.hold') : t('now.watch', { id: String(fresh) });
    case 'commit':
    case 'rollback':
      return t(`now.${phase}`, { id: String(old) });
    case 'idle':
      return '';
  }
}
