import { OdpError } from '../errors/odp-error.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { LocationPageQuery } from '../routing/location/location-page.ts';
import type { LocationKey, LocationView } from '../routing/location/location-view.ts';
import {
  type Location,
  type LocationsQuery,
  locationNameSchema,
  locationRefreshResponseSchema,
  locationsQuerySchema,
  locationsResponseSchema,
  type RouteName,
} from './contract.ts';
import type { LocationService } from './location-service.ts';
import { FieldError } from './problem.ts';
import { actorOf, defineRoute, type RequestContext, type Route } from './route.ts';

interface LocationRouteServices {
  readonly service: LocationService;
  readonly history: HistoryStore;
  readonly now: () => Date;
}

/** The cached places of tables and partitions, page by page, and fetching one anew. */
export function locationRoutes({ service, history, now }: LocationRouteServices) {
  /** @throws OdpError STORE_FAILED: nothing is fetched without a row that says who wanted it. */
  const audit = async (context: RequestContext, key: LocationKey): Promise<void> => {
    const { cluster, tenant, database, table, tabletId } = key;
    const partition = tabletId === '0' ? '' : ` tablet ${tabletId}`;
    const newValue = `${cluster} ${tenant} ${database}.${table}${partition}`;
    try {
      await history.log.add(actorOf(context), { action: 'location.refresh', newValue });
    } catch (error) {
      throw new OdpError('STORE_FAILED', { detail: databaseErrorText(error) }, { cause: error });
    }
  };

  return {
    locations: defineRoute({
      audit: 'none',
      query: locationsQuerySchema,
      response: locationsResponseSchema,
      handle: async (_context, { query }) => {
        const { views, matches, hasMore } = await service.page(pageQuery(query));
        const last = views.at(-1);
        return {
          at: now().toISOString(),
          locations: views.map(locationView),
          matches,
          nextAfter: hasMore && last !== undefined ? cursorOf(last) : null,
        };
      },
    }),

    locationRefresh: defineRoute({
      audit: 'handler',
      body: locationNameSchema,
      response: locationRefreshResponseSchema,
      handle: async (context, { body }) => {
        await audit(context, body);
        const view = await service.refreshLocation(body);
        return { location: view === null ? null : locationView(view) };
      },
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}

function pageQuery({ cluster, tenant, database, text, kind, state, server, after, limit }: LocationsQuery) {
  const query: LocationPageQuery = {
    filter: {
      kinds: kind === undefined ? ['table', 'partition', 'tenant'] : [kind],
      cluster: cluster ?? null,
      tenant: tenant ?? null,
      database: database ?? null,
      contains: text ?? null,
      like: null,
      missing: state === undefined || state === 'missing',
      isMissing: state === 'missing',
      state: state === undefined || state === 'missing' ? null : state,
      server: server ?? null,
    },
    after: after === undefined ? null : keyOf(after),
    limit,
  };
  return query;
}

const cursorOf = ({ cluster, tenant, database, table, tabletId }: LocationKey): string =>
  JSON.stringify([cluster, tenant, database, table, tabletId]);

function keyOf(cursor: string): LocationKey {
  try {
    const [cluster, tenant, database, table, tabletId] = JSON.parse(cursor) as unknown[];
    return locationNameSchema.parse({ cluster, tenant, database, table, tabletId });
  } catch (error) {
    throw new FieldError(
      'after',
      `not the end of a page: ${error instanceof SyntaxError ? 'malformed' : 'incomplete'}`,
    );
  }
}

const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

function locationView(view: LocationView): Location {
  const { cluster, tenant, database, table, tabletId, kind, partitionName, state, missing, replicas } = view;
  const leader = replicas.find(({ role }) => role === 'leader')?.address ?? null;
  return {
    cluster,
    tenant,
    database,
    table,
    tabletId,
    kind,
    partitionName,
    state,
    missing,
    partitionCount: view.partitionCount,
    leader,
    followers: replicas.map(({ address }) => address).filter((address) => address !== leader),
    updatedAt: isoOrNull(view.updatedAtMs),
    validAt: isoOrNull(view.validAtMs),
    accessedAt: new Date(view.accessedAtMs).toISOString(),
    expiresAt: isoOrNull(view.expiresAtMs),
    hits: view.hits,
    misses: view.misses,
    workers: view.workers,
  };
}
