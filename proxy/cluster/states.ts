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
/** State of a server; meanings in docs/operations.md. */
export type ServerState = (typeof serverStates)[number];

/** States of a zone, by the reference proxy's names. */
export const zoneStates = ['INACTIVE', 'ACTIVE', 'MERGE', 'UPGRADE', 'DELETED'] as const;
/** State of a zone. */
export type ZoneState = (typeof zoneStates)[number];

/** Kinds of zones: a `ReadOnly` zone has no leaders and serves weak reads only. */
export const zoneTypes = ['ReadWrite', 'ReadOnly', 'Encryption'] as const;
/** Kind of a zone. */
export type ZoneType = (typeof zoneTypes)[number];

/** A zone and where it stands (R5, R6). */
export interface Zone {
  readonly name: string;
  readonly region: string;
  readonly idc: string;
  readonly type: ZoneType;
  readonly state: ZoneState;
}
