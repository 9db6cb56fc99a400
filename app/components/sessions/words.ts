import type { StateLook } from '@/lib/server-state.ts';
import type { SessionState, SessionStatement } from '../../../proxy/control/contract.ts';

/** Each state of a session as a word, a colour and a shape. */
export const sessionLooks: Readonly<Record<SessionState, StateLook>> = {
  running: { word: 'Running', tone: 'ok', shape: 'disc' },
  'in-transaction': { word: 'In transaction', tone: 'warn', shape: 'triangle' },
  idle: { word: 'Idle', tone: 'neutral', shape: 'ring' },
};

/** The statement as its reader may see it; of a command without text its name. */
export function statementText({ text, digest, command }: SessionStatement): string {
  return text ?? (digest === '' ? `(${command})` : digest);
}

/** How long something takes: `0.4 ms`, `12 ms`, `3.2 s`, `4 min 10 s`. */
export function tookText(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}
