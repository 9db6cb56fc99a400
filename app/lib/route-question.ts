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
  /** A key of `transactionWords`. */
  readonly transaction: string;
  /** Of the open transaction. */
  readonly bound: string;
  /** Of the statement before. */
  readonly last: string;
}

export const transactionWords = {
  '': 'none, autocommit on',
  off: 'none yet, autocommit off',
  begun: 'just begun',
  'begun-read-only': 'just begun, read only',
  open: 'open on a server',
} as const;

/** What the fields are called, as people know them. */
export const questionLabels: Readonly<Record<keyof RouteQuestion, string>> = {
  sql: 'Statement',
  session: 'Session',
  cluster: 'Cluster',
  tenant: 'Tenant',
  database: 'Database',
  idc: 'IDC',
  consistency: 'Read consistency',
  policy: 'proxy_route_policy',
  zonePolicy: 'ob_route_policy',
  transaction: 'Transaction',
  bound: 'Server of the transaction',
  last: 'Server before',
};

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
): { label: string; from: string; to: string }[] {
  return (Object.keys(questionLabels) as (keyof RouteQuestion)[])
    .filter((key) => before[key] !== now[key])
    .map((key) => ({ label: questionLabels[key], from: before[key], to: now[key] }));
}

/** The IDC names of a cluster, in the order in which it names them. */
export function idcsOf(overview: Overview | undefined, cluster: string): string[] {
  const zones = overview?.clusters.find(({ name }) => name === cluster)?.zones ?? [];
  return [...new Set(zones.map(({ idc }) => idc).filter((idc) => idc !== ''))];
}
