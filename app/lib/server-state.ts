import type { Overview } from '../../proxy/control/contract.ts';
import type { Tone } from '../components/ui/badge.tsx';

export type ServerState = Overview['clusters'][number]['servers'][number]['state'];
export type ZoneState = Overview['clusters'][number]['zones'][number]['state'];

/** Each state as a word, a colour and a shape, so that none of the three is needed alone. */
export interface StateLook {
  readonly word: string;
  readonly tone: Tone;
  readonly shape: 'disc' | 'triangle' | 'octagon' | 'ring' | 'arrow' | 'turn';
}

/** A look whose word is in the texts of the console. */
type Wordless = Omit<StateLook, 'word'>;

export const serverLooks: Record<ServerState, Wordless> = {
  ACTIVE: { tone: 'ok', shape: 'disc' },
  DETECT_ALIVE: { tone: 'ok', shape: 'disc' },
  ACTIVE_CONGESTED: { tone: 'warn', shape: 'triangle' },
  INACTIVE: { tone: 'bad', shape: 'octagon' },
  DETECT_DEAD: { tone: 'bad', shape: 'octagon' },
  REPLAY: { tone: 'info', shape: 'turn' },
  UPGRADE: { tone: 'info', shape: 'arrow' },
  DELETING: { tone: 'neutral', shape: 'ring' },
  DELETED: { tone: 'neutral', shape: 'ring' },
};

export const zoneLooks: Record<ZoneState, Wordless> = {
  ACTIVE: { tone: 'ok', shape: 'disc' },
  MERGE: { tone: 'info', shape: 'turn' },
  UPGRADE: { tone: 'info', shape: 'arrow' },
  INACTIVE: { tone: 'bad', shape: 'octagon' },
  DELETED: { tone: 'neutral', shape: 'ring' },
};

/** True when a server can be sent requests as far as its state tells. */
export function isHealthy(state: ServerState): boolean {
  return serverLooks[state].tone === 'ok';
}
