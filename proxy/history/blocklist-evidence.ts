/**
 * What proves a listing or a release, as it is kept: JSON of a numbered format, so that rows of other versions are
 * recognised. Words of states and kinds are plain text here: old rows keep words that a later version has dropped.
 */
import { z } from 'zod';

/** Grows by one with every change of the shapes below; `readEvidence` then has to read the older ones as well. */
const currentFormat = 1;

const wallMs = z.number();

const storedEvidenceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('view'), state: z.string(), zoneState: z.string(), reason: z.string() }),
  z.object({
    kind: z.literal('probes'),
    probes: z.array(z.object({ ok: z.boolean(), wallAtMs: wallMs, tookMs: z.number(), detail: z.string() })).readonly(),
  }),
  z.object({
    kind: z.literal('failures'),
    failures: z
      .array(
        z.object({
          kind: z.string(),
          wallAtMs: wallMs,
          tookMs: z.number(),
          errno: z.number(),
          detail: z.string(),
          sessionId: z.number(),
          digest: z.string(),
        }),
      )
      .readonly(),
  }),
  z.object({ kind: z.literal('success'), sessionId: z.number() }),
  z.object({ kind: z.literal('parameters'), changed: z.array(z.string()).readonly() }),
  z.object({ kind: z.literal('hand'), actor: z.string(), reason: z.string() }),
  z.object({ kind: z.literal('removed') }),
  /** Another process serves, whose lists do not have it: see `BlocklistLog.takeOver`. */
  z.object({ kind: z.literal('restart') }),
]);
/** Why a list changed, as it is stored. */
export type StoredEvidence = z.infer<typeof storedEvidenceSchema>;

/** The parameters in force when it happened; times in milliseconds. */
const storedParametersSchema = z.object({
  enabled: z.boolean(),
  failureThreshold: z.number(),
  failWindowMs: z.number(),
  retryIntervalMs: z.number(),
  minKeepMs: z.number(),
  minConnectTimeoutMs: z.number(),
  detectFailThreshold: z.number(),
  detectMode: z.number(),
});
/** The parameters in force at a change, as they are stored. */
export type StoredParameters = z.infer<typeof storedParametersSchema>;

/** The three columns of a row that hold the two. */
export interface EvidenceColumns {
  readonly evidenceFormat: number;
  readonly evidence: string;
  readonly parameters: string;
}

/** The JSON columns of one transition. */
export function writeEvidence(evidence: StoredEvidence, parameters: StoredParameters | null): EvidenceColumns {
  return {
    evidenceFormat: currentFormat,
    evidence: JSON.stringify(storedEvidenceSchema.parse(evidence)),
    parameters: JSON.stringify(storedParametersSchema.nullable().parse(parameters)),
  };
}

/** Null for what this version cannot read: another format, or a damaged row. The rest of the row is still good. */
export function readEvidence(row: EvidenceColumns): {
  readonly evidence: StoredEvidence | null;
  readonly parameters: StoredParameters | null;
} {
  if (row.evidenceFormat !== currentFormat) return { evidence: null, parameters: null };
  return {
    evidence: readJson(storedEvidenceSchema, row.evidence),
    parameters: readJson(storedParametersSchema, row.parameters),
  };
}

function readJson<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
