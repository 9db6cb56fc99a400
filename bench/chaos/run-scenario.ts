/** One scenario under load: fault, verdict, end of the fault, recovery. */
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { findParameter } from '../../proxy/config/parameter-table.ts';
import { until } from '../../proxy/testing/proxy.ts';
import type { Load } from './load.ts';
import { type Figures, measure } from './measure.ts';
import type { Scenario } from './scenarios.ts';
import { type ChaosSystem, type Fault, shortParameters } from './system.ts';

export interface Outcome {
  readonly scenario: Scenario;
  readonly figures: Figures;
  readonly lostConnections: number;
  readonly missedTurns: number;
  /** Texts of the expectations that did not hold. */
  readonly broken: readonly string[];
}

/** Load before the fault, so that every session has its server sessions. */
const WARM_UP_MS = 2_000;
/** How long a fault lasts once it is known, or when it is not to be. */
const FAULT_MS = 4_000;
const AFTERWARDS_MS = 1_000;
const LIST_TIMEOUT_MS = 40_000;
const RECOVERY_TIMEOUT_MS = 60_000;

export async function runScenario(
  scenario: Scenario,
  fault: Fault,
  system: ChaosSystem,
  load: Load,
  admin: Connection,
): Promise<Outcome> {
  if (scenario.withDefaults) await useDefaults(admin);
  await pause(WARM_UP_MS);
  load.clear();
  const { address, name: serverName } = system.target;
  const faultAtMs = performance.now();
  await fault.begin();
  const faultyAtMs = performance.now();
  try {
    if (scenario.list !== null) await untilListed(admin, address, scenario.list);
    await pause(FAULT_MS);
  } finally {
    await fault.end();
  }
  const liftedAtMs = performance.now();
  const isBack = () => load.samples.some(({ sentAtMs, server }) => sentAtMs >= liftedAtMs && server === serverName);
  await until(
    'nothing is listed and the server answers',
    async () => {
      const [rows] = await admin.query<RowDataPacket[]>('SHOW PROXYCONGESTION');
      return rows.length === 0 && isBack();
    },
    RECOVERY_TIMEOUT_MS,
  );
  await pause(AFTERWARDS_MS);
  const marks = { faultAtMs, faultyAtMs, liftedAtMs, address, serverName };
  const figures = measure(load.samples, system.changes, marks);
  const { lostConnections, missedTurns } = load;
  if (scenario.withDefaults) await useShort(admin);
  const broken = scenario.expectations.filter(({ holds }) => !holds(figures)).map(({ text }) => text);
  if (lostConnections > 0) broken.push('no client connection is lost');
  return { scenario, figures, lostConnections, missedTurns, broken };
}

async function untilListed(admin: Connection, address: string, list: string): Promise<void> {
  const column = { status: 'dead_congested', detection: 'detect_congested', alive: 'alive_congested' }[list] ?? '';
  await until(
    `${address} is on the ${list} list`,
    async () => {
      const [rows] = await admin.query<RowDataPacket[]>('SHOW PROXYCONGESTION');
      const row = rows.find(({ server_ip }) => server_ip === address);
      // A server in upgrade is shown, but its flags are not set (B4).
      return row !== undefined && (row[column] === 1 || (list === 'status' && row.server_state === 'UPGRADE'));
    },
    LIST_TIMEOUT_MS,
  );
}

async function useDefaults(admin: Connection): Promise<void> {
  for (const name of Object.keys(shortParameters)) {
    await admin.query(`ALTER PROXYCONFIG SET ${name} = '${findParameter(name)?.defaultText}'`);
  }
}

async function useShort(admin: Connection): Promise<void> {
  for (const [name, value] of Object.entries(shortParameters)) {
    await admin.query(`ALTER PROXYCONFIG SET ${name} = '${value}'`);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
