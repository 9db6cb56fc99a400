/** What the page of API tokens asks for, and orders. */
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod';
import { type MakeToken, makeTokenResponseSchema, tokensResponseSchema } from '../../proxy/control/contract.ts';
import { getJson, postJson } from './api.ts';

/** Key of both lists. */
const tokensKey = ['tokens'] as const;

/** One's own tokens, or everybody's: asked again now and then, since a use is told by nobody. */
export function tokensQuery(whose: 'own' | 'all') {
  return queryOptions({
    queryKey: [...tokensKey, whose],
    queryFn: ({ signal }) => getJson(`/api/tokens?whose=${whose}`, tokensResponseSchema, signal),
    refetchInterval: 30_000,
  });
}

/** Both lists, to have them asked for again. */
export const bothTokenLists = { queryKey: tokensKey };

/** @throws ApiError */
export async function makeToken(asked: MakeToken): Promise<z.infer<typeof makeTokenResponseSchema>> {
  return makeTokenResponseSchema.parse(await postJson('/api/tokens', asked));
}

/** @throws ApiError, 404 when it is gone already */
export async function revokeToken(id: number, reason: string): Promise<void> {
  await postJson(`/api/tokens/${id}/revoke`, { reason });
}

/** The parts of the OpenAPI document that the page shows. */
const openApiSchema = z.object({
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        tags: z.array(z.string()),
        summary: z.string(),
        security: z.array(z.record(z.string(), z.array(z.string()))),
      }),
    ),
  ),
});

/** One route of the API. */
export interface ApiRoute {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Null: it needs none. */
  readonly right: string | null;
}

/** The routes of the API as its own document tells them: the same as long as the proxy runs. */
export const apiRoutesQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }): Promise<readonly ApiRoute[]> => {
    const { servers, paths } = await getJson('/api/openapi.json', openApiSchema, signal);
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, tags, summary, security }]) => ({
        id: operationId,
        tag: tags[0] ?? '',
        method: method.toUpperCase(),
        path: `${servers[0]?.url ?? ''}${path}`,
        summary,
        right: security[0]?.token?.[0] ?? null,
      })),
    );
  },
  staleTime: Number.POSITIVE_INFINITY,
});
