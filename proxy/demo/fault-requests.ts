import { z } from 'zod';
import { OdpError } from '../errors/odp-error.ts';
import type { DemoFaults } from './faults.ts';
import type { RollingMerge } from './lab/rolling-merge.ts';

const server = z.string().min(1);
const zone = z.string().min(1);
const flag = z.boolean();

/** What may be asked at the fault door: the fault's name and its own fields. */
export const faultRequestSchema = z.discriminatedUnion('fault', [
  z.strictObject({ fault: z.literal('stop'), server, failover: flag.optional() }),
  z.strictObject({ fault: z.literal('start'), server }),
  z.strictObject({ fault: z.literal('freeze'), server }),
  z.strictObject({ fault: z.literal('thaw'), server }),
  z.strictObject({ fault: z.literal('refuse'), server }),
  z.strictObject({ fault: z.literal('accept'), server }),
  z.strictObject({ fault: z.literal('cut'), server }),
  z.strictObject({ fault: z.literal('hangUp'), server }),
  z.strictObject({ fault: z.literal('stall'), server }),
  z.strictObject({ fault: z.literal('hold'), server }),
  z.strictObject({ fault: z.literal('letGo'), server }),
  z.strictObject({ fault: z.literal('expire'), server }),
  z.strictObject({ fault: z.literal('slow'), server, delayMs: z.int().min(0).max(600_000) }),
  z.strictObject({ fault: z.literal('error'), server, errno: z.int().min(0).max(65_535) }),
  z.strictObject({ fault: z.literal('checksum'), server, count: z.int().min(0).max(1_000_000) }),
  z.strictObject({ fault: z.literal('takePart'), server, refuses: flag }),
  z.strictObject({
    fault: z.literal('status'),
    server,
    status: z.enum(['ACTIVE', 'INACTIVE', 'DELETING', 'DELETED']),
  }),
  z.strictObject({ fault: z.literal('stopTime'), server, stopped: flag }),
  z.strictObject({ fault: z.literal('inService'), server, inService: flag }),
  z.strictObject({ fault: z.literal('zoneStatus'), zone, status: z.enum(['ACTIVE', 'INACTIVE']) }),
  z.strictObject({ fault: z.literal('merge'), zone, merging: flag }),
  z.strictObject({ fault: z.literal('zoneType'), zone, type: z.enum(['ReadWrite', 'ReadOnly']) }),
  z.strictObject({ fault: z.literal('primaryZone'), tenant: z.string().min(1), zones: z.string() }),
  z.strictObject({ fault: z.literal('locality'), tenant: z.string().min(1), locality: z.string() }),
  z.strictObject({ fault: z.literal('leadTenant'), tenant: z.string().min(1), server }),
  z.strictObject({ fault: z.literal('place'), zone, region: z.string().optional(), idc: z.string().optional() }),
  z.strictObject({ fault: z.literal('leader'), to: server, table: z.string().optional(), server: server.optional() }),
  z.strictObject({
    fault: z.literal('stale'),
    server,
    table: z.string().min(1),
    partition: z.int().min(0).optional(),
    stale: flag,
  }),
  /** Nothing passes between the proxy and a server, or all servers of a region; the leaders there move elsewhere. */
  z.strictObject({ fault: z.literal('partition'), server: server.optional(), region: zone.optional(), cut: flag }),
  /** One zone after the other merges for so long; 0 ends it. */
  z.strictObject({ fault: z.literal('rollingMerge'), perZoneMs: z.int().min(0).max(3_600_000) }),
  /** Leaders that were moved go back to where they were at first. */
  z.strictObject({ fault: z.literal('spreadLeaders') }),
  z.strictObject({ fault: z.literal('clear') }),
]);

export type FaultRequest = z.infer<typeof faultRequestSchema>;

/**
 * Does what a request asks.
 * @throws OdpError NOT_FOUND for a server, zone or table that is not there, BAD_REQUEST for a fault without its object
 */
export async function applyFault(faults: DemoFaults, rolling: RollingMerge, request: FaultRequest): Promise<void> {
  switch (request.fault) {
    case 'stop':
      return faults.stop(request.server, request.failover ?? true);
    case 'start':
      return faults.start(request.server);
    case 'freeze':
      return faults.freeze(request.server);
    case 'thaw':
      return faults.thaw(request.server);
    case 'refuse':
      return faults.refuse(request.server);
    case 'accept':
      return faults.accept(request.server);
    case 'cut':
      return faults.cut(request.server);
    case 'hangUp':
      return faults.hangUp(request.server);
    case 'stall':
      return faults.stall(request.server);
    case 'hold':
      return faults.hold(request.server);
    case 'letGo':
      return faults.letGo(request.server);
    case 'expire':
      return faults.expire(request.server);
    case 'slow':
      return faults.slow(request.server, request.delayMs);
    case 'error':
      return faults.answerError(request.server, request.errno);
    case 'checksum':
      return faults.sendWrongChecksums(request.server, request.count);
    case 'takePart':
      return faults.refuseToTakePart(request.server, request.refuses);
    case 'status':
      return faults.setServerStatus(request.server, request.status);
    case 'stopTime':
      return faults.setStopTime(request.server, request.stopped);
    case 'inService':
      return faults.setInService(request.server, request.inService);
    case 'zoneStatus':
      return faults.setZoneStatus(request.zone, request.status);
    case 'merge':
      return faults.setMerging(request.zone, request.merging);
    case 'zoneType':
      return faults.setZoneType(request.zone, request.type);
    case 'primaryZone':
      return faults.setPrimaryZone(request.tenant, request.zones);
    case 'locality':
      return faults.setLocality(request.tenant, request.locality);
    case 'leadTenant':
      return faults.leadTenant(request.tenant, request.server);
    case 'place':
      return faults.setPlace(request.zone, request);
    case 'leader':
      if (request.table !== undefined) return faults.switchLeader({ table: request.table }, request.to);
      if (request.server !== undefined) return faults.switchLeader({ server: request.server }, request.to);
      throw new OdpError('BAD_REQUEST', { detail: "the fault 'leader' needs a table or a server whose leaders move" });
    case 'stale':
      return faults.setStale(request.server, request.table, request.stale, request.partition);
    case 'partition':
      if (request.region !== undefined) return faults.partitionRegion(request.region, request.cut);
      if (request.server !== undefined) return faults.partition([request.server], request.cut);
      throw new OdpError('BAD_REQUEST', { detail: "the fault 'partition' needs a server or a region" });
    case 'spreadLeaders':
      return faults.spreadLeaders();
    case 'rollingMerge':
      return rolling.start(request.perZoneMs);
    case 'clear':
      rolling.start(0);
      return faults.clear();
  }
}
