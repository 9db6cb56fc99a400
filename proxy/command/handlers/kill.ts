import { OdpError } from '../../errors/odp-error.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { okReply } from '../result.ts';
import type { Caller, CommandServices, SessionSummary } from '../services.ts';
import { ownId } from './session-list.ts';

/**
 * KILL [CONNECTION] id, KILL PROXYSESSION id. The own session gets its error and is closed (C19, reference §6).
 * @throws OdpError UNKNOWN_THREAD, NOT_THREAD_OWNER
 */
export async function killConnection(
  written: number,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> {
  const id = await ownId(written, caller, services);
  if (id === caller.sessionId) return { kind: 'close', error: new OdpError('QUERY_INTERRUPTED') };
  if (await isElsewhere(id, caller, services)) return { kind: 'forward', statement: `KILL ${id}` };
  if (!(await services.killSession(id))) throw new OdpError('UNKNOWN_THREAD', { id: written });
  return okReply;
}

/** KILL QUERY id: the OBServer is told to stop what the session is running. @throws as {@link killConnection} */
export async function killQuery(written: number, caller: Caller, services: CommandServices): Promise<CommandReply> {
  const id = await ownId(written, caller, services);
  // A session that is asking for this isn't running anything else.
  if (id === caller.sessionId) throw new OdpError('QUERY_INTERRUPTED');
  if (await isElsewhere(id, caller, services)) return { kind: 'forward', statement: `KILL QUERY ${id}` };
  if (!(await services.killQuery(id))) throw new OdpError('UNKNOWN_THREAD', { id: written });
  return okReply;
}

/** KILL PROXYSESSION id server-session-id. @throws as {@link killConnection} */
export async function killServerSession(
  written: number,
  serverSessionId: number,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> {
  const id = await ownId(written, caller, services);
  checkMayKill(await findSession(id, services), id, caller);
  if (!(await services.killServerSession(id, serverSessionId))) {
    throw new OdpError('UNKNOWN_THREAD', { id: serverSessionId });
  }
  return okReply;
}

/** Whether servers, which know the ids of all proxies, have to do it. @throws as {@link killConnection} */
async function isElsewhere(id: number, caller: Caller, services: CommandServices): Promise<boolean> {
  const target = await findSession(id, services);
  if (target === undefined && caller.sharesIds) return true;
  checkMayKill(target, id, caller);
  return false;
}

const findSession = async (id: number, services: CommandServices): Promise<SessionSummary | undefined> =>
  (await services.sessions()).find((session) => session.id === id);

function checkMayKill(target: SessionSummary | undefined, id: number, caller: Caller): void {
  if (target === undefined) throw new OdpError('UNKNOWN_THREAD', { id });
  const refusal = killRefusal(caller, target);
  if (refusal !== null) throw new OdpError(refusal, { id });
}

function killRefusal(caller: Caller, target: SessionSummary): 'UNKNOWN_THREAD' | 'NOT_THREAD_OWNER' | null {
  if (caller.identity === 'proxysys') return null;
  if (caller.tenant === 'sys') return target.cluster === caller.cluster ? null : 'NOT_THREAD_OWNER';
  if (target.cluster !== caller.cluster || target.tenant !== caller.tenant) return 'UNKNOWN_THREAD';
  return target.user === caller.user || caller.hasSuper ? null : 'NOT_THREAD_OWNER';
}
