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

export const serverLooks: Record<ServerState, StateLook> = {
  ACTIVE: { word: 'Active', tone: 'ok', shape: 'disc' },
  DETECT_ALIVE: { word: 'Reachable', tone: 'ok', shape: 'disc' },
  ACTIVE_CONGESTED: { word: 'Congested', tone: 'warn', shape: 'triangle' },
  INACTIVE: { word: 'Inactive', tone: 'bad', shape: 'octagon' },
  DETECT_DEAD: { word: 'Unreachable', tone: 'bad', shape: 'octagon' },
  REPLAY: { word: 'Replaying', tone: 'info', shape: 'turn' },
  UPGRADE: { word: 'Upgrading', tone: 'info', shape: 'arrow' },
  DELETING: { word: 'Deleting', tone: 'neutral', shape: 'ring' },
  DELETED: { word: 'Deleted', tone: 'neutral', shape: 'ring' },
};

export const zoneLooks: Record<ZoneState, StateLook> = {
  ACTIVE: { word: 'Active', tone: 'ok', shape: 'disc' },
  MERGE: { word: 'Merging', tone: 'info', shape: 'turn' },
  UPGRADE: { word: 'Upgrading', tone: 'info', shape: 'arrow' },
  INACTIVE: { word: 'Inactive', tone: 'bad', shape: 'octagon' },
  DELETED: { word: 'Deleted', tone: 'neutral', shape: 'ring' },
};

/** True when a server can be sent requests as far as its state tells. */
export function isHealthy(state: ServerState): boolean {
  return serverLooks[state].tone === 'ok';
}
