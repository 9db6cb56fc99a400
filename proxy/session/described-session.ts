/** A session that nobody has opened, only described: what would be done with its statements (EXPLAIN). */
import type { ConfigView } from '../config/config-view.ts';
import { tenantScope } from '../config/leveled-config.ts';
import type { SqlDialect } from '../sql/classify.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import { STATUS } from '../wire/constants.ts';
import { WHOLE_REQUEST_BYTES } from './request-intake.ts';
import type { HeldServer, RoutedSession } from './routed-session.ts';
import type { SessionCluster, SessionContext } from './session-context.ts';
import { dialectOf } from './session-dialect.ts';
import { sqlLiteral } from './session-variables.ts';

/** Plain data. A setting that is null is as in a session that has not touched it. */
export interface SessionDescription {
  readonly tenant: string;
  /** Current database; empty: none. */
  readonly database: string;
  /** `@proxy_idc_name`. */
  readonly idcName: string | null;
  /** `@proxy_route_policy`. */
  readonly proxyRoutePolicy: string | null;
  /** `ob_route_policy`, by name or number. */
  readonly obRoutePolicy: string | null;
  /** `ob_read_consistency`. */
  readonly readConsistency: 'strong' | 'weak' | null;
  readonly sqlMode: string | null;
  readonly autocommit: boolean;
  /** BEGIN or START TRANSACTION was the statement before, and nothing has been sent since. */
  readonly begun: 'no' | 'read-write' | 'read-only';
  /** Server of the open transaction, `ip:port`; null: there is none. */
  readonly boundServer: string | null;
  /** Server of the statement before, `ip:port`; null: there is none. */
  readonly lastServer: string | null;
  /** Texts by parameter that count for everybody instead of those in force. */
  readonly parameters: Readonly<Record<string, string>>;
}

type DescribedContext = Pick<SessionContext, 'config' | 'levels' | 'random' | 'statements'>;

export class DescribedSession implements RoutedSession {
  readonly context: DescribedContext;
  readonly config: ConfigView;
  readonly cluster: SessionCluster;
  readonly tenant: string;
  readonly database: string;
  readonly status: number;
  readonly heldBegin: Buffer | null;
  readonly dialect: SqlDialect;
  readonly servers: RoutedSession['servers'];
  readonly variables: RoutedSession['variables'];

  /** @throws OdpError UNKNOWN_PARAMETER, INVALID_PARAMETER */
  constructor(context: DescribedContext, cluster: SessionCluster, description: SessionDescription) {
    const { autocommit, begun, boundServer, lastServer, parameters } = description;
    this.config = context.levels.viewWith(tenantScope(cluster.name, description.tenant), parameters);
    this.context = { ...context, config: this.config };
    this.cluster = cluster;
    this.tenant = description.tenant;
    this.database = description.database;
    this.status = autocommit ? STATUS.AUTOCOMMIT : 0;
    const begin = begun === 'read-only' ? 'START TRANSACTION READ ONLY' : 'BEGIN';
    this.heldBegin = begun === 'no' ? null : Buffer.from(begin);
    this.servers = { tied: heldServer(boundServer), last: heldServer(lastServer), routeAddress: null };
    this.variables = variablesOf(description);
    this.dialect = dialectOf(this.variables);
  }

  classify(text: Buffer, incomplete: boolean): StatementInfo {
    return this.context.statements.classify(text, this.dialect, { maxBytes: WHOLE_REQUEST_BYTES, incomplete });
  }
}

const heldServer = (address: string | null): HeldServer | null => (address === null ? null : { address, ready: true });

function variablesOf(description: SessionDescription): RoutedSession['variables'] {
  const { idcName, proxyRoutePolicy, obRoutePolicy, readConsistency, sqlMode } = description;
  const system = new Map(
    Object.entries({
      ob_route_policy: obRoutePolicy,
      ob_read_consistency: readConsistency?.toUpperCase() ?? null,
      sql_mode: sqlMode,
    }),
  );
  const user = Object.entries({ proxy_idc_name: idcName, proxy_route_policy: proxyRoutePolicy }).flatMap(
    ([name, text]): [string, string][] => (text === null ? [] : [[name, asUserVariable(text)]]),
  );
  return {
    value: (name) => system.get(name) ?? undefined,
    userVariable: (name) => user.find(([known]) => known === name)?.[1],
    userVariables: () => user,
  };
}

/** As servers report it: bytes in disguise, an SQL literal. */
const asUserVariable = (text: string): string => sqlLiteral(Buffer.from(text).toString('latin1'));
