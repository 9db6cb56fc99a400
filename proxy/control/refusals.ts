import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { OdpError } from '../errors/odp-error.ts';
import type { Attempts } from '../history/attempts.ts';
import type { HistoryAction } from '../history/history-row.ts';
import { actorOfCaller, type Caller } from './callers.ts';
import { type RouteName, routes } from './contract.ts';
import { badRequestError } from './problem.ts';

/** A request as far as it has come. */
export interface Attempt {
  /** Null: there is no such route. */
  name: RouteName | null;
  /** Null: not logged in. */
  caller: Caller | null;
  readonly origin: string;
  readonly requestId: string;
}

/** What a route does in the words of the history; a route that only reads has none. */
export const routeActions: Partial<Record<RouteName, HistoryAction>> = {
  changeParameters: 'parameter.change',
  changeOverride: 'parameter.change',
  configFile: 'configuration.export',
  cancelRevert: 'revert.cancel',
  approveProposal: 'proposal.approve',
  refuseProposal: 'proposal.refuse',
  withdrawProposal: 'proposal.withdraw',
  changePassword: 'password.change',
  historyCsv: 'history.export',
  historyJson: 'history.export',
  blocklistRelease: 'blocklist.release',
  locationRefresh: 'location.refresh',
  clientSessionKill: 'session.kill',
  upgradeStart: 'upgrade.step',
  upgradeCommit: 'upgrade.step',
  upgradeRollback: 'upgrade.step',
  demoFault: 'demo.fault',
  demoLoad: 'demo.load',
  endOwnLogIns: 'login.end',
  createUser: 'user.create',
  changeUserRole: 'user.role',
  disableUser: 'user.disable',
  enableUser: 'user.enable',
  resetUser: 'user.reset',
  unlockUser: 'user.unlock',
  endUserLogIns: 'login.end',
  makeToken: 'token.create',
  revokeToken: 'token.revoke',
};

/** A page that reads again and again what it may not leaves one row in this time (ms). */
const readAgainMs = 60_000;

/** Writes down what people who are logged in asked for and did not get. */
export class Refusals {
  readonly #attempts: Attempts;
  readonly #now: () => Date;
  /** When reading was last refused, by user and route. */
  readonly #reads = new LRUCache<string, number>({ max: 1_000 });

  constructor(attempts: Attempts, now: () => Date) {
    this.#attempts = attempts;
    this.#now = now;
  }

  /**
   * A missing right is always written; other errors of routes that do something, unless their handler has done so.
   * @returns null: there is nothing to wait for
   */
  record({ name, caller, origin, requestId }: Attempt, request: IncomingMessage, error: unknown): Promise<void> | null {
    if (name === null || caller === null || this.#attempts.knows(error)) return null;
    const isForbidden = error instanceof OdpError && error.code === 'FORBIDDEN';
    const action = routeActions[name];
    // A caller that goes away in the middle of an answer has been refused nothing.
    if ((!isForbidden && action === undefined) || request.socket.destroyed) return null;
    const { method } = routes[name];
    if (method === 'GET' && this.#isAgain(`${caller.account.id} ${name}`)) return null;
    const path = request.url?.split('?')[0] ?? '';
    const actor = actorOfCaller(caller, { origin, requestId });
    const newValue = `${method} ${path}`.slice(0, 500);
    const declared = error instanceof z.ZodError ? badRequestError(error) : error;
    return this.#attempts.refused(actor, [{ action: action ?? 'access.refused', newValue }], declared);
  }

  #isAgain(key: string): boolean {
    const nowMs = this.#now().getTime();
    const lastMs = this.#reads.get(key);
    if (lastMs !== undefined && nowMs - lastMs < readAgainMs) return true;
    this.#reads.set(key, nowMs);
    return false;
  }
}
