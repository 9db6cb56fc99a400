import type { FaultRequest } from '../fault-requests.ts';

/** A fault that lasts until somebody ends it. */
export interface ActiveFault {
  /** As it is asked for at the fault door. */
  readonly fault: FaultRequest['fault'];
  /** `ip:port`, a zone, or a region. */
  readonly target: string;
  /** How much of it: `500 ms`, `error 4013`; may be empty. */
  readonly detail: string;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
}

/** What the start of a server ends; what the cluster says of it is apart. */
const ofProcess: readonly ActiveFault['fault'][] = [
  'stop',
  'freeze',
  'partition',
  'refuse',
  'hold',
  'slow',
  'error',
  'takePart',
];

/** What was asked for and is not over: kept in the order in which it began. */
export class ActiveFaults {
  readonly #addressOf: (name: string) => string;
  readonly #active = new Map<string, ActiveFault>();

  /** @param addressOf finds a server, however it is named */
  constructor(addressOf: (name: string) => string) {
    this.#addressOf = addressOf;
  }

  list(): ActiveFault[] {
    return [...this.#active.values()];
  }

  /** Takes in a request that has been carried out. */
  note(request: FaultRequest, nowMs: number): void {
    switch (request.fault) {
      case 'stop':
        this.#endAllOf(request.server);
        return this.#set('stop', this.#addressOf(request.server), true, '', nowMs);
      case 'start':
        return this.#endAllOf(request.server);
      case 'freeze':
        return this.#set('freeze', this.#addressOf(request.server), true, '', nowMs);
      case 'thaw':
        this.#set('partition', this.#addressOf(request.server), false, '', nowMs);
        return this.#set('freeze', this.#addressOf(request.server), false, '', nowMs);
      case 'refuse':
        return this.#set('refuse', this.#addressOf(request.server), true, '', nowMs);
      case 'accept':
        this.#set('stop', this.#addressOf(request.server), false, '', nowMs);
        return this.#set('refuse', this.#addressOf(request.server), false, '', nowMs);
      case 'hold':
        return this.#set('hold', this.#addressOf(request.server), true, '', nowMs);
      case 'letGo':
        return this.#set('hold', this.#addressOf(request.server), false, '', nowMs);
      case 'slow':
        return this.#ofServer(request, request.delayMs > 0, `${request.delayMs} ms`, nowMs);
      case 'error':
        return this.#ofServer(request, request.errno > 0, `error ${request.errno}`, nowMs);
      case 'takePart':
        return this.#ofServer(request, request.refuses, '', nowMs);
      case 'status':
        return this.#ofServer(request, request.status !== 'ACTIVE', request.status, nowMs);
      case 'stopTime':
        return this.#ofServer(request, request.stopped, '', nowMs);
      case 'inService':
        return this.#ofServer(request, !request.inService, '', nowMs);
      case 'zoneStatus':
        return this.#set(request.fault, request.zone, request.status !== 'ACTIVE', request.status, nowMs);
      case 'merge':
        return this.#set(request.fault, request.zone, request.merging, '', nowMs);
      case 'partition':
        return this.#set(
          request.fault,
          request.region ?? this.#addressOf(request.server ?? ''),
          request.cut,
          request.region === undefined ? '' : 'region',
          nowMs,
        );
      case 'clear':
        this.#active.clear();
        return;
      // What happens once, or is a state like any other, is nothing to be ended. A rolling merge tells of itself.
      default:
        return;
    }
  }

  #ofServer(request: FaultRequest & { server: string }, lasts: boolean, detail: string, nowMs: number): void {
    this.#set(request.fault, this.#addressOf(request.server), lasts, detail, nowMs);
  }

  #set(fault: ActiveFault['fault'], target: string, lasts: boolean, detail: string, nowMs: number): void {
    const key = `${fault} ${target}`;
    if (!lasts) this.#active.delete(key);
    else this.#active.set(key, { fault, target, detail, sinceMs: this.#active.get(key)?.sinceMs ?? nowMs });
  }

  #endAllOf(name: string): void {
    const address = this.#addressOf(name);
    for (const [key, { fault, target }] of this.#active) {
      if (target === address && ofProcess.includes(fault)) this.#active.delete(key);
    }
  }
}
