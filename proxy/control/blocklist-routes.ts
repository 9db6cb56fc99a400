import type { ConfigStore } from '../config/config-store.ts';
import { ConfigView } from '../config/config-view.ts';
import { readCongestionParameters } from '../congestion/read-parameters.ts';
import { OdpError } from '../errors/odp-error.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { SerialQueue } from '../history/serial-queue.ts';
import type { BlocklistService, ClusterBlocklist } from './blocklist-service.ts';
import { clusterView, eventView, isoTime } from './blocklist-views.ts';
import {
  blocklistAtQuerySchema,
  blocklistAtSchema,
  blocklistEventsQuerySchema,
  blocklistEventsResponseSchema,
  blocklistReleaseRequestSchema,
  blocklistReleaseResponseSchema,
  blocklistResponseSchema,
  type RouteName,
  whatIfRequestSchema,
  whatIfResponseSchema,
} from './contract.ts';
import { actorOf, defineRoute, type RequestContext, type Route } from './route.ts';
import { whatIf } from './what-if.ts';

interface BlocklistRouteServices {
  readonly service: BlocklistService;
  readonly history: HistoryStore;
  readonly store: ConfigStore;
  readonly now: () => Date;
}

/** The blocklists as they are, what they did, what they would have done, and taking a server off by hand. */
export function blocklistRoutes({ service, history, store, now }: BlocklistRouteServices) {
  // One replay at a time: each takes a core.
  const replays = new SerialQueue();

  const clusterOf = (name: string): ClusterBlocklist => {
    const found = service.clusters().find((cluster) => cluster.name === name);
    if (found === undefined) throw new OdpError('NOT_FOUND', { detail: `cluster '${name}'` });
    return found;
  };

  /** @throws OdpError STORE_FAILED: nothing is released without a row that says who did it. */
  const audit = async (context: RequestContext, what: string, lists: string, reason: string): Promise<void> => {
    try {
      await history.log.add(actorOf(context), {
        action: 'blocklist.release',
        oldValue: `${what}: ${lists}`,
        newValue: `${what}: released`,
        reason,
      });
    } catch (error) {
      throw new OdpError('STORE_FAILED', { detail: databaseErrorText(error) }, { cause: error });
    }
  };

  return {
    blocklist: defineRoute({
      audit: 'none',
      response: blocklistResponseSchema,
      handle: () => {
        const at = service.now();
        return { at: isoTime(at.wallAtMs), clusters: service.clusters().map((cluster) => clusterView(cluster, at)) };
      },
    }),

    blocklistEvents: defineRoute({
      audit: 'none',
      query: blocklistEventsQuerySchema,
      response: blocklistEventsResponseSchema,
      handle: async (_context, { query }) => {
        const { rows, total, nextBefore } = await history.blocklist.page(query, query.limit, query.before);
        return { events: rows.map(eventView), total, nextBefore };
      },
    }),

    blocklistAt: defineRoute({
      audit: 'none',
      query: blocklistAtQuerySchema,
      response: blocklistAtSchema,
      handle: async (_context, { query: { at } }) => ({
        at,
        listings: (await history.blocklist.listedAt(new Date(at))).map(eventView),
      }),
    }),

    blocklistRelease: defineRoute({
      audit: 'handler',
      body: blocklistReleaseRequestSchema,
      response: blocklistReleaseResponseSchema,
      handle: async (context, { body }) => {
        const { cluster, server, list, reason } = body;
        const details = clusterOf(cluster).blocklist.details(server, service.now());
        if (details === null) throw new OdpError('NOT_FOUND', { detail: `server '${server}' in cluster '${cluster}'` });
        const wanted = details.listings.map((listing) => listing.list).filter((one) => list === null || one === list);
        if (wanted.length === 0) return { released: [] };
        await audit(context, `${cluster} ${server}`, wanted.join(', '), reason);
        const { actor } = actorOf(context);
        const transitions = service.release({ cluster, address: server, list, actor, reason });
        return { released: transitions.map((transition) => transition.list) };
      },
    }),

    blocklistWhatIf: defineRoute({
      audit: 'none',
      body: whatIfRequestSchema,
      response: whatIfResponseSchema,
      handle: (_context, { body }) => {
        const { cluster, hours } = body;
        const inForce = clusterOf(cluster).blocklist.parameters;
        const config = new ConfigView(store.texts());
        for (const [name, text] of Object.entries(body.parameters)) if (text !== undefined) config.apply(name, text);
        const parameters = readCongestionParameters(config);
        const toWallAtMs = now().getTime();
        return replays.run(() => whatIf(history.blocklist, { cluster, hours, parameters, inForce, toWallAtMs }));
      },
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}
