/** What a TCP connection is set to as soon as it stands. */
import type { ConnectionHandle } from './raw-handles.ts';

export interface SocketOptions {
  readonly noDelay: boolean;
  /** Null: none. All three are at least 1. */
  readonly keepAlive: {
    /** Silence before the first probe. */
    readonly idleSeconds: number;
    /** Between two probes. */
    readonly intervalSeconds: number;
    /** So many without an answer end the connection, with ETIMEDOUT. */
    readonly probes: number;
  } | null;
}

/** A peer that is gone without a word is noticed within 30 s, as in the reference. */
export const USUAL_SOCKET_OPTIONS: SocketOptions = {
  noDelay: true,
  keepAlive: { idleSeconds: 5, intervalSeconds: 5, probes: 5 },
};

/** A new socket has no options yet, so that what is off need not be set. */
export function applySocketOptions(handle: ConnectionHandle, { noDelay, keepAlive }: SocketOptions): void {
  if (noDelay) handle.setNoDelay(true);
  if (keepAlive !== null) {
    handle.setKeepAlive(true, keepAlive.idleSeconds, keepAlive.intervalSeconds, keepAlive.probes);
  }
}
