import { type Overview, type RouteExplainRequest, routeExplainRequestSchema } from '../../proxy/control/contract.ts';

/** The Routing page's own state, all of it in the URL; empty means as in a session that has not touched it. */
export interface RouteQuestion {
  readonly sql: string;
  /** Id of a live client session, whose settings then count instead of those below. */
  readonly session: string;
  readonly cluster: string;
  readonly tenant: string;
  readonly database: string;
  readonly idc: string;
  readonly consistency: string;
  /** `@proxy_route_policy`. */
  readonly policy: string;
  /** `ob_route_policy`. */
  readonly zonePolicy: string;
  /** Empty: none, and autocommit is on; else `off`, `begun`, `begun-read-only` or `open`. */
  readonly transaction: string;
  /** Of the open transaction. */
  readonly bound: string;
  /** Of the statement before. */
  readonly last: string;
}

/** In the order in which changes of them are told. */
const questionKeys = [
  'sql',
  'session',
  'cluster',
  'tenant',
  'database',
  'idc',
  'consistency',
  'policy',
  'zonePolicy',
  'transaction',
  'bound',
  'last',
] as const satisfies readonly (keyof RouteQuestion)[];

/** The request of a question; null while it cannot be asked: no statement, no tenant, a server that is none. */
export function requestOf(question: RouteQuestion): RouteExplainRequest | null {
  const { sql, session, cluster, tenant, database, transaction } = question;
  if (sql.trim() === '') return null;
  const orNull = (text: string): string | null => (text === '' ? null : text);
  const described = {
    cluster,
    tenant,
    database,
    idcName: orNull(question.idc),
    readConsistency: orNull(question.consistency),
    obRoutePolicy: orNull(question.zonePolicy),
    proxyRoutePolicy: orNull(question.policy),
    autocommit: transaction !== 'off',
    begun: transaction === 'begun' ? 'read-write' : transaction === 'begun-read-only' ? 'read-only' : 'no',
    boundServer: transaction === 'open' ? orNull(question.bound) : null,
    lastServer: orNull(question.last),
  };
  const asked = routeExplainRequestSchema.safeParse({
    sql,
    session: session === '' ? described : { id: Number(session) },
  });
  return asked.success ? asked.data : null;
}

/** The one that is asked about until somebody chooses: the first that is not `sys`. */
export function likelyTenant(tenants: readonly string[]): string {
  return tenants.find((name) => name !== 'sys') ?? tenants[0] ?? 'sys';
}

/** Which settings two questions differ in, the statement included, with both values. */
export function changesBetween(
  before: RouteQuestion,
  now: RouteQuestion,
): { key: keyof RouteQuestion; from: string; to: string }[] {
  return questionKeys
    .filter((key) => before[key] !== now[key])
    .map((key) => ({ key, from: before[key], to: now[key] }));
}

/** The IDC names of a cluster, in the order in which it names them. */
export function idcsOf(overview: Overview | undefined, cluster: string): string[] {
  const zones = overview?.clusters.find(({ name }) => name === cluster)?.zones ?? [];
  return [...new Set(zones.map(({ idc }) => idc).filter((idc) => idc !== ''))];
}
