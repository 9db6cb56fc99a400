import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ChainState } from '../history/chain/chain-watch.ts';
import type { HistoryLog } from '../history/history-log.ts';
import type { HistoryStore } from '../history/history-store.ts';
import {
  type HistoryChain,
  type HistoryQuery,
  historyChainSchema,
  historyQuerySchema,
  historyResponseSchema,
  type RouteName,
} from './contract.ts';
import { csvHead, csvLine } from './csv.ts';
import { defineRoute, type RequestContext, type Route } from './route.ts';
import { historyRowView } from './views.ts';

/** The audit trail: pages, downloads of exactly what a filter finds, and whether its chain holds. */
export function historyRoutes({ log, chain }: Pick<HistoryStore, 'log' | 'chain'>) {
  const download = (contentType: string, ending: string, textOf: typeof csvOf) =>
    defineRoute({
      audit: { action: 'history.export', required: true },
      query: historyQuerySchema,
      handle: async ({ response }: RequestContext, { query }) => {
        response.writeHead(200, {
          'Content-Type': contentType,
          'Content-Disposition': `attachment; filename="odp-history.${ending}"`,
        });
        await pipeline(Readable.from(textOf(log, query)), response);
      },
    });

  return {
    history: defineRoute({
      audit: 'none',
      query: historyQuerySchema,
      response: historyResponseSchema,
      handle: async (_context, { query }) => {
        const page = await log.page(query, query.limit, query.before);
        return { ...page, rows: page.rows.map(historyRowView) };
      },
    }),
    historyCsv: download('text/csv; charset=utf-8; header=present', 'csv', csvOf),
    historyJson: download('application/json; charset=utf-8', 'json', jsonOf),
    historyChain: defineRoute({ audit: 'none', response: historyChainSchema, handle: () => chainView(chain.state()) }),
    historyVerify: defineRoute({
      audit: 'none',
      response: historyChainSchema,
      handle: () => chainView(chain.verify()),
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}

async function* csvOf(history: HistoryLog, query: HistoryQuery): AsyncGenerator<string> {
  yield csvHead();
  for await (const row of history.stream(query)) yield csvLine(historyRowView(row));
}

/** One array, a row a line. */
async function* jsonOf(history: HistoryLog, query: HistoryQuery): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of history.stream(query)) {
    yield `${before}${JSON.stringify(historyRowView(row))}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

function chainView({ report, checkedAt, progress, error, keyFingerprint }: ChainState): HistoryChain {
  const known =
    report === null
      ? null
      : {
          rows: report.rows,
          headId: report.headId,
          headHash: report.headHash,
          removedId: report.removedId,
          keptRows: report.keptRows,
          checkpoints: report.checkpoints,
          breaks: [...report.breaks],
          breakCount: report.breakCount,
        };
  const verdict = report?.state ?? 'unknown';
  return {
    state: verdict,
    checkedAt: checkedAt?.toISOString() ?? null,
    progress,
    error,
    keyFingerprint,
    report: known,
  };
}
