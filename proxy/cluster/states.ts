/** The vocabulary of states (reference proxy's names, as SHOW PROXYCONGESTION prints them). */
export const serverStates = [
  'ACTIVE',
  'INACTIVE',
  'ACTIVE_CONGESTED',
  'DELETING',
  'DELETED',
  'UPGRADE',
  'REPLAY',
  'DETECT_ALIVE',
  'DETECT_DEAD',
] as const;
export type ServerState = (typeof serverStates)[number];

export const zoneStates = ['INACTIVE', 'ACTIVE', 'MERGE', 'UPGRADE', 'DELETED'] as const;
export type ZoneState = (typeof zoneStates)[number];

export const zoneTypes = ['ReadWrite', 'ReadOnly', 'Encryption'] as const;
export type ZoneType = (typeof zoneTypes)[number];

export interface Zone {
  readonly name: string;
  readonly region: string;
  readonly idc: string;
  readonly type: ZoneType;
  readonly state: ZoneState;
}
