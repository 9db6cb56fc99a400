import type { StateLook } from '@/lib/server-state.ts';
import type { UpgradePhase, UpgradeRun } from '@/lib/upgrade-progress.ts';
import type { UpgradeGeneration, UpgradeState } from '../../../proxy/control/contract.ts';

/** What each generation is for, as a word, a colour and a shape. */
export const roleLooks: Readonly<Record<UpgradeGeneration['role'], StateLook>> = {
  starting: { word: 'Starting', tone: 'info', shape: 'turn' },
  active: { word: 'Active', tone: 'ok', shape: 'disc' },
  standby: { word: 'Standing by', tone: 'warn', shape: 'triangle' },
  leaving: { word: 'Leaving', tone: 'neutral', shape: 'ring' },
};

export const roleAbout: Readonly<Record<UpgradeGeneration['role'], string>> = {
  starting: 'tests itself, and takes no clients yet',
  active: 'takes new clients',
  standby: 'takes no new clients, and can take its sessions back',
  leaving: 'ends as soon as its last session has gone',
};

export const outcomeLooks: Readonly<Record<NonNullable<UpgradeRun['outcome']>, StateLook>> = {
  committed: { word: 'Committed', tone: 'ok', shape: 'disc' },
  'rolled back': { word: 'Rolled back', tone: 'warn', shape: 'turn' },
  'given up': { word: 'Given up', tone: 'bad', shape: 'octagon' },
};

export const phaseWords: Readonly<Record<UpgradePhase, string>> = {
  idle: 'Idle',
  prepare: 'Prepare',
  switch: 'Switch',
  move: 'Move',
  watch: 'Watch',
  commit: 'Commit',
  rollback: 'Roll back',
};

export const kindWords: Readonly<Record<UpgradeRun['kind'], string>> = { upgrade: 'Upgrade', restart: 'Restart' };

/** `Upgrade 3`. */
export const runName = ({ kind, number }: UpgradeRun): string => `${kindWords[kind]} ${number}`;

/** `1 session`, `12 sessions`. */
export const sessionsText = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'session' : 'sessions'}`;

/** What is going on, in one line. */
export function nowText(state: UpgradeState, run: UpgradeRun): string {
  const { oldGeneration: old, newGeneration: fresh } = run;
  switch (state.phase) {
    case 'prepare':
      return fresh === null ? 'The next attempt is about to begin' : `Generation ${fresh} starts and tests itself`;
    case 'switch':
      return `Generation ${fresh} begins to take new clients`;
    case 'move':
      return `Sessions go over to generation ${fresh}`;
    case 'watch':
      return run.hold ? 'Commit or rollback is awaited' : `Generation ${fresh} is watched`;
    case 'commit':
      return `Generation ${old} leaves`;
    case 'rollback':
      return `Everything goes back to generation ${old}`;
    case 'idle':
      return '';
  }
}
