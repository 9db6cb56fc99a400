/** The configuration, and changes of it. */
import { z } from 'zod';

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
