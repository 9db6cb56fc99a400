/** Answers `SELECT @obproxy_route_addr` and `SET @obproxy_route_addr = …`. */
import { OdpError } from '../errors/odp-error.ts';
import { type RouteAddressStatement, routeAddressOf } from '../sql/route-address.ts';
import { COLUMN_TYPE } from '../wire/constants.ts';
import { buildResultSet } from '../wire/result-set.ts';
import type { ClientSession } from './client-session.ts';

const columns = [{ name: '@obproxy_route_addr', type: COLUMN_TYPE.VAR_STRING }];

/** SELECT tells the server of the statement before; SET holds for the next statement that a server is sent. */
export function answerRouteAddress(session: ClientSession, statement: RouteAddressStatement): void {
  if (statement.verb === 'set') {
    session.servers.routeAddress = routeAddressOf(statement.value);
    return session.sendOk();
  }
  const { last } = session.servers;
  if (last === null) return session.sendError(new OdpError('NO_LAST_SERVER', {}));
  const { status, deprecateEof } = session;
  session.send(buildResultSet({ columns, rows: [[last.address]], status, deprecateEof }));
}
