/** Replacing the running proxy by a new generation, and what becomes of the sessions meanwhile. */
import * as z from 'zod';
import {
  childStatuses,
  generationRoles,
  parentStatuses,
  upgradeKinds,
  upgradeOutcomes,
  upgradePhases,
} from '../../upgrade/status-names.ts';

const reasonSchema = z.string().trim().min(1).max(500);

export const upgradeGenerationSchema = z.object({
  /** Counts up from 1 with every generation since the proxy was started. */
  id: z.number().int(),
  role: z.enum(generationRoles),
  /** Empty: it has not told yet. */
  version: z.string(),
  /** Tree that it runs from. */
  directory: z.string(),
  pid: z.number().int(),
  startedAt: z.iso.datetime(),
  workers: z.number().int(),
  clientSessions: z.number().int(),
  /** Of clients since its start. */
  requests: z.number().int(),
  /** Errors that the proxy itself has answered since its start. */
  errors: z.number().int(),
  rssBytes: z.number().int(),
});
export type UpgradeGeneration = z.infer<typeof upgradeGenerationSchema>;

/** A session that could not be handed over yet. */
export const waitingSessionSchema = z.object({
  /** Connection id (`cs_id`). */
  id: z.number().int(),
  /** `user@tenant#cluster`. */
  user: z.string(),
  /** In words: what it waits for, e.g. the end of its transaction. */
  reason: z.string(),
  /** For how long it has been asked to leave. */
  waitedMs: z.number().int(),
});
export type WaitingSession = z.infer<typeof waitingSessionSchema>;

export const upgradeStepSchema = z.object({
  /** Counts up from 1 within the run. */
  number: z.number().int(),
  at: z.iso.datetime(),
  phase: z.enum(upgradePhases),
  /** What happened, in words. */
  text: z.string(),
  /** Console user, SQL `user@host`, account of the command line; `odp`: the proxy itself. */
  by: z.string(),
});
export type UpgradeStep = z.infer<typeof upgradeStepSchema>;

/** One run, from the order to its outcome. */
export const upgradeRunSchema = z.object({
  /** Counts up from 1 since the proxy was started. */
  number: z.number().int(),
  kind: z.enum(upgradeKinds),
  /** Tree of the new generation. */
  directory: z.string(),
  startedAt: z.iso.datetime(),
  by: z.string(),
  reason: z.string(),
  /** True: waits for somebody to commit or roll back. */
  hold: z.boolean(),
  /** Generation that is to be replaced, and the newest attempt to replace it; null: not started. */
  oldGeneration: z.number().int(),
  newGeneration: z.number().int().nullable(),
  /** Attempts at a new generation that have failed, and those that are left. */
  failures: z.number().int(),
  retriesLeft: z.number().int(),
  /** Of the last failed attempt; empty: none has failed. */
  failure: z.string(),
  /** When the watch period ends by itself; null: not watched yet, or held. */
  commitAt: z.iso.datetime().nullable(),
  /** Without a commit by then it is rolled back. */
  rollbackAt: z.iso.datetime(),
  /** When sessions that are left are closed; null: not committed or rolled back yet, or no limit. */
  closeRestAt: z.iso.datetime().nullable(),
  /** Sessions handed over in this run, and those whose state the other side could not take. */
  moved: z.number().int(),
  refused: z.number().int(),
  /** Sessions that are still where they are to leave, at most 100, those that wait longest first. */
  waiting: z.array(waitingSessionSchema),
  waitingTotal: z.number().int(),
  /** Oldest first. */
  steps: z.array(upgradeStepSchema),
  /** Null: it is running. */
  outcome: z.enum(upgradeOutcomes).nullable(),
  endedAt: z.iso.datetime().nullable(),
});
export type UpgradeRun = z.infer<typeof upgradeRunSchema>;

export const upgradeStateSchema = z.object({
  /** The proxy's clock: what times are to be compared with. */
  at: z.iso.datetime(),
  phase: z.enum(upgradePhases),
  parentStatus: z.enum(parentStatuses),
  childStatus: z.enum(childStatuses),
  /** `hot_upgrade_failure_retries` of the next run. */
  failureRetries: z.number().int(),
  generations: z.array(upgradeGenerationSchema),
  /** The present one, or the last one; null: there was none since the proxy was started. */
  run: upgradeRunSchema.nullable(),
});
export type UpgradeState = z.infer<typeof upgradeStateSchema>;

/** Begins a run. Refused with UPGRADE_RUNNING (409) while there is one. */
export const upgradeStartSchema = z.object({
  kind: z.enum(upgradeKinds),
  /** Tree to start from, an absolute path; null: the one that runs. */
  directory: z.string().startsWith('/').max(1000).nullable().default(null),
  /** True: no commit by itself after the watch period. */
  hold: z.boolean().default(false),
  /** How long the new generation is watched before it is committed. */
  watchMs: z.number().int().min(0).max(86_400_000).default(10_000),
  /** MD5 that the tree must have, 32 hex digits, as SHOW PROXYINFO BINARY tells it; null: not looked at. */
  md5: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable()
    .default(null),
  reason: reasonSchema,
});
export type UpgradeStart = z.infer<typeof upgradeStartSchema>;

/** Commits, or rolls back. Refused with UPGRADE_NOT_POSSIBLE (409) when there is nothing to. */
export const upgradeDecisionSchema = z.object({ reason: reasonSchema });
export type UpgradeDecision = z.infer<typeof upgradeDecisionSchema>;
