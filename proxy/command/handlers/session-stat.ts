import type { CommandReply } from '../../session/internal-commands.ts';
import { likeMatch } from '../../sql/like-match.ts';
import { columns, rowsReply } from '../result.ts';
import type { Caller, CommandServices, CounterName } from '../services.ts';
import { visibleSession } from './session-list.ts';

const statColumns = columns('stat_name', 'value:LONGLONG');

/**
 * The reference's names of what is counted here, in its order. What it measures besides – the time of each step, speeds,
 * sizes by class – is not counted for each session here, and has no row.
 */
const statistics: readonly (readonly [name: string, counter: CounterName])[] = [
  ['total_transaction_count', 'transactions'],
  ['total_query_count', 'queries'],
  ['client_request_total_size', 'requestBytes'],
  ['server_response_total_size', 'responseBytes'],
  ['client_requests', 'requests'],
  ['client_large_requests', 'largeRequests'],
  ['client_internal_requests', 'internalRequests'],
  ['client_completed_requests', 'completedRequests'],
  ['client_select_requests', 'selects'],
  ['client_insert_requests', 'inserts'],
  ['client_update_requests', 'updates'],
  ['client_delete_requests', 'deletes'],
  ['client_other_requests', 'others'],
  ['server_connect_count', 'connects'],
  ['broken_server_connections', 'lostServers'],
  ['server_requests', 'serverRequests'],
  ['server_responses', 'serverResponses'],
  ['server_error_responses', 'serverErrors'],
  ['send_use_database_requests', 'databaseSyncs'],
  ['send_changed_session_vars_requests', 'variableSyncs'],
  ['send_start_trans_requests', 'begins'],
  ['send_xa_start_requests', 'xaStarts'],
];

/** SHOW PROXYSESSION STAT [id] [LIKE 'p']: what the session has done. @throws OdpError UNKNOWN_THREAD */
export async function showSessionStat(
  id: number | null,
  like: string | null,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> {
  const { counters } = await visibleSession(id, caller, services);
  const rows = statistics
    .filter(([name]) => likeMatch(like, name))
    .map(([name, counter]) => [name, String(counters[counter])]);
  return rowsReply(statColumns, rows);
}
