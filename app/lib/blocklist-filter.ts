import {
  type BlocklistCluster,
  type BlocklistServer,
  blocklistEventsQuerySchema,
  blocklistNameSchema,
} from '../../proxy/control/contract.ts';

/** The page's own state, all of it in the URL; empty means any. */
export interface BlocklistView {
  readonly cluster: string;
  readonly zone: string;
  /** `ip:port`. */
  readonly server: string;
  readonly list: string;
  readonly change: string;
}

/** What the timeline filters by, as the control API wants it. */
export interface EventFilter {
  readonly cluster?: string;
  readonly zone?: string;
  readonly server?: string;
  readonly list?: string;
  readonly change?: string;
}

/** The filter of a view. A list or change that does not exist counts as any: the address may have been typed. */
export function eventFilter(view: BlocklistView): EventFilter {
  const filter: Record<string, string> = {};
  for (const key of ['cluster', 'zone', 'server', 'list', 'change'] as const) {
    const value = blocklistEventsQuerySchema.shape[key].safeParse(view[key]);
    if (value.success && value.data) filter[key] = value.data;
  }
  return filter;
}

/** The query string of a filter, with its `?`. */
export function eventSearch(filter: EventFilter, page: { before: number | null; limit: number }): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...filter, ...page })) {
    if (value !== undefined && value !== null) query.set(key, String(value));
  }
  return `?${query}`;
}

/** Whether a server is to be shown under a filter; `list` leaves those that are on it now. */
export function isShown(cluster: BlocklistCluster, server: BlocklistServer, filter: EventFilter): boolean {
  return (
    (filter.cluster === undefined || filter.cluster === cluster.name) &&
    (filter.zone === undefined || filter.zone === server.zone) &&
    (filter.server === undefined || filter.server === server.address) &&
    (filter.list === undefined || server.listings.some(({ list }) => list === filter.list))
  );
}

/** What the select boxes offer: all that is known, in the order in which it is known, and what is chosen already. */
export function choicesOf(
  clusters: readonly BlocklistCluster[],
  view: BlocklistView,
): Record<'cluster' | 'zone' | 'server' | 'list', string[]> {
  const within = clusters.filter(({ name }) => view.cluster === '' || name === view.cluster);
  const servers = within.flatMap((cluster) => cluster.servers);
  const inZone = servers.filter(({ zone }) => view.zone === '' || zone === view.zone);
  const unique = (texts: string[], chosen: string): string[] =>
    [...new Set([...texts, chosen])].filter((text) => text !== '');
  return {
    cluster: unique(
      clusters.map(({ name }) => name),
      view.cluster,
    ),
    zone: unique(
      servers.map(({ zone }) => zone),
      view.zone,
    ),
    server: unique(
      inZone.map(({ address }) => address),
      view.server,
    ),
    list: [...blocklistNameSchema.options],
  };
}
