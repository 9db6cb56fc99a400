import { type ErrorCode, errorTable } from '../../errors/table.ts';
import * as contract from '../contract.ts';
import { permissionDescriptions } from '../permissions.ts';
import { routeActions } from '../refusals.ts';
import type { Route } from '../route.ts';
import { type JsonObject, JsonSchemas } from './json-schemas.ts';
import { type ApiRouteName, routeWords } from './route-words.ts';

/** Errors that the console answers by itself, before the proxy is asked. */
const consoleErrors = {
  NO_TOKEN: [401, 'No API token was sent'],
  NOT_JSON: [415, 'The body must be JSON'],
  BODY_TOO_LARGE: [413, 'The body is larger than 256 KiB'],
  CONTROL_UNREACHABLE: [503, 'The proxy does not answer: it may be starting or stopping'],
} as const;
type AnyCode = ErrorCode | keyof typeof consoleErrors;

/** What every route may answer that needs a token. */
const commonCodes = ['NO_TOKEN', 'TOKEN_REFUSED', 'TOO_MANY_ATTEMPTS', 'INTERNAL', 'CONTROL_UNREACHABLE'] as const;

/** Answers that many routes have, by status: written once. */
const shared: Readonly<Record<string, string>> = { 401: 'Unauthorized', 429: 'TooManyAttempts', 500: 'Internal' };

const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

/** The OpenAPI 3.1 document of everything under `/api/v1`, from the schemas that requests and answers are checked with. */
export function openApiDocument(routeTable: Readonly<Record<contract.RouteName, Route>>, version: string): JsonObject {
  const schemas = new JsonSchemas(contract);
  schemas.of(contract.problemSchema, 'output');
  const paths: Record<string, JsonObject> = {};
  for (const name of Object.keys(routeWords) as ApiRouteName[]) {
    const { method, path } = contract.routes[name];
    const own = path.replace(/^\/v1/, '').replace(/:(\w+)/g, '{$1}');
    paths[own] = { ...paths[own], [method.toLowerCase()]: operation(name, routeTable[name], schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'OceanBase Database Proxy',
      version,
      description:
        'Everything that the pages of the console can do, for scripts. Times are ISO 8601 in UTC. Fields may be added to answers; none goes or changes its meaning within v1. Every answer has its X-Request-Id, which the history shows beside what the request did.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    tags: [...new Set(Object.values(routeWords).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token, made by a person on the page API tokens of the console: `odp_` and 64 hex digits.',
        },
      },
      responses: Object.fromEntries(
        Object.entries(shared).map(([status, id]) => [id, refusalOf(commonCodes.filter((code) => isOf(code, status)))]),
      ),
      schemas: schemas.components(),
    },
  };
}

function operation(name: ApiRouteName, route: Route, schemas: JsonSchemas): JsonObject {
  const { permission } = contract.routes[name];
  const { tag, summary, more } = routeWords[name];
  const isPublic = permission === 'public';
  const action = routeActions[name];
  const right = isPublic || permission === null ? null : permission;
  const parts = [
    more,
    right === null ? undefined : `Needs the right \`${right}\`: ${permissionDescriptions[right]}.`,
    action === undefined ? undefined : `In the history: \`${action}\`.`,
  ];
  const { body } = route.schemas;
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: parts.filter((part) => part !== undefined).join('\n\n'),
    security: isPublic ? [] : [{ token: right === null ? [] : [right] }],
    ...parametersOf(name, route, schemas),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemas.of(body, 'input') } } } }),
    responses: { ...success(name, route, schemas), ...(isPublic ? {} : refusals(name, route)) },
  };
}

/** Of a path and of a query, which one schema checks together. */
function parametersOf(name: ApiRouteName, { schemas: { query } }: Route, schemas: JsonSchemas): JsonObject {
  if (query === undefined) return {};
  const { properties = {}, required = [] } = schemas.whole(query, 'input') as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  const inPath: readonly string[] = contract.routes[name].path.match(/:\w+/g) ?? [];
  const parameters = Object.entries(properties).map(([field, schema]) => {
    const isInPath = inPath.includes(`:${field}`);
    return { name: field, in: isInPath ? 'path' : 'query', required: isInPath || required.includes(field), schema };
  });
  return { parameters };
}

function success(name: ApiRouteName, { schemas: { response } }: Route, schemas: JsonSchemas): JsonObject {
  const { media, summary } = routeWords[name];
  if (name === 'historyJson') {
    const schema = { type: 'array', items: schemas.of(contract.historyRowSchema, 'output') };
    return { '200': { description: summary, content: { 'application/json': { schema } } } };
  }
  if (name === 'events') {
    const schema = { type: 'string', description: 'The `data` of each event is a LiveEvent.' };
    schemas.of(contract.liveEventSchema, 'output');
    return { '200': { description: summary, content: { [media ?? '']: { schema } } } };
  }
  if (media !== undefined)
    return { '200': { description: summary, content: { [media]: { schema: { type: 'string' } } } } };
  if (response === undefined) return { '204': { description: 'Done.' } };
  return {
    '200': { description: summary, content: { 'application/json': { schema: schemas.of(response, 'output') } } },
  };
}

function refusals(name: ApiRouteName, { schemas: { query, body } }: Route): JsonObject {
  const codes = new Set<AnyCode>([...commonCodes, ...(routeWords[name].errors ?? []), 'PASSWORD_CHANGE_REQUIRED']);
  if (contract.routes[name].permission !== null) codes.add('FORBIDDEN');
  if (body !== undefined || query !== undefined) codes.add('BAD_REQUEST');
  if (body !== undefined) codes.add('NOT_JSON').add('BODY_TOO_LARGE');
  const answers: JsonObject = {};
  for (const [status, of] of Map.groupBy(codes, statusOf)) {
    const isShared = of.every((code) => commonCodes.some((one) => one === code)) && shared[status] !== undefined;
    answers[status] = isShared ? { $ref: `#/components/responses/${shared[status]}` } : refusalOf(of);
  }
  return answers;
}

function refusalOf(codes: readonly AnyCode[]): JsonObject {
  return { description: codes.map((code) => `- \`${code}\`: ${textOf(code)}`).join('\n'), content: problem };
}

const isOf = (code: AnyCode, status: string): boolean => String(statusOf(code)) === status;

const statusOf = (code: AnyCode): number =>
  code in consoleErrors
    ? consoleErrors[code as keyof typeof consoleErrors][0]
    : errorTable[code as ErrorCode].httpStatus;

const textOf = (code: AnyCode): string =>
  code in consoleErrors ? consoleErrors[code as keyof typeof consoleErrors][1] : errorTable[code as ErrorCode].text;
