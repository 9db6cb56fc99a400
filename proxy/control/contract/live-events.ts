/** What is sent to every open page. */
import * as z from 'zod';
import { blocklistClusterSchema, blocklistEventSchema } from './blocklist.ts';
import { historyRowSchema } from './history.ts';
import { parameterSchema } from './parameters.ts';
import { overviewSchema } from './topology.ts';
import { upgradeStateSchema } from './upgrade.ts';

/** `data:` of each event on GET /v1/events. The event name is `type`; `ping` comes every 5 s of silence. */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), at: z.iso.datetime(), version: z.string() }),
  z.object({ type: z.literal('ping'), at: z.iso.datetime() }),
  z.object({ type: z.literal('parameter'), parameter: parameterSchema }),
  /** A proposal was made, decided, or is over: read it anew. */
  z.object({ type: z.literal('proposal'), id: z.number().int() }),
  z.object({ type: z.literal('history'), row: historyRowSchema }),
  z.object({ type: z.literal('overview'), overview: overviewSchema }),
  z.object({
    type: z.literal('blocklist'),
    at: z.iso.datetime(),
    /** Only what has changed since the event before: `servers` replace those of the same address. */
    clusters: z.array(blocklistClusterSchema.extend({ removed: z.array(z.string()) })),
    /** Listings and releases since the event before, oldest first. */
    events: z.array(blocklistEventSchema),
    /** Too much has changed to be sent: read GET /v1/blocklist and /v1/blocklist/events anew. */
    reload: z.boolean(),
  }),
  z.object({ type: z.literal('upgrade'), state: upgradeStateSchema }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;
