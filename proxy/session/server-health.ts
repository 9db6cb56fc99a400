/** What requests tell the blocklists of the servers they met (B10–B13, B21). */
import type { FailureEvent, FailureKind } from '../congestion/types.ts';
import { monotonicMs } from '../net/monotonic-clock.ts';
import { digestStatement } from '../sql/digest.ts';
import { COM, HEADER_LENGTH } from '../wire/constants.ts';
import type { ClientSession } from './client-session.ts';
import type { ClientRequest } from './request.ts';
import type { ServerSession } from './server-session.ts';

/** Where a worker's sessions report to; nobody waits for it. */
export interface ServerHealth {
  failed(event: FailureEvent): void;
  /** A request is trying a listed server (B12). */
  retryStarted(address: string): void;
  /** A request has worked on a listed server (B13). */
  worked(address: string, sessionId: number): void;
}

/** How a server session has failed, when it was the server's or the network's doing. */
export interface ServerFailure {
  readonly kind: FailureKind;
  readonly tookMs: number;
  readonly detail: string;
}

/**
 * Errors by which a server says that it is of no use now (B10): OB_SERVER_IS_INIT, OB_SERVER_IS_STOPPING,
 * OB_PACKET_CHECKSUM_ERROR, OB_ALLOCATE_MEMORY_FAILED. Errors of the statement never count (case B84).
 */
const UNAVAILABLE: ReadonlyMap<number, string> = new Map([
  [8001, 'OB_SERVER_IS_INIT'],
  [8002, 'OB_SERVER_IS_STOPPING'],
  [8003, 'OB_PACKET_CHECKSUM_ERROR'],
  [4013, 'OB_ALLOCATE_MEMORY_FAILED'],
]);

/** The server is well, but does not lead what the statement needs: nothing has been done. */
const OB_NOT_MASTER = 4038;

/** By these the server has not begun the statement: OB_TENANT_NOT_IN_SERVER, OB_SERVER_IS_INIT, OB_SERVER_IS_STOPPING. */
const NOT_BEGUN: ReadonlySet<number> = new Set([5150, 8001, 8002]);

/**
 * What an error that speaks of the server says of the statement: 'not-begun' any other server may do it, 'given-up' the
 * same if it can be repeated. Null: the error is the statement's own.
 */
export function refusalBy(errno: number): 'not-begun' | 'given-up' | null {
  if (NOT_BEGUN.has(errno)) return 'not-begun';
  return errno === OB_NOT_MASTER || UNAVAILABLE.has(errno) ? 'given-up' : null;
}

/** One per client session: a request counts at most once against each server. */
export class HealthReporter {
  readonly #session: ClientSession;
  /** Servers that the present request has been counted against. */
  readonly #counted: string[] = [];

  constructor(session: ClientSession) {
    this.#session = session;
  }

  requestBegins(): void {
    this.#counted.length = 0;
  }

  failed(server: ServerSession, failure: ServerFailure, request: ClientRequest | null, errno = 0): void {
    const { cluster, id } = this.#session;
    // Its leaders may be elsewhere soon.
    if (request?.place != null) cluster?.doubt(request.place);
    if (cluster === null || this.#counted.includes(server.address)) return;
    this.#counted.push(server.address);
    // An error that the server has sent is counted as its answer.
    if (errno === 0) cluster.countError(server.address);
    cluster.health.failed({
      address: server.address,
      ...failure,
      atMs: monotonicMs(),
      wallAtMs: Date.now(),
      errno,
      sessionId: id,
      digest: request === null ? '' : digestOf(this.#session, request),
    });
  }

  /** A server has answered: either that it is of no use, or whatever else, which proves that it works. */
  answered(server: ServerSession, request: ClientRequest, errno: number): void {
    const { cluster, id } = this.#session;
    if (cluster === null) return;
    if (errno !== 0) cluster.countError(server.address);
    const name = errno === 0 ? undefined : UNAVAILABLE.get(errno);
    if (name !== undefined) {
      this.failed(server, { kind: 'server-error', tookMs: 0, detail: name }, request, errno);
    } else if (!cluster.blocklist.isEmpty && cluster.blocklist.listsOf(server.address).length > 0) {
      cluster.health.worked(server.address, id);
    }
  }
}

function digestOf(session: ClientSession, request: ClientRequest): string {
  if (request.statement !== null) return digestStatement(request.statement.text, session.dialect);
  if (request.command !== COM.QUERY) return '';
  return digestStatement(request.bytes.subarray(HEADER_LENGTH + 1), session.dialect);
}
