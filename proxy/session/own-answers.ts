/** Packets that the proxy itself answers a client with. */
import { STATUS } from '../wire/constants.ts';
import { writeOk } from '../wire/ok-packet.ts';
import type { ClientSession } from './client-session.ts';

/** An OK as the session's server would send it. @param status server status flags */
export function okFrame(session: ClientSession, status: number, affectedRows: number): Buffer {
  return writeOk({ status: status | okFlags(session), affectedRows }).frame(1);
}

/** Flags that servers set in OK packets, but not at the end of rows, from which a session's status may be. */
function okFlags(session: ClientSession): number {
  const escapes = session.dialect.noBackslashEscapes ? STATUS.NO_BACKSLASH_ESCAPES : 0;
  // OceanBase sets this one in every OK packet (seen at a genuine kernel).
  return session.isOceanBase ? escapes | STATUS.NO_INDEX_USED : escapes;
}
