import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { HistoryLog } from '../history/history-log.ts';
import {
  type HistoryQuery,
  historyQuerySchema,
  historyResponseSchema,
  type Overview,
  overviewSchema,
  type RouteName,
} from './contract.ts';
import { csvHead, csvLine } from './csv.ts';
import type { EventHub } from './event-hub.ts';
import { defineRoute, type Route, sessionOf } from './route.ts';
import { historyRowView } from './views.ts';

interface DataRouteServices {
  readonly history: HistoryLog;
  readonly overview: () => Overview;
  readonly hub: EventHub;
}

/** Overview, history and the event stream. */
export function dataRoutes({ history, overview, hub }: DataRouteServices) {
  return {
    health: defineRoute({
      audit: 'none',
      response: z.object({ status: z.literal('ok') }),
      handle: () => ({ status: 'ok' as const }),
    }),

    overview: defineRoute({ audit: 'none', response: overviewSchema, handle: () => overview() }),

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
