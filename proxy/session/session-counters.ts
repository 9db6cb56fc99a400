/** What one client session has done so far, for SHOW PROXYSESSION STAT. */
import type { StatementInfo } from '../sql/statement-info.ts';
import { COM } from '../wire/constants.ts';
import type { ClientRequest } from './request.ts';
import type { SyncStepKind } from './sync-plan.ts';

/** Numbers that are only added to: a request costs a few additions and no allocation. */
export class SessionCounters {
  /** Transactions that are over; a request that is part of none is one by itself. */
  transactions = 0;
  /** Texts (COM_QUERY) for servers. */
  queries = 0;
  /** Requests for servers. */
  requests = 0;
  /** Those of them that were too long to be read whole. */
  largeRequests = 0;
  /** Statements that the proxy has answered by itself. */
  internalRequests = 0;
  /** Requests that were answered, by a server or with an error of the proxy's. */
  completedRequests = 0;
  selects = 0;
  /** INSERT, REPLACE and MERGE. */
  inserts = 0;
  updates = 0;
  deletes = 0;
  /** All other texts and executions. */
  others = 0;
  /** Bytes of requests, with their packet headers. */
  requestBytes = 0;
  /** Bytes that servers have answered, what stays in the proxy included; without the frames of protocol 2.0. */
  responseBytes = 0;
  /** Connections that were opened to servers. */
  connects = 0;
  /** Server sessions that were lost while a request was with them. */
  lostServers = 0;
  /** Times that a request was sent to a server. */
  serverRequests = 0;
  /** Requests that a server has answered. */
  serverResponses = 0;
  /** Those of them with an error. */
  serverErrors = 0;
  /** Database changes that server sessions were sent to bring them up to date. */
  databaseSyncs = 0;
  /** SET statements of the same purpose. */
  variableSyncs = 0;
  /** Held BEGIN and START TRANSACTION that were sent. */
  begins = 0;
  /** The same of XA START. */
  xaStarts = 0;

  /** A request for a server has come. */
  requested(request: ClientRequest): void {
    this.requests++;
    this.requestBytes += request.bytes.length;
    if (!request.complete) this.largeRequests++;
    if (request.command === COM.QUERY) this.queries++;
    else if (request.command !== COM.STMT_EXECUTE) return;
    this.#countKind(request.info);
  }

  /** A server has answered. @param isOver no transaction is open behind it @param errno 0 for success */
  answered(isOver: boolean, errno: number): void {
    this.serverResponses++;
    if (errno !== 0) this.serverErrors++;
    if (isOver) this.transactions++;
  }

  /** A statement that brings a server session up to date has been sent. */
  synced(kind: SyncStepKind): void {
    if (kind === 'database') this.databaseSyncs++;
    else if (kind === 'variables') this.variableSyncs++;
    else if (kind === 'begin') this.begins++;
    else if (kind === 'xa-start') this.xaStarts++;
  }

  #countKind(info: StatementInfo | null): void {
    switch (info?.kind) {
      case 'select':
        this.selects++;
        break;
      case 'insert':
      case 'replace':
      case 'merge':
        this.inserts++;
        break;
      case 'update':
        this.updates++;
        break;
      case 'delete':
        this.deletes++;
        break;
      default:
        this.others++;
    }
  }
}
