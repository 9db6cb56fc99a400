import type { StatementInfo } from '../sql/statement-info.ts';
import { readTableChange } from '../sql/table-change.ts';
import { COM, HEADER_LENGTH } from '../wire/constants.ts';
import type { ClientSession } from './client-session.ts';
import type { ClientRequest } from './request.ts';
import type { ServerSession } from './server-session.ts';

const PIN = 'temporary table';

/**
 * A session with a temporary table stays at its server until the table is dropped (case B45). Names are compared as
 * they are written: where a server takes others for the same the session only stays longer than it has to. Of what
 * cannot be told for certain – several statements in a text, a table that has been renamed – it never lets go.
 */
export function noteTemporaryTables(
  session: ClientSession,
  request: ClientRequest,
  info: StatementInfo,
  server: ServerSession,
): void {
  const { servers } = session;
  const text = request.command === COM.QUERY ? request.bytes.subarray(HEADER_LENGTH + 1) : request.statement?.text;
  const isReadable = text !== undefined && request.complete && !info.isMulti && !info.truncated;
  const change = isReadable ? readTableChange(text, session.dialect) : null;
  const pins = (change?.tables ?? []).map(({ database, name }) => `${PIN} ${database ?? session.database}.${name}`);
  if (info.createsTemporaryTable) {
    for (const pin of pins.length > 0 ? pins : [PIN]) servers.pin(server, pin);
  } else if (change?.action === 'drop') {
    for (const pin of pins) servers.unpinOne(pin);
  } else servers.pinForGood(PIN);
}
