import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { NextRequest } from 'next/server';
import { type RouteName, routes } from '../../../proxy/control/contract.ts';
import { clientAddressHeader } from '../../server/client-address.ts';
import { consoleEnv } from '../env.ts';
import { type ControlCall, ControlUnreachable, callControl } from './control.ts';
import { problemResponse } from './problem.ts';
import { isSameSite } from './same-site.ts';
import { sessionCookieName } from './session-cookie.ts';
import { untilItBreaks } from './until-it-breaks.ts';

const maxBodyBytes = 256 * 1024;
/** Characters of the User-Agent: headers have a limit together. */
const maxAgentLength = 300;
const passedHeaders = ['content-type', 'content-disposition', 'retry-after', 'www-authenticate', 'x-request-id'];

/** Turns the proxy's answer into the browser's, where the two differ (log-in, log-out). */
type Finish = (answer: IncomingMessage, request: NextRequest) => Promise<Response>;

/**
 * The one wrapper of all the console's API routes: same-site check, JSON only, cookie to bearer token, the caller's
 * address, and the proxy's answer streamed back uncached. Rights are judged by the proxy, in every call (case B111).
 */
export function forward(
  name: RouteName,
  finish: Finish = passOn,
): (request: NextRequest, context: { params: Promise<Record<string, string>> }) => Promise<Response> {
  const route = routes[name];
  return async (request, { params }) => {
    if (!comesFromOwnPages(request)) return problemResponse('CROSS_SITE');
    const token = request.cookies.get(sessionCookieName())?.value ?? null;
    if (token === null && route.permission !== 'public') return problemResponse('NO_SESSION');
    return await sendOn(name, request, { token, parameters: await params }, finish);
  };
}

/** Has the proxy answer a request: JSON only, and from the caller's address. */
export async function sendOn(
  name: RouteName,
  request: NextRequest,
  call: Pick<ControlCall, 'token' | 'parameters'>,
  finish: Finish,
): Promise<Response> {
  const { method } = routes[name];
  const body = method === 'POST' ? await readBody(request) : undefined;
  if (body instanceof Response) return body;
  try {
    const answer = await callControl(name, {
      ...call,
      origin: request.headers.get(clientAddressHeader) ?? 'unknown',
      agent: (request.headers.get('user-agent') ?? '').slice(0, maxAgentLength),
      search: method === 'GET' ? request.nextUrl.search : '',
      signal: request.signal,
      ...(body === undefined ? {} : { body }),
    });
    return await finish(answer, request);
  } catch (error) {
    if (error instanceof ControlUnreachable) return problemResponse('CONTROL_UNREACHABLE');
    throw error;
  }
}

/** The proxy's answer as it is: status, the headers that matter and the body as a stream. */
export async function passOn(answer: IncomingMessage): Promise<Response> {
  return respond(answer, answer);
}

/** As `passOn`, for a stream of events: it ends also where the proxy's breaks off. */
export async function passEventsOn(answer: IncomingMessage): Promise<Response> {
  return respond(answer, untilItBreaks(answer));
}

function respond(answer: IncomingMessage, body: Readable): Response {
  const headers = new Headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  for (const name of passedHeaders) {
    const value = answer.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const status = answer.statusCode ?? 502;
  if (status === 204 || status === 304) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { status, headers });
}

function comesFromOwnPages(request: NextRequest): boolean {
  return isSameSite({
    method: request.method,
    origin: request.headers.get('origin'),
    fetchSite: request.headers.get('sec-fetch-site'),
    host: request.headers.get('host'),
    publicOrigin: consoleEnv().ODP_CONSOLE_ORIGIN,
  });
}

/** The request's JSON text, or the refusal of it. */
async function readBody(request: NextRequest): Promise<string | Response> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return problemResponse('NOT_JSON');
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) return problemResponse('BODY_TOO_LARGE');
  const text = await request.text();
  if (Buffer.byteLength(text) > maxBodyBytes) return problemResponse('BODY_TOO_LARGE');
  try {
    JSON.parse(text);
    return text;
  } catch {
    return problemResponse('BAD_JSON');
  }
}
