/**
 * `client_max_memory_size`: what one client session makes the proxy keep for it. Everything else is bounded by itself:
 * requests and replies stream, and a client that sends ahead is not read beyond 256 KiB.
 */
import { OdpError } from '../errors/odp-error.ts';
import { COM } from '../wire/constants.ts';
import type { ClientSession } from './client-session.ts';
import { STATEMENT_BYTES } from './prepared-statements.ts';

/** Commands that give memory back, or need none. */
const ALWAYS_SERVED: ReadonlySet<number> = new Set<number>([
  COM.STMT_CLOSE,
  COM.STMT_RESET,
  COM.STMT_FETCH,
  COM.STMT_SEND_LONG_DATA,
  COM.RESET_CONNECTION,
  COM.CHANGE_USER,
  COM.PROCESS_INFO,
  COM.PROCESS_KILL,
]);

/** Bytes kept: variables that differ from the log-in's, prepared statements with their long data, state of servers. */
export function heldBytes({ variables, prepared, servers, heldSets }: ClientSession): number {
  let bytes = variables.bytes + prepared.bytes + servers.blocks.bytes;
  for (const set of heldSets) bytes += set.length;
  return bytes;
}

/**
 * The answer to a request of a session that keeps more than it may; null: it may go on. Commands that give something
 * back are served, and so is what ends a transaction: see `endsTransaction` of its text.
 */
export function memoryRefusal(session: ClientSession, command: number, endsTransaction: boolean): OdpError | null {
  const limit = session.config.bytes('client_max_memory_size');
  const bytes = heldBytes(session);
  if (bytes <= limit || endsTransaction || ALWAYS_SERVED.has(command)) return null;
  return memoryLimit(`the session's variables and prepared statements take ${bytes} bytes`, limit);
}

/** The answer to a PREPARE whose text would be too much; null: it may go on. @param length of the text */
export function prepareRefusal(session: ClientSession, length: number): OdpError | null {
  const limit = session.config.bytes('client_max_memory_size');
  if (heldBytes(session) + length + STATEMENT_BYTES <= limit) return null;
  return memoryLimit(`with ${session.prepared.size} statements prepared there is no room for this one`, limit);
}

function memoryLimit(what: string, limit: number): OdpError {
  return new OdpError('MEMORY_LIMIT', { detail: `${what}, client_max_memory_size is ${limit}` });
}
