/** What the zones were given to do over the last hours, and how much of it failed. */
import * as z from 'zod';

export const trafficQuerySchema = z.object({
  /** Length of the span. */
  minutes: z.coerce.number().int().min(1).max(240).default(15),
  /** Its end; left out: now. */
  to: z.iso.datetime().optional(),
});

const countsSchema = z.array(z.number().int().nullable());

export const trafficSchema = z.object({
  /** The proxy's clock. */
  at: z.iso.datetime(),
  /** Begin of the first point. */
  from: z.iso.datetime(),
  /** Length of a point. The last one has ended: what is not whole yet is not told. */
  stepMs: z.number().int(),
  /** Counting began then; points before are null, as are those that are kept no more. */
  since: z.iso.datetime(),
  zones: z.array(
    z.object({
      /** Empty: zones that are counted together, since there are too many. */
      cluster: z.string(),
      /** Empty: of servers whose zone is not known. */
      zone: z.string(),
      /** Statements sent to its servers in each point. */
      statements: countsSchema,
      /** Those that ended in an error there: whatever the server answered, or that it could not be had. */
      errors: countsSchema,
    }),
  ),
});
export type Traffic = z.infer<typeof trafficSchema>;
export type ZoneTraffic = Traffic['zones'][number];
