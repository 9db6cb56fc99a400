import type { WaitingSession } from '../../proxy/control/contract.ts';

/** Whether every word of a search is part of the session's id, user or reason, in whatever case. */
export function waitingMatches({ id, user, reason }: WaitingSession, search: string): boolean {
  const text = `${id} ${user} ${reason}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
