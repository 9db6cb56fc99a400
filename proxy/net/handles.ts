/**
 * How this process has its connections, decided once at its start (docs/decisions/0001-raw-tcp-handles.md): by Node's
 * internal handles, or by its public sockets where those are not what they were, or where `ODP_SOCKETS=public` wants it.
 */
import { loadRawHandles } from './raw-handles.ts';
import { socketHandles } from './socket-handles.ts';

/** Null, or why it is not the internal handles. */
const raw = process.env.ODP_SOCKETS === 'public' ? 'ODP_SOCKETS=public' : loadRawHandles();
const kind = typeof raw === 'string' ? socketHandles : raw;

/** Handles that can listen, or null when there are none. */
export const rawHandles = typeof raw === 'string' ? null : raw;
/** For people: `raw handles`, or `public sockets` with the reason in brackets. */
export const socketsInUse: string = typeof raw === 'string' ? `${kind.name} (${raw})` : kind.name;
export const { newSocketHandle, newConnectRequest, newWriteRequest, lastReadResult, lastWriteWasAsync } = kind;
export const { socketOf, adopted, sendable } = kind;
