import type { ConfigView } from '../config/config-view.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import type { SessionVariables } from './session-variables.ts';

/** `ob_query_timeout` of a session that has not told another, microseconds (OceanBase's default). */
const DEFAULT_QUERY_TIMEOUT_US = 10_000_000;

/**
 * How long a reply is waited for, milliseconds: the server's own limit (hint before session variable) and
 * `observer_query_timeout_delta`, so that the server's error comes first (case B90).
 */
export function replyTimeoutMs(config: ConfigView, variables: SessionVariables, info: StatementInfo | null): number {
  const fromSession = Number(variables.value('ob_query_timeout') ?? DEFAULT_QUERY_TIMEOUT_US);
  const limitUs = info?.hints.queryTimeoutUs ?? fromSession;
  return (limitUs > 0 ? limitUs : DEFAULT_QUERY_TIMEOUT_US) / 1000 + config.timeMs('observer_query_timeout_delta');
}
