/** The configuration as a whole: as a file, and two of them side by side. */
import * as z from 'zod';
import { overrideScopeSchema } from './parameters.ts';

/** An exported configuration. It holds no secrets. */
export const configFileSchema = z.object({
  format: z.literal('odp-configuration'),
  formatVersion: z.literal(1),
  exportedAt: z.iso.datetime().optional(),
  /** Where it comes from: for people. */
  proxyVersion: z.string().max(100).optional(),
  /** Kept texts by parameter. Those left out of an edited file are left alone. */
  parameters: z.record(z.string().max(128), z.string().max(4096)),
  /** Values for parts of the sessions, all of them. Left out: left alone. */
  levels: z
    .array(overrideScopeSchema.extend({ name: z.string().max(128), value: z.string().max(4096) }))
    .max(5_000)
    .optional(),
  /** Secrets that are set, and not in the file. */
  secrets: z.array(z.string().max(128)).optional(),
});
export type ConfigFile = z.infer<typeof configFileSchema>;

const entrySchema = z.number().int().min(0);

/** A configuration to be compared. */
export const compareSideSchema = z.discriminatedUnion('kind', [
  /** As it is kept here now: a value that waits for a restart counts. */
  z.object({ kind: z.literal('now') }),
  z.object({ kind: z.literal('defaults') }),
  /** As it was at a time. */
  z.object({ kind: z.literal('time'), at: z.iso.datetime() }),
  /** As it was after an entry of the history; 0: before all of them. */
  z.object({ kind: z.literal('entry'), id: entrySchema }),
  /** As it is now, with what the request of an entry of the history changed set back. */
  z.object({ kind: z.literal('undo'), id: entrySchema }),
  z.object({ kind: z.literal('file'), file: configFileSchema }),
]);
export type CompareSide = z.infer<typeof compareSideSchema>;

export const compareRequestSchema = z.object({ from: compareSideSchema, to: compareSideSchema });
export type CompareRequest = z.infer<typeof compareRequestSchema>;

const comparedSchema = z.object({
  /** The entry of the history after which it was so; null: not from the history. */
  entry: z.number().int().nullable(),
  /** When that entry was written. */
  at: z.iso.datetime().nullable(),
  /** False: entries since then have been removed, so that some values may be later ones. */
  complete: z.boolean(),
  /** What it tells and is not compared, and why. */
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
});

const compareDifferenceSchema = z.object({
  name: z.string(),
  /** Null: for everybody. */
  scope: overrideScopeSchema.nullable(),
  /** Null: no value of its own. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  needReboot: z.boolean(),
  /** Nobody changes it alone. */
  fourEyes: z.boolean(),
  /** What a change to `to` is to be based on. */
  baseRevision: z.number().int(),
  /** Why `to` cannot be taken over here; null: it can. */
  problem: z.string().nullable(),
});

export type CompareDifference = z.infer<typeof compareDifferenceSchema>;

export const compareResponseSchema = z.object({
  from: comparedSchema,
  to: comparedSchema,
  /** What differs in meaning, secrets left out. */
  differences: z.array(compareDifferenceSchema),
  /** Dry run: why taking over all that can be would be refused; null: it would not. */
  refusal: z.string().nullable(),
});
export type CompareResponse = z.infer<typeof compareResponseSchema>;
