import { errorText, OdpError } from '../../errors/odp-error.ts';
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
  return await noted('connection', id, caller, services, async (target) => {
    if (isElsewhere(target, id, caller)) return { kind: 'forward', statement: `KILL ${id}` };
    if (!(await services.killSession(id))) throw new OdpError('UNKNOWN_THREAD', { id: written });
    return okReply;
  });
}

/** KILL QUERY id: the OBServer is told to stop what the session is running. @throws as {@link killConnection} */
export async function killQuery(written: number, caller: Caller, services: CommandServices): Promise<CommandReply> {
  const id = await ownId(written, caller, services);
  // A session that is asking for this isn't running anything else.
  if (id === caller.sessionId) throw new OdpError('QUERY_INTERRUPTED');
  return await noted('query', id, caller, services, async (target) => {
    if (isElsewhere(target, id, caller)) return { kind: 'forward', statement: `KILL QUERY ${id}` };
    if (!(await services.killQuery(id))) throw new OdpError('UNKNOWN_THREAD', { id: written });
    return okReply;
  });
}

/** KILL PROXYSESSION id server-session-id. @throws as {@link killConnection} */
export async function killServerSession(
  written: number,
  serverSessionId: number,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> {
  const id = await ownId(written, caller, services);
  return await noted(`server session ${serverSessionId}`, id, caller, services, async (target) => {
    checkMayKill(target, id, caller);
    if (!(await services.killServerSession(id, serverSessionId))) {
      throw new OdpError('UNKNOWN_THREAD', { id: serverSessionId });
    }
    return okReply;
  });
}

/** Writes a KILL PROXYSESSION of somebody who may run none into the history. */
export async function noteRefusedKill(
  id: number,
  error: OdpError,
  caller: Caller,
  services: CommandServices,
): Promise<void> {
  const what = `connection of session ${id}`;
  await services.noteKill({ caller, what, scope: '', result: null, failure: failureOf(error) });
}

const failureOf = (error: unknown): string =>
  error instanceof OdpError ? `${error.code}: ${error.message}` : errorText(error);

/** Runs a KILL, and leaves a row in the history whatever comes of it. */
async function noted(
  part: string,
  id: number,
  caller: Caller,
  services: CommandServices,
  run: (target: SessionSummary | undefined) => Promise<CommandReply>,
): Promise<CommandReply> {
  const target = (await services.sessions()).find((session) => session.id === id);
  const whose = target === undefined ? '' : `: ${target.user} from ${target.clientHost}:${target.clientPort}`;
  const what = `${part} of session ${id}${whose}`;
  const scope = target === undefined ? '' : `tenant=${target.tenant} cluster=${target.cluster}`;
  try {
    const reply = await run(target);
    const result = reply.kind === 'forward' ? 'sent on to a server' : 'killed';
    await services.noteKill({ caller, what, scope, result, failure: '' });
    return reply;
  } catch (error) {
    await services.noteKill({ caller, what, scope, result: null, failure: failureOf(error) });
    throw error;
  }
}

/** Whether servers, which know the ids of all proxies, have to do it. @throws as {@link killConnection} */
function isElsewhere(target: SessionSummary | undefined, id: number, caller: Caller): boolean {
  if (target === undefined && caller.sharesIds) return true;
  checkMayKill(target, id, caller);
  return false;
}

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
