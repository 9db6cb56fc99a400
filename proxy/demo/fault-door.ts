import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { errorText, OdpError } from '../errors/odp-error.ts';
import type { DemoFaults } from './faults.ts';

const server = z.string().min(1);
const zone = z.string().min(1);
const flag = z.boolean();

/** What may be asked at the fault door: the fault's name and its own fields. */
const faultRequestSchema = z.discriminatedUnion('fault', [
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
  z.strictObject({ fault: z.literal('clear') }),
]);

type FaultRequest = z.infer<typeof faultRequestSchema>;

/**
 * Does what a request asks.
 * @throws OdpError NOT_FOUND for a server, zone or table that is not there, BAD_REQUEST for a fault without its object
 */
async function applyFault(faults: DemoFaults, request: FaultRequest): Promise<void> {
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
    case 'clear':
      return faults.clear();
  }
}

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Opens the fault door: HTTP and JSON on a Unix socket. `GET /servers` tells how each server is, `POST /faults` takes a
 * fault request and answers with the same report.
 */
export async function openFaultDoor(faults: DemoFaults, socketPath: string): Promise<{ close(): Promise<void> }> {
  rmSync(socketPath, { force: true });
  const door: Server = createServer((request, response) => {
    answer(faults, request).then(
      (body) => send(response, 200, body),
      (error: unknown) => {
        const known = error instanceof OdpError ? error : new OdpError('INTERNAL', { detail: errorText(error) });
        send(response, known.spec.httpStatus, { error: known.code, detail: known.message });
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    door.once('error', reject);
    door.listen(socketPath, resolve);
  });
  return {
    close: async () => {
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      rmSync(socketPath, { force: true });
    },
  };
}

async function answer(faults: DemoFaults, request: IncomingMessage): Promise<unknown> {
  const path = request.url?.split('?')[0];
  if (request.method === 'GET' && path === '/servers') return { servers: faults.report() };
  if (request.method !== 'POST' || path !== '/faults') {
    throw new OdpError('NOT_FOUND', { detail: `${request.method} ${path} (there are GET /servers and POST /faults)` });
  }
  const parsed = faultRequestSchema.safeParse(await readJson(request));
  if (!parsed.success) throw new OdpError('BAD_REQUEST', { detail: z.prettifyError(parsed.error) });
  await applyFault(faults, parsed.data);
  return { servers: faults.report() };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES)
      throw new OdpError('BAD_REQUEST', { detail: `a body of more than ${MAX_BODY_BYTES} bytes` });
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch (error) {
    throw new OdpError('BAD_REQUEST', { detail: `the body is no JSON: ${errorText(error)}` });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}
