/** Errors as the API tells them. */
import * as z from 'zod';

/** RFC 9457 problem body of every answer that is not 2xx. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** Name in the error table. */
  code: z.string(),
  detail: z.string(),
  requestId: z.string(),
  /** For bad input: which field, and why. */
  invalid: z.array(z.object({ field: z.string(), reason: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;
