import type { SessionDetail, SessionsQuery, SessionsResponse } from './contract.ts';

/** What the control API needs of the client sessions in the workers; the coordinator supplies it. */
export interface SessionService {
  /** @param withLiterals texts as the clients wrote them, else only digests */
  window(query: SessionsQuery, withLiterals: boolean): Promise<Omit<SessionsResponse, 'at'>>;
  /** Null: there is none of that id. */
  detail(id: number, withLiterals: boolean): Promise<SessionDetail | null>;
  /** @returns false when it is gone */
  kill(id: number, what: 'connection' | 'query'): Promise<boolean>;
}
