import type { StateLook } from '@/lib/server-state.ts';
import type { Text } from '@/lib/text.ts';
import { durationText } from '@/lib/time.ts';
import type { Catalog } from '@/messages/catalog.ts';
import type { SessionState, SessionStatement } from '../../../proxy/control/contract.ts';

/** The texts of these pages. */
export type SessionsText = Text<Catalog['sessions']>;

const looks: Readonly<Record<SessionState, Omit<StateLook, 'word'>>> = {
  running: { tone: 'ok', shape: 'disc' },
  'in-transaction': { tone: 'warn', shape: 'triangle' },
  idle: { tone: 'neutral', shape: 'ring' },
};

/** The state of a session as a word, a colour and a shape. */
export function sessionLook(state: SessionState, t: SessionsText): StateLook {
  return { ...looks[state], word: t(`state.${state}`) };
}

/** The statement as its reader may see it; of a command without text its name. */
export function statementText({ text, digest, command }: SessionStatement): string {
  return text ?? (digest === '' ? `(${command})` : digest);
}

/** How long something takes: `0.4 ms`, `12 ms`, `3.2 s`, `4 min 10 s`. */
export function tookText(ms: number, t: SessionsText): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return t('seconds', { number: (ms / 1000).toFixed(1) });
  return durationText(ms, t.language);
}
