/** What can be wrong with a demo server, as switches: whether each is on, and what turns it. */
import type { ActiveFault, DemoFault, DemoServer, DemoState } from '../../proxy/control/contract.ts';

export const serverFaults = ['stop', 'freeze', 'slow', 'refuse', 'error', 'partition'] as const;
export type ServerFault = (typeof serverFaults)[number];

/** How late a slow server answers; long beside the usual, and short of any time-out. */
const slowMs = 500;
/** "No memory": counted as a failure of the server (B10). */
const stormErrno = 4013;

/** The fault that lasts on this server, or on its region; undefined: none of this kind. */
export function activeOn(
  kind: ServerFault,
  server: DemoServer,
  faults: readonly ActiveFault[],
): ActiveFault | undefined {
  return faults.find(
    ({ fault, target }) =>
      fault === kind && (target === server.address || (kind === 'partition' && target === server.region)),
  );
}

/** What begins a fault on a server, or ends the one that lasts there. */
export function toggled(kind: ServerFault, server: DemoServer, active: ActiveFault | undefined): DemoFault {
  const { address } = server;
  const on = active === undefined;
  switch (kind) {
    case 'stop':
      return { fault: on ? 'stop' : 'start', server: address };
    case 'freeze':
      return { fault: on ? 'freeze' : 'thaw', server: address };
    case 'refuse':
      return { fault: on ? 'refuse' : 'accept', server: address };
    case 'slow':
      return { fault: 'slow', server: address, delayMs: on ? slowMs : 0 };
    case 'error':
      return { fault: 'error', server: address, errno: on ? stormErrno : 0 };
    case 'partition':
      return active?.target === server.region
        ? { fault: 'partition', region: server.region, cut: false }
        : { fault: 'partition', server: address, cut: on };
  }
}

/** What ends a fault that lasts; null: only a reset does. */
export function endOf({ fault, target }: ActiveFault, { servers }: DemoState): DemoFault | null {
  if (fault === 'merge') return { fault, zone: target, merging: false };
  if (fault === 'rollingMerge') return { fault, perZoneMs: 0 };
  const server = servers.find(({ address, region }) => address === target || region === target);
  const kind = serverFaults.find((one) => one === fault);
  if (server === undefined || kind === undefined) return null;
  return toggled(kind, server, { fault, target, detail: '', since: '' });
}

/** Leaders are elsewhere than they were at first, as far as can be told: some zone that may lead has none. */
export function leadersMoved({ servers, zones }: DemoState): boolean {
  const mayLead = new Set(zones.filter(({ type }) => type === 'ReadWrite').map(({ name }) => name));
  return servers.some(({ zone, leaders }) => mayLead.has(zone) && leaders === 0);
}
