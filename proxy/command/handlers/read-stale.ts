import type { CommandReply } from '../../session/internal-commands.ts';
import { likeMatch } from '../../sql/like-match.ts';
import { localTime } from '../local-time.ts';
import { columns, rowsReply } from '../result.ts';
import type { Caller, CommandServices } from '../services.ts';
import { visibleSession } from './session-list.ts';

const staleColumns = columns('server_addr', 'table_id:LONGLONG', 'partition_id:LONGLONG', 'feedback_time');

/**
 * SHOW PROXYSESSION READ_STALE [id] [LIKE 'p']: replicas that were too old for weak reads lately, by server address.
 * @throws OdpError UNKNOWN_THREAD
 */
export async function showReadStale(
  id: number | null,
  like: string | null,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> {
  const session = await visibleSession(id, caller, services);
  const rows = (await services.staleReplicas(session.id))
    .filter(({ address }) => likeMatch(like, address))
    .map(({ address, tableId, tabletId, wallAtMs }) => [address, tableId, tabletId, localTime(wallAtMs)]);
  return rowsReply(staleColumns, rows);
}
