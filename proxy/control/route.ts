import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Person } from '../config/proposals.ts';
import { OdpError } from '../errors/odp-error.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { HistoryLog } from '../history/history-log.ts';
import type { Actor, HistoryAction } from '../history/history-row.ts';
import { actorOfCaller, type Caller, type Callers, rightsOf } from './callers.ts';
import { browserRoutes, type Permission, pathParameters, type RouteName, routes } from './contract.ts';
import { permissionDescriptions } from './permissions.ts';
import { problemOf } from './problem.ts';
import { readJsonBody } from './read-body.ts';
import type { Attempt, Refusals } from './refusals.ts';

/** Where the server logs; pino's shape. */
export interface ControlLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** One request on its way through. */
export interface RequestContext {
  readonly requestId: string;
  /** Address of the person's browser, as the console told it. */
  readonly origin: string;
  /** What the browser says that it is; may be empty. */
  readonly agent: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Null on public routes only; see `sessionOf`. */
  readonly session: Caller | null;
}

/**
 * How a route is audited. `none`: it only reads. `handler`: the handler writes the rows itself, in the transaction of
 * what it changes or by outcome. An action: the wrapper writes its row before the handler runs; when that fails and
 * `required` is set, the handler does not run.
 */
type Audit = 'none' | 'handler' | { readonly action: HistoryAction; readonly required: boolean };

/** A route as the wrapper sees it; made by `defineRoute`. */
export interface Route {
  readonly audit: Audit;
  /** What comes in and goes out, for the API's document. */
  readonly schemas: {
    readonly query: z.ZodType | undefined;
    readonly body: z.ZodType | undefined;
    readonly response: z.ZodType | undefined;
  };
  readonly run: (context: RequestContext, query: unknown, body: unknown) => Promise<void>;
}

interface RouteDefinition<Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType> {
  readonly audit: Audit;
  readonly query?: Query;
  readonly body?: Body;
  /** Shape of the answer; left out when the handler writes to `context.response` itself or the answer is empty. */
  readonly response?: Response;
  readonly handle: (
    context: RequestContext,
    input: { readonly query: z.output<Query>; readonly body: z.output<Body> },
  ) => Promise<z.input<Response>> | z.input<Response>;
}

/** Declares a route: schemas for what comes in and goes out, how it is audited, and what it does. */
export function defineRoute<
  Query extends z.ZodType = z.ZodUnknown,
  Body extends z.ZodType = z.ZodUnknown,
  Response extends z.ZodType = z.ZodVoid,
>(definition: RouteDefinition<Query, Body, Response>): Route {
  return {
    audit: definition.audit,
    schemas: { query: definition.query, body: definition.body, response: definition.response },
    run: async (context, query, body) => {
      const input = {
        query: (definition.query?.parse(query) ?? query) as z.output<Query>,
        body: (definition.body?.parse(body) ?? body) as z.output<Body>,
      };
      const answer = await definition.handle(context, input);
      if (context.response.headersSent) return;
      if (definition.response === undefined) {
        context.response.writeHead(204).end();
        return;
      }
      const checked = definition.response.safeParse(answer);
      if (!checked.success) {
        throw new Error('answer does not fit its own schema', { cause: checked.error });
      }
      sendJson(context.response, 200, checked.data);
    },
  };
}

/** The log-in or API token of a request to a route that needs one. */
export function sessionOf(context: RequestContext): Caller {
  if (context.session === null) throw new OdpError('NOT_LOGGED_IN');
  return context.session;
}

/** The token that a request brings, of whatever worth. */
export function tokenOf({ headers }: IncomingMessage): string | null {
  return /^Bearer ([A-Za-z0-9_-]{1,200})$/.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Who is acting, for history rows. */
export function actorOf({ session, origin, requestId }: RequestContext, name = ''): Actor {
  if (session !== null) return actorOfCaller(session, { origin, requestId });
  return { actor: name, role: '', source: 'console', origin, requestId };
}

/** Who is acting, to be told from somebody else. @throws OdpError NOT_LOGGED_IN */
export function personOf(context: RequestContext): Person {
  return { actor: actorOf(context), accountId: sessionOf(context).account.id };
}

/** Routes that work while a one-time password waits to be replaced. */
const openDuringPasswordChange: readonly RouteName[] = ['me', 'changePassword', 'logout'];

/** What the wrapper needs beside the route itself. */
export interface RouteServices {
  readonly callers: Callers;
  readonly history: HistoryLog;
  readonly refusals: Refusals;
  readonly log: ControlLog;
}

/**
 * The one wrapper that every request goes through: request id, log-in or API token, permission from the contract's table, audit,
 * schemas, and an RFC 9457 body for whatever goes wrong.
 */
export async function serveRoute(
  routeTable: Readonly<Record<RouteName, Route>>,
  services: RouteServices,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = randomUUID();
  const origin = String(request.headers['x-odp-origin'] ?? '').slice(0, 100);
  const attempt: Attempt = { name: null, caller: null, origin, requestId };
  response.setHeader('X-Request-Id', requestId);
  response.setHeader('Cache-Control', 'no-store');
  try {
    const [path = '', search = ''] = (request.url ?? '').split(/\?(.*)/s);
    const { name, parameters } = findRoute(request.method ?? '', path);
    attempt.name = name;
    const session = await callerOf(services.callers, attempt, name, request);
    attempt.caller = session;
    if (session !== null) checkRights(session, name);
    const agent = String(request.headers['x-odp-agent'] ?? '');
    const context: RequestContext = { requestId, origin, agent, request, response, session };
    const query = { ...Object.fromEntries(new URLSearchParams(search)), ...parameters };
    const body = routes[name].method === 'POST' ? await readJsonBody(request) : undefined;
    const route = routeTable[name];
    await writeAudit(services, route.audit, context);
    await route.run(context, query, body);
  } catch (error) {
    // Without a turn in between if there is nothing to write: what is left of a bad request must not be read as another.
    const written = services.refusals.record(attempt, request, error);
    if (written !== null) await written;
    sendProblem(services.log, request, response, error, requestId);
  }
}

function findRoute(method: string, path: string): { name: RouteName; parameters: Readonly<Record<string, string>> } {
  for (const [name, route] of Object.entries(routes)) {
    const parameters = route.method === method ? pathParameters(route.path, path) : null;
    if (parameters !== null) return { name: name as RouteName, parameters };
  }
  throw new OdpError('NOT_FOUND', { detail: `${method} ${path}` });
}

async function callerOf(
  callers: Callers,
  { origin, requestId }: Attempt,
  name: RouteName,
  request: IncomingMessage,
): Promise<Caller | null> {
  if (routes[name].permission === 'public') return null;
  const token = tokenOf(request);
  if (token === null) throw new OdpError('NOT_LOGGED_IN');
  return await callers.find(token, { origin, requestId });
}

/** @throws OdpError FORBIDDEN, NOT_BY_TOKEN or PASSWORD_CHANGE_REQUIRED when the caller may not use the route (now). */
export function checkRights(caller: Caller, name: RouteName): void {
  const { permission } = routes[name];
  if (caller.token !== null && name in browserRoutes) throw new OdpError('NOT_BY_TOKEN');
  if (caller.account.mustChangePassword && !openDuringPasswordChange.includes(name)) {
    throw new OdpError('PASSWORD_CHANGE_REQUIRED');
  }
  if (permission !== null && permission !== 'public') checkRight(caller, permission);
}

/** @throws OdpError FORBIDDEN when the caller has not the right (now). */
export function checkRight(caller: Caller, permission: Permission): void {
  if (!rightsOf(caller).includes(permission)) {
    throw new OdpError('FORBIDDEN', {
      permission: `${permission} (${permissionDescriptions[permission].toLowerCase()})`,
    });
  }
}

async function writeAudit(services: RouteServices, audit: Audit, context: RequestContext): Promise<void> {
  if (typeof audit === 'string') return;
  try {
    const reason = context.request.url?.split(/\?(.*)/s)[1] ?? '';
    await services.history.add(actorOf(context), { action: audit.action, reason: reason.slice(0, 500) });
  } catch (error) {
    const detail = databaseErrorText(error);
    if (audit.required) throw new OdpError('STORE_FAILED', { detail }, { cause: error });
    services.log.warn(
      { action: audit.action, requestId: context.requestId, reason: detail },
      'action could not be audited',
    );
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown, type = 'application/json'): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }).end(text);
}

function sendProblem(
  log: ControlLog,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  requestId: string,
): void {
  // The caller went away in the middle of a long answer: nobody is left to tell, and nothing is wrong.
  if (response.headersSent && response.destroyed) return;
  const problem = problemOf(error, requestId);
  if (problem.status >= 500) {
    log.error({ requestId, method: request.method, path: request.url?.split('?')[0], err: error }, problem.detail);
  }
  if (response.headersSent) {
    // Nothing can be said any more; a broken answer must not look like a whole one.
    response.destroy();
    return;
  }
  if (error instanceof OdpError && error.code === 'TOO_MANY_ATTEMPTS') {
    response.setHeader('Retry-After', String(error.details.seconds ?? 60));
  }
  if (error instanceof OdpError && error.code === 'TOKEN_REFUSED') response.setHeader('WWW-Authenticate', 'Bearer');
  // What is left of an unread body would be taken for the next request.
  if (!request.complete) response.setHeader('Connection', 'close');
  sendJson(response, problem.status, problem, 'application/problem+json');
}
