/** What upgrades are called and how they stand: names of the reference where it has one (odp-ops §5). */

/**
 * Where a run is: the new generation starts and tests itself (prepare), takes new clients (switch), sessions go over
 * (move), the old one stands by (watch), and leaves (commit); or everything goes back (rollback).
 */
export const upgradePhases = ['idle', 'prepare', 'switch', 'move', 'watch', 'commit', 'rollback'] as const;
export type UpgradePhase = (typeof upgradePhases)[number];

/** `restart`: the same tree again, for parameters that wait for it. */
export const upgradeKinds = ['upgrade', 'restart'] as const;
export type UpgradeKind = (typeof upgradeKinds)[number];

/** How the generation that was there before stands. */
export const parentStatuses = [
  'NONE',
  'START_HOT_UPGRADE',
  'START_DOING_RESTART',
  'UNAVAILABLE_BINARY',
  'CHECK_BIN_MD5_FAIL',
  'CREATE_NEW_PROXY_FAIL',
  'FAILURE_RETRIES_TOO_MANY',
  'CREATE_NEW_PROXY_SUCC',
  'RECV_COMMIT_AND_EXIT',
  'ROLLBACK_SUCC',
  'TIMEOUT_ROLLBACK_SUCC',
  'EXITED',
] as const;
export type ParentStatus = (typeof parentStatuses)[number];

/** How the new generation stands. */
export const childStatuses = [
  'NONE',
  'NEW_PROXY_CREATED_SUCC',
  'COMMIT_SUCC',
  'RECV_ROLLBACK_AND_EXIT',
  'RECV_TIMEOUT_ROLLBACK_AND_EXIT',
  'EXITED',
] as const;
export type ChildStatus = (typeof childStatuses)[number];

/** How a run came out. */
export const upgradeOutcomes = ['committed', 'rolled back', 'given up'] as const;
export type UpgradeOutcome = (typeof upgradeOutcomes)[number];

/**
 * What a generation is for at this moment: `starting` tests itself; `active` takes new clients; `standby` has handed its
 * sessions over and can take them back; `leaving` ends as soon as its last session has gone.
 */
export const generationRoles = ['starting', 'active', 'standby', 'leaving'] as const;
export type GenerationRole = (typeof generationRoles)[number];
