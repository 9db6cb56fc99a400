import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserRoutes, filledPath, type RouteName, routes } from '../contract.ts';
import { ControlBench } from '../testing.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object; readonly responses: Operation['responses'] };
}

let bench: ControlBench;
let secret: string;
let document: Document;
beforeAll(async () => {
  bench = await ControlBench.start();
  const login = await bench.userToken('ada', 'administrator');
  const body = { name: 'all', role: 'administrator', expiresAt: '2026-12-31T00:00:00.000Z', reason: 'tests' };
  secret = (await bench.call('POST', '/v1/tokens', { token: login, body })).json.secret;
  document = (await bench.call('GET', '/v1/openapi.json', { token: secret })).json;
});
afterAll(() => bench.stop());

const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path));

/** What is wrong with a value by a schema of the document; null: nothing. */
function misfit(schema: object, value: unknown): string | null {
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  const validate = ajv.compile({ ...schema, components: document.components });
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

describe('the OpenAPI document', () => {
  it('is one, by the rules of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('is for those who have a token or a log-in', async () => {
    expect((await bench.call('GET', '/v1/openapi.json')).status).toBe(401);
  });

  it('has every route of the contract but those of a browser, each with its words and what it needs', () => {
    const expected = Object.keys(routes).filter((name) => !(name in browserRoutes));
    expect(
      operations()
        .map(({ operationId }) => operationId)
        .toSorted(),
    ).toEqual(expected.toSorted());
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId, parameters = [], requestBody, responses }] of Object.entries(methods)) {
        const route = routes[operationId as RouteName];
        expect(`${method.toUpperCase()} /v1${path.replace(/\{(\w+)\}/g, ':$1')}`).toBe(`${route.method} ${route.path}`);
        const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`);
        expect(path.match(/\{\w+\}/g) ?? [], operationId).toEqual(inPath);
        if (route.method === 'GET') expect(requestBody).toBeUndefined();
        expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true);
        if (route.permission !== 'public')
          expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403']));
      }
    }
  });

  it('names the rights and the errors that a route may answer', () => {
    const change = document.paths['/parameters']?.post;
    expect(change).toMatchObject({ security: [{ token: ['parameters.write'] }] });
    expect(JSON.stringify(change?.responses['409'])).toContain('STALE_REVISION');
    expect(JSON.stringify(change)).toContain('In the history: `parameter.change`');
  });

  it('describes the real answer of every GET', async () => {
    const skipped: string[] = [];
    for (const [name, { method, path }] of Object.entries(routes)) {
      if (method !== 'GET' || name in browserRoutes) continue;
      const { responses } = operations().find(({ operationId }) => operationId === name) as Operation;
      const asked = name === 'blocklistAt' ? '?at=2026-03-01T09:00:00Z' : '';
      if (name === 'events') {
        skipped.push(name);
        continue;
      }
      const answer = await bench.call('GET', filledPath(path, { id: '1' }) + asked, { token: secret });
      const told = responses[String(answer.status)];
      expect(told, `${name} ${answer.text}`).toBeDefined();
      const type = String(answer.headers['content-type']).split(';')[0] ?? '';
      const schema = told?.content?.[type]?.schema;
      expect(schema, `${name} ${answer.status} ${type} ${answer.text}`).toBeDefined();
      if (type.includes('json')) expect(misfit(schema ?? {}, answer.json), name).toBeNull();
    }
    expect(skipped).toEqual(['events']);
  });

  it('describes the events of the stream', async () => {
    const stream = await bench.events(secret);
    const schema = { $ref: '#/components/schemas/LiveEvent' };
    expect(misfit(schema, await stream.next('hello'))).toBeNull();
    expect(misfit(schema, await stream.next('overview'))).toBeNull();
    stream.close();
  });

  it('describes refusals, and what a request may be', async () => {
    const post = document.paths['/parameters']?.post as Operation;
    const schema = post.requestBody?.content['application/json']?.schema ?? {};
    const change = { name: 'enable_congestion', value: 'off', baseRevision: 0 };
    expect(misfit(schema, { changes: [change], reason: 'a try' })).toBeNull();
    expect(misfit(schema, { changes: [change] })).toContain('reason');
    const refused = await bench.call('POST', '/v1/parameters', { token: secret, body: { changes: [] } });
    expect(refused.status).toBe(400);
    expect(misfit(post.responses['400']?.content?.['application/problem+json']?.schema ?? {}, refused.json)).toBeNull();
  });
});
