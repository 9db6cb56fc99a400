import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { faultRequestSchema } from './fault-requests.ts';
import type { DemoLab } from './lab/demo-lab.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** What may be asked of the sample load; `null` ends it. */
const loadRequestSchema = z
  .strictObject({
    host: z.string().min(1),
    port: z.int().min(1).max(65_535),
    user: z.string().min(1),
    database: z.string().min(1),
    forMs: z.int().min(1_000).max(3_600_000),
  })
  .nullable();

/**
 * Opens the fault door: HTTP and JSON on a Unix socket. `GET /servers` tells how servers and zones are, which faults
 * last, and how the sample load fares; `POST /faults` takes a fault request, `POST /load` an order for the sample load, and
 * both answer with the same report.
 */
export async function openFaultDoor(lab: DemoLab, socketPath: string): Promise<{ close(): Promise<void> }> {
  rmSync(socketPath, { force: true });
  const door: Server = createServer((request, response) => {
    answer(lab, request).then(
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

async function answer(lab: DemoLab, request: IncomingMessage): Promise<unknown> {
  const path = request.url?.split('?')[0];
  if (request.method === 'GET' && path === '/servers') return lab.report();
  if (request.method !== 'POST' || (path !== '/faults' && path !== '/load')) {
    const detail = `${request.method} ${path} (there are GET /servers, POST /faults and POST /load)`;
    throw new OdpError('NOT_FOUND', { detail });
  }
  const body = await readJson(request);
  if (path === '/faults') await lab.apply(checked(faultRequestSchema, body));
  else {
    const order = checked(loadRequestSchema, body);
    if (order === null) lab.load.stop();
    else lab.load.start(order);
  }
  return lab.report();
}

function checked<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new OdpError('BAD_REQUEST', { detail: z.prettifyError(parsed.error) });
  return parsed.data;
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
