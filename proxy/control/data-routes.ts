import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { ConfigStore } from '../config/config-store.ts';
import type { HistoryLog } from '../history/history-log.ts';
import {
  changeOverrideSchema,
  changeRequestSchema,
  changeResponseSchema,
  type HistoryQuery,
  historyQuerySchema,
  historyResponseSchema,
  type Overview,
  overviewSchema,
  parametersResponseSchema,
  type RouteName,
} from './contract.ts';
import { csvHead, csvLine } from './csv.ts';
import type { EventHub } from './event-hub.ts';
import { actorOf, defineRoute, type Route, sessionOf } from './route.ts';
import { historyRowView, parameterView } from './views.ts';

interface DataRouteServices {
  readonly store: ConfigStore;
  readonly history: HistoryLog;
  readonly overview: () => Overview;
  readonly hub: EventHub;
}

/** Overview, parameters, history and the event stream. */
export function dataRoutes({ store, history, overview, hub }: DataRouteServices) {
  return {
    health: defineRoute({
      audit: 'none',
      response: z.object({ status: z.literal('ok') }),
      handle: () => ({ status: 'ok' as const }),
    }),

    overview: defineRoute({ audit: 'none', response: overviewSchema, handle: () => overview() }),

    parameters: defineRoute({
      audit: 'none',
      response: parametersResponseSchema,
      handle: () => ({ parameters: store.parameters().map((status) => parameterView(store, status)) }),
    }),

    changeParameters: defineRoute({
      audit: 'handler',
      body: changeRequestSchema,
      response: changeResponseSchema,
      handle: async (context, { body }) => {
        const { changed, unchanged } = await store.change({ ...actorOf(context), ...body });
        return { parameters: changed.map((status) => parameterView(store, status)), unchanged: [...unchanged] };
      },
    }),

    changeOverride: defineRoute({
      audit: 'handler',
      body: changeOverrideSchema,
      response: changeResponseSchema,
      handle: async (context, { body }) => {
        const { name, value, baseRevision, reason } = body;
        const scope = { ...body.scope, vid: -1 };
        const overrides = [{ name, scope, value, baseRevision }];
        const { changed } = await store.change({ ...actorOf(context), changes: [], overrides, reason });
        const parameters = changed.map((status) => parameterView(store, status));
        return { parameters, unchanged: changed.length === 0 ? [name] : [] };
      },
    }),

    history: defineRoute({
      audit: 'none',
      query: historyQuerySchema,
      response: historyResponseSchema,
      handle: async (_context, { query }) => {
        const page = await history.page(query, query.limit, query.before);
        return { ...page, rows: page.rows.map(historyRowView) };
      },
    }),

    historyCsv: defineRoute({
      audit: { action: 'history.export', required: true },
      query: historyQuerySchema,
      handle: async ({ response }, { query }) => {
        response.writeHead(200, {
          'Content-Type': 'text/csv; charset=utf-8; header=present',
          'Content-Disposition': 'attachment; filename="odp-history.csv"',
        });
        await pipeline(Readable.from(csvOf(history, query)), response);
      },
    }),

    events: defineRoute({
      audit: 'none',
      handle: (context) => hub.add(context.response, sessionOf(context)),
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}

async function* csvOf(history: HistoryLog, query: HistoryQuery): AsyncGenerator<string> {
  yield csvHead();
  for await (const row of history.stream(query)) yield csvLine(historyRowView(row));
}
