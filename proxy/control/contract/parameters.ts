/** The configuration, and changes of it. */
import * as z from 'zod';

/** The part of the sessions that a value counts for; what its level does not name is empty, 0 or left out. */
export const overrideScopeSchema = z.object({
  level: z.enum(['LEVEL_CLUSTER', 'LEVEL_TENANT', 'LEVEL_VIP']),
  cluster: z.string().max(260),
  tenant: z.string().max(128),
  /** IP address that clients connect to. */
  vip: z.string().max(100),
  /** Port that clients connect to; 0: every one. */
  vport: z.number().int().min(0).max(65_535),
});
export type OverrideScope = z.infer<typeof overrideScopeSchema>;

/** A value for a part of the sessions: it counts before the parameter's own. */
const parameterOverrideSchema = overrideScopeSchema.extend({
  /** Secrets: stars. */
  value: z.string(),
  /** Another one after each change; 0 stands for no value. */
  revision: z.number().int(),
  changedAt: z.iso.datetime(),
  changedBy: z.string(),
});
export type ParameterOverride = z.infer<typeof parameterOverrideSchema>;

/** A parameter goes back by itself. */
export const scheduledRevertSchema = z.object({
  id: z.number().int(),
  parameter: z.string(),
  /** The text that it goes back to. */
  value: z.string(),
  dueAt: z.iso.datetime(),
  setAt: z.iso.datetime(),
  setBy: z.string(),
  /** Of the change that is to be undone. */
  reason: z.string(),
  /** Somebody has changed the parameter since: it will be left alone. */
  overtaken: z.boolean(),
});
export type ScheduledRevert = z.infer<typeof scheduledRevertSchema>;
/** The next first. `at` is the proxy's clock: what times are to be compared with. */
export const scheduledRevertsSchema = z.object({ at: z.iso.datetime(), reverts: z.array(scheduledRevertSchema) });

export const revertParamsSchema = z.object({ id: z.coerce.number().int().positive() });
export const cancelRevertSchema = z.object({ reason: z.string().trim().min(1).max(500) });

export const parameterSchema = z.object({
  name: z.string(),
  /** The text in force (secrets: stars). */
  value: z.string(),
  /** The stored text that waits for a restart, or null. */
  pendingValue: z.string().nullable(),
  defaultValue: z.string(),
  type: z.enum(['bool', 'int', 'time', 'capacity', 'string', 'ip', 'list', 'loglevel', 'enum']),
  /** What a bare number means: `s`, `MB` …, or empty. */
  unit: z.string(),
  /** As the reference prints it, e.g. `[1s,1h]`; empty when none. */
  range: z.string(),
  choices: z.array(z.string()),
  needReboot: z.boolean(),
  readOnly: z.boolean(),
  secret: z.boolean(),
  /** Nobody changes it alone: a change becomes a proposal (four_eyes_parameters). */
  fourEyes: z.boolean(),
  visibleLevel: z.string(),
  configLevel: z.string(),
  info: z.string(),
  /** False when the parameter is listed but this version does not act on it yet. */
  honoured: z.boolean(),
  group: z.string(),
  /** Grows by one with each change of this parameter; 0 = never changed. */
  revision: z.number().int(),
  changedAt: z.iso.datetime().nullable(),
  changedBy: z.string().nullable(),
  /** Values for parts of the sessions. */
  overrides: z.array(parameterOverrideSchema),
  /** When it goes back by itself; null: it stays. */
  revert: scheduledRevertSchema.nullable(),
});
export type Parameter = z.infer<typeof parameterSchema>;
export const parametersResponseSchema = z.object({ parameters: z.array(parameterSchema) });

const changeSchema = z.object({
  name: z.string().min(1),
  value: z.string().max(4096),
  /** The revision that the page showed: the change is refused (409) when it is no longer the newest. */
  baseRevision: z.number().int().min(0),
});

const overrideChangeSchema = z.object({
  name: z.string().min(1),
  scope: overrideScopeSchema,
  /** Null: take it away. */
  value: z.string().max(4096).nullable(),
  /** The revision that the page showed (0: there was no value): the change is refused (409) when it is another by now. */
  baseRevision: z.number().int().min(0),
});

/** What one request may change: more than there are parameters. */
const maxChanges = 200;

export const changeRequestSchema = z
  .object({
    changes: z.array(changeSchema).max(maxChanges),
    /** Values for parts of the sessions. */
    overrides: z.array(overrideChangeSchema).max(maxChanges).optional(),
    reason: z.string().trim().min(1).max(500),
    /** After this time what `changes` has changed goes back by itself, unless somebody has changed it again by then. */
    revertAfterMs: z
      .number()
      .int()
      .min(60_000)
      .max(7 * 86_400_000)
      .optional(),
    /** An entry of the history that this change undoes: the new entries say so. */
    undoes: z.number().int().positive().optional(),
  })
  .refine(({ changes, overrides = [] }) => changes.length + overrides.length > 0, {
    path: ['changes'],
    error: 'nothing is to be changed',
  })
  .refine(({ overrides = [], revertAfterMs }) => overrides.length === 0 || revertAfterMs === undefined, {
    path: ['revertAfterMs'],
    error: 'values for parts of the sessions cannot go back by themselves',
  });
export type ChangeRequest = z.infer<typeof changeRequestSchema>;

/** All changes of one request are made or none is. */
export const changeResponseSchema = z.object({
  parameters: z.array(parameterSchema),
  /** Those whose value was in force already: nothing was written for them. */
  unchanged: z.array(z.string()),
  /** Whether the change is in force in each worker. Empty: nothing had to be told. */
  workers: z.array(
    z.object({
      worker: z.number().int(),
      /** Why it is not in force there; null: it is. A worker that has ended begins again with the new values. */
      failure: z.string().nullable(),
    }),
  ),
  /** Number of the proposal that it has become, as a second person is needed: nothing is changed yet. Null: none is. */
  proposal: z.number().int().nullable(),
});
export type ChangeResponse = z.infer<typeof changeResponseSchema>;

/** Sets a value for a part of the sessions, or takes it away. */
export const changeOverrideSchema = overrideChangeSchema.extend({
  reason: z.string().trim().min(1).max(500),
});
export type ChangeOverride = z.infer<typeof changeOverrideSchema>;
