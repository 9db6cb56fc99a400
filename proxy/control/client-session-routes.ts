import { OdpError } from '../errors/odp-error.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { HistoryEntry } from '../history/history-log.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { rightsOf } from './callers.ts';
import {
  type RouteName,
  type Session,
  type SessionKill,
  sessionDetailResponseSchema,
  sessionKillResponseSchema,
  sessionKillSchema,
  sessionParamsSchema,
  sessionsQuerySchema,
  sessionsResponseSchema,
} from './contract.ts';
import { actorOf, defineRoute, type RequestContext, type Route, sessionOf } from './route.ts';
import type { SessionService } from './session-service.ts';

interface ClientSessionRouteServices {
  readonly service: SessionService;
  readonly history: HistoryStore;
  readonly now: () => Date;
}

/** The sessions of MySQL clients: a window of the list, one with all there is to know, and ending one. */
export function clientSessionRoutes({ service, history, now }: ClientSessionRouteServices) {
  const detailOf = async (id: number, withLiterals: boolean) => {
    const session = await service.detail(id, withLiterals);
    if (session === null) throw new OdpError('NOT_FOUND', { detail: `session ${id} is not there (any more)` });
    return session;
  };

  /** @throws OdpError STORE_FAILED: nothing is killed without a row that says who wanted it. */
  const audit = async (context: RequestContext, entry: HistoryEntry): Promise<void> => {
    try {
      await history.log.add(actorOf(context), entry);
    } catch (error) {
      throw new OdpError('STORE_FAILED', { detail: databaseErrorText(error) }, { cause: error });
    }
  };

  /** The row is written beforehand. What came of it otherwise than asked for gets a row as well. */
  const kill = async (context: RequestContext, target: Session, { what, reason }: SessionKill) => {
    const { cluster, tenant } = target;
    const scope = [`tenant=${tenant}`, ...(cluster === '' ? [] : [`cluster=${cluster}`])].join(' ');
    const oldValue = `${what} of session ${target.id}: ${target.user} from ${target.client}`;
    const row = (newValue: string): HistoryEntry => ({ action: 'session.kill', scope, oldValue, newValue, reason });
    await audit(context, row('killed'));
    let isKilled = false;
    try {
      isKilled = await service.kill(target.id, what);
    } catch (error) {
      await history.attempts.refused(actorOf(context), [row('')], error);
      throw error;
    }
    if (isKilled) return 'killed' as const;
    await audit(context, row('no effect: it had ended by itself'));
    return 'ended' as const;
  };

  return {
    clientSessions: defineRoute({
      audit: 'none',
      query: sessionsQuerySchema,
      response: sessionsResponseSchema,
      handle: async (context, { query }) => {
        const window = await service.window(query, seesLiterals(context));
        return { at: now().toISOString(), ...window };
      },
    }),

    clientSession: defineRoute({
      audit: 'none',
      query: sessionParamsSchema,
      response: sessionDetailResponseSchema,
      handle: async (context, { query }) => {
        const session = await detailOf(query.id, seesLiterals(context));
        return { at: now().toISOString(), session };
      },
    }),

    clientSessionKill: defineRoute({
      audit: 'handler',
      query: sessionParamsSchema,
      body: sessionKillSchema,
      response: sessionKillResponseSchema,
      handle: async (context, { query, body }) => ({
        outcome: await kill(context, await detailOf(query.id, false), body),
      }),
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}

const seesLiterals = (context: RequestContext): boolean => rightsOf(sessionOf(context)).includes('sessions.statements');
