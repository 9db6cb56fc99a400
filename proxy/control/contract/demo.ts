/** The demo cluster's faults and its sample load: only where the proxy runs with its embedded demo. */
import * as z from 'zod';

const name = z.string().min(1).max(128);
/** Address `ip:port`, host name or zone. */
const server = name;
const flag = z.boolean();

/** What can be done to the demo cluster. Each fault lasts until its end is asked for, or until `reset`. */
export const demoFaultSchema = z.discriminatedUnion('fault', [
  /** Its process ends: connections are reset, new ones refused, its leaders move. */
  z.strictObject({ fault: z.literal('stop'), server }),
  /** It comes back, and all that was wrong with its process is over. */
  z.strictObject({ fault: z.literal('start'), server }),
  /** Like SIGSTOP: connections are accepted, nothing is answered. Its leaders stay. */
  z.strictObject({ fault: z.literal('freeze'), server }),
  z.strictObject({ fault: z.literal('thaw'), server }),
  /** New connections are refused, those that are open go on. */
  z.strictObject({ fault: z.literal('refuse'), server }),
  z.strictObject({ fault: z.literal('accept'), server }),
  /** It waits before each answer; 0 ends it. */
  z.strictObject({ fault: z.literal('slow'), server, delayMs: z.int().min(0).max(60_000) }),
  /** It answers every statement with this error; 0 ends it. */
  z.strictObject({ fault: z.literal('error'), server, errno: z.int().min(0).max(65_535) }),
  /** Nothing passes between the proxy and a server, or all of a region; the leaders there move elsewhere. */
  z.strictObject({ fault: z.literal('partition'), server: server.optional(), region: name.optional(), cut: flag }),
  /** A major merge runs in the zone. */
  z.strictObject({ fault: z.literal('merge'), zone: name, merging: flag }),
  /** One zone after the other merges for so long; 0 ends it. */
  z.strictObject({ fault: z.literal('rollingMerge'), perZoneMs: z.int().min(0).max(600_000) }),
  /** All leaders of a server move to another one. */
  z.strictObject({ fault: z.literal('leader'), server, to: server }),
  /** Leaders that were moved go back to where they were at first. */
  z.strictObject({ fault: z.literal('spreadLeaders') }),
  /** Every fault ends, and leaders go back. */
  z.strictObject({ fault: z.literal('reset') }),
]);
export type DemoFault = z.infer<typeof demoFaultSchema>;

export const demoFaultRequestSchema = z.strictObject({
  fault: demoFaultSchema,
  reason: z.string().trim().max(500).default(''),
});

/** Minutes after which the sample load ends by itself; 0 ends it now. */
export const demoLoadRequestSchema = z.strictObject({ minutes: z.int().min(0).max(30) });

export const demoServerSchema = z.object({
  /** `ip:port` of the SQL port. */
  address: z.string(),
  zone: z.string(),
  region: z.string(),
  idc: z.string(),
  hostName: z.string(),
  /** Accepts connections. */
  listening: z.boolean(),
  frozen: z.boolean(),
  slowMs: z.number(),
  errorCode: z.number().int(),
  connections: z.number().int(),
  /** Tables and partitions whose leader it is. */
  leaders: z.number().int(),
});
export type DemoServer = z.infer<typeof demoServerSchema>;

export const demoZoneSchema = z.object({
  name: z.string(),
  region: z.string(),
  idc: z.string(),
  type: z.enum(['ReadWrite', 'ReadOnly']),
  merging: z.boolean(),
});
export type DemoZone = z.infer<typeof demoZoneSchema>;

/** A fault that lasts. Those asked for at the demo's own door are told as well. */
export const activeFaultSchema = z.object({
  fault: z.string(),
  /** `ip:port`, a zone, or a region. */
  target: z.string(),
  /** How much of it; may be empty. */
  detail: z.string(),
  since: z.iso.datetime(),
});
export type ActiveFault = z.infer<typeof activeFaultSchema>;

export const loadKindSchema = z.enum(['write', 'read', 'weak']);
export type LoadKind = z.infer<typeof loadKindSchema>;
const countsSchema = z.object({ ok: z.number().int(), failed: z.number().int() });
const secondSchema = countsSchema.extend({ slowestMs: z.number() });

/** A small application that writes, reads back and reads weakly through the proxy, and tries nothing again. */
export const sampleLoadSchema = z.object({
  running: z.boolean(),
  startedAt: z.iso.datetime(),
  /** When it ends by itself, or ended. */
  endsAt: z.iso.datetime(),
  /** Statements that are waited for. */
  waiting: z.number().int(),
  /** Since it was started. */
  total: z.record(loadKindSchema, countsSchema),
  /** Of the last ten seconds; `zones`: statements by the zone that answered. */
  recent: z.record(loadKindSchema, secondSchema.extend({ zones: z.record(z.string(), z.number().int()) })),
  /** Of the last minute, oldest first. */
  seconds: z.array(secondSchema.extend({ at: z.iso.datetime() })),
  /** The last few, newest first. */
  failures: z.array(z.object({ at: z.iso.datetime(), kind: loadKindSchema, text: z.string() })),
});
export type SampleLoad = z.infer<typeof sampleLoadSchema>;

export const demoStateSchema = z.object({
  at: z.iso.datetime(),
  servers: z.array(demoServerSchema),
  zones: z.array(demoZoneSchema),
  faults: z.array(activeFaultSchema),
  /** Null: it has not been started yet. */
  load: sampleLoadSchema.nullable(),
});
export type DemoState = z.infer<typeof demoStateSchema>;
