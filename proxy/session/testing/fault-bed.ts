/** Servers that can be made to fail in a given way at a given moment: the demo cluster, or others behind gates. */
import { type ProxiedBackend, testDatabase } from '../../testing/backends.ts';
import { until } from '../../testing/proxy.ts';
import type { FaultName } from './fault-table.ts';

export interface FaultBed {
  /** What can happen to the first server. */
  readonly faults: Readonly<Partial<Record<FaultName, () => Promise<void>>>>;
  /** What is sent to the first server from now on is taken and not begun. */
  hold(): void;
  /** Resolves when something has been taken. */
  untilHeld(): Promise<void>;
  /** What was taken is begun. */
  letGo(): void;
  /** The first server is well again, and leads its table. */
  recover(): Promise<void>;
}

export function faultBed(px: ProxiedBackend): FaultBed {
  return px.backend.faults === null ? gatedBed(px) : demoBed(px, px.backend.faults);
}

function gatedBed({ backend }: ProxiedBackend): FaultBed {
  const gate = (): NonNullable<(typeof backend.servers)[number]>['gate'] => {
    const found = backend.servers[0]?.gate;
    if (found === undefined) throw new Error('the backend has no servers');
    return found;
  };
  return {
    faults: { crash: () => gate().refuse(), freeze: async () => gate().freeze() },
    hold: () => gate().hold(),
    untilHeld: () => until('the request has come', () => gate().heldBytes > 0),
    letGo: () => gate().letGo(),
    recover: () => gate().open(),
  };
}

function demoBed(
  { backend, tables }: ProxiedBackend,
  faults: NonNullable<ProxiedBackend['backend']['faults']>,
): FaultBed {
  const [first = '', second = ''] = backend.servers.map(({ name }) => name);
  const table = `trade.${testDatabase}.${tables[0]}`;
  const lead = (server: string): void => faults.switchLeader({ table }, server);
  return {
    faults: {
      'leader switch': async () => lead(second),
      crash: () => faults.stop(first),
      freeze: async () => faults.freeze(first),
      'connection cut': async () => faults.hangUp(first),
      'half-open': async () => faults.stall(first),
      'idle kill': () => killSessions(backend),
      'query time-out': async () => {
        faults.expire(first);
        faults.answerError(first, 4012);
      },
      restart: async () => {
        await faults.stop(first, false);
        await faults.start(first);
      },
      reset: async () => faults.cut(first),
      partition: async () => {
        faults.freeze(first);
        lead(second);
      },
    },
    hold: () => faults.hold(first),
    untilHeld: () =>
      until('the request has come', () => faults.report().some(({ hostName, held }) => hostName === first && held > 0)),
    letGo: () => faults.letGo(first),
    recover: async () => {
      await faults.clear();
      lead(first);
    },
  };
}

/** Ends the tests' sessions at the first server, as an administrator there would. */
async function killSessions(backend: ProxiedBackend['backend']): Promise<void> {
  // The first one may hold back whatever is asked.
  const direct = await backend.direct(1);
  const [rows] = await direct.query('SHOW FULL PROCESSLIST');
  for (const row of rows as { Id: number; User: string }[]) {
    if (row.User === backend.user.split('@')[0]) await direct.query(`KILL ${row.Id}`);
  }
  await direct.end();
}
