/** The configuration, and changes of it. */
import { z } from 'zod';

/** The part of the sessions that a value counts for; what its level does not name is empty, 0 or left out. */
const overrideScopeSchema = z.object({
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
});
export type Parameter = z.infer<typeof parameterSchema>;
export const parametersResponseSchema = z.object({ parameters: z.array(parameterSchema) });

export const changeRequestSchema = z.object({
  changes: z
    .array(
      z.object({
        name: z.string().min(1),
        value: z.string().max(4096),
        /** The revision that the page showed: the change is refused (409) when it is no longer the newest. */
        baseRevision: z.number().int().min(0),
      }),
    )
    .min(1)
    .max(50),
  reason: z.string().trim().min(1).max(500),
});
export type ChangeRequest = z.infer<typeof changeRequestSchema>;
/** All changes of one request are made or none is. `unchanged` lists those whose value was in force already. */
export const changeResponseSchema = z.object({ parameters: z.array(parameterSchema), unchanged: z.array(z.string()) });

/** Sets a value for a part of the sessions, or takes it away. */
export const changeOverrideSchema = z.object({
  name: z.string().min(1),
  scope: overrideScopeSchema,
  /** Null: take it away. */
  value: z.string().max(4096).nullable(),
  /** The revision that the page showed (0: there was no value): the change is refused (409) when it is another by now. */
  baseRevision: z.number().int().min(0),
  reason: z.string().trim().min(1).max(500),
});
export type ChangeOverride = z.infer<typeof changeOverrideSchema>;
