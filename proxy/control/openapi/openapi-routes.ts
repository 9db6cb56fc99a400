import * as z from 'zod';
import type { RouteName } from '../contract.ts';
import { defineRoute, type Route } from '../route.ts';
import type { JsonObject } from './json-schemas.ts';
import { openApiDocument } from './openapi-document.ts';

interface OpenApiServices {
  readonly routeTable: () => Readonly<Record<RouteName, Route>>;
  readonly version: () => string;
}

/** The API described for programs: made when it is first asked for, and the same from then on. */
export function openApiRoutes({ routeTable, version }: OpenApiServices) {
  let document: JsonObject | undefined;
  return {
    openapi: defineRoute({
      audit: 'none',
      response: z.record(z.string(), z.unknown()),
      handle: () => {
        document ??= openApiDocument(routeTable(), version());
        return document;
      },
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}
