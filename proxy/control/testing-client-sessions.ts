/** Client sessions of two workers for tests of the control API, as many as are put in. */
import type { Session, SessionDetail, SessionsQuery, SessionsResponse } from './contract.ts';
import { clientOf, type ListedSession, mergeKeys, pickSessions, stateOf } from './session-page.ts';
import type { SessionService } from './session-service.ts';

const STATEMENT = "SELECT * FROM x WHERE name = 'secret'";

export type TestSession = { -readonly [Key in keyof ListedSession]: ListedSession[Key] };

/** A session that is idle and holds one server session, unless said otherwise. */
export function testSession(id: number, part: Partial<TestSession> = {}): TestSession {
  return {
    id,
    user: 'root',
    tenant: 't',
    clusterName: 'obtest',
    host: '10.1.0.1',
    port: 40_000 + (id % 20_000),
    database: 'd',
    active: false,
    inTransaction: false,
    transactionBeganAtMs: 0,
    connectedAtMs: Date.parse('2026-03-01T09:00:00.000Z') + id,
    servers: { size: 1, find: (address) => (address === '10.0.0.1:2881' ? {} : undefined) },
    recent: { running: null },
    ...part,
  };
}

export class TestClientSessions implements SessionService {
  readonly sessions: TestSession[] = [];
  readonly killed: [id: number, what: string][] = [];
  /** What kills come to. */
  killAnswer: boolean | Error = true;

  async window({ sort, order, offset, limit, ...filter }: SessionsQuery, withLiterals: boolean) {
    const count = offset + limit;
    const lists = [0, 1].map((worker) =>
      pickSessions(
        this.sessions.filter(({ id }) => id % 2 === worker),
        { filter, sort, order, count },
        60_000,
      ),
    );
    const { ids, matches, states } = mergeKeys(lists, order, count);
    const byId = new Map(this.sessions.map((session) => [session.id, session]));
    const rows = ids.slice(offset).flatMap((id) => rowOf(byId.get(id), withLiterals) ?? []);
    return { sessions: rows, matches, states: { ...states } } satisfies Omit<SessionsResponse, 'at'>;
  }

  async detail(id: number, withLiterals: boolean): Promise<SessionDetail | null> {
    const row = rowOf(
      this.sessions.find((one) => one.id === id),
      withLiterals,
    );
    if (row === null) return null;
    const versions = { hotSystemVariables: 1, systemVariables: 1, userVariables: 1, lastInsertId: 0, database: 0 };
    const server = { address: '10.0.0.1:2881', id: 1, connectionId: 77, isBusy: false, requests: 3, versions };
    return {
      ...row,
      idcName: '',
      transactions: 2,
      versions,
      servers: [{ ...server, isBound: false, isLast: true, holds: null }],
      variables: [{ name: '@v', value: withLiterals ? "'secret'" : null, kind: 'user', group: 'cold' }],
      statements: row.statement === null ? [] : [row.statement],
    };
  }

  async kill(id: number, what: 'connection' | 'query'): Promise<boolean> {
    if (this.killAnswer instanceof Error) throw this.killAnswer;
    this.killed.push([id, what]);
    return this.killAnswer;
  }
}

function rowOf(session: TestSession | undefined, withLiterals: boolean): Session | null {
  if (session === undefined) return null;
  return {
    id: session.id,
    cluster: session.clusterName,
    tenant: session.tenant,
    user: session.user,
    client: clientOf(session),
    database: session.database,
    state: stateOf(session),
    transactionMs: null,
    serverSessions: session.servers.size,
    statement: {
      command: 'query',
      kind: 'select',
      digest: 'SELECT * FROM x WHERE name = ?',
      text: withLiterals ? STATEMENT : null,
      table: 'd.x',
      server: '10.0.0.1:2881',
      beganAt: '2026-03-01T10:00:00.000Z',
      durationMs: 4,
      isRunning: session.active,
      errno: 0,
    },
    connectedAt: new Date(session.connectedAtMs).toISOString(),
    usesTls: false,
  };
}
