import type { CommandReply } from '../../session/internal-commands.ts';
import { likeMatch } from '../../sql/like-match.ts';
import { localTime } from '../local-time.ts';
import { columns, rowsReply } from '../result.ts';
import type { Caller, CommandServices } from '../services.ts';

const staleColumns = columns('server_addr', 'table_id:LONGLONG', 'partition_id:LONGLONG', 'feedback_time');

/** SHOW PROXYSESSION READ_STALE [LIKE 'p']: replicas that were too old for weak reads lately, by server address. */
export function showReadStale(like: string | null, caller: Caller, services: CommandServices): CommandReply {
  const rows = services
    .staleReplicas(caller.sessionId)
    .filter(({ address }) => likeMatch(like, address))
    .map(({ address, tableId, tabletId, wallAtMs }) => [address, tableId, tabletId, localTime(wallAtMs)]);
  return rowsReply(staleColumns, rows);
}
