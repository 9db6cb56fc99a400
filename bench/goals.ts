/** What the figures are held to. Ratios are of medians of the same rounds; times and sizes stand for themselves. */
import type { IdleState } from './idle/figures.ts';
import type { SqlTable, WorkloadName } from './sql/workloads.ts';

export type Bound = { readonly atLeast: number } | { readonly atMost: number } | { readonly above: number };

/** What of a row is compared: throughput by that of another target, processor time by HAProxy's, … */
export type Quantity = 'throughput ÷ direct' | 'throughput ÷ HAProxy' | 'CPU ÷ HAProxy' | 'memory grown by, MiB';

export interface SqlGoal {
  readonly kind: 'sql';
  readonly tables: readonly SqlTable[];
  readonly workloads: readonly WorkloadName[];
  /** Of the table's rows. */
  readonly target: string;
  readonly quantity: Quantity;
  readonly bound: Bound;
}

/** Against another proxy that understands SQL, on every row of the tables. */
export interface PeerGoal {
  readonly kind: 'peer';
  readonly tables: readonly SqlTable[];
  readonly peer: string;
  readonly quantity: 'throughput' | 'p95';
  readonly bound: Bound;
}

/** Of a benchmark with a table of its own. */
export type OtherGoal = { readonly bound: Bound } & (
  | { readonly kind: 'workers' }
  | { readonly kind: 'console' }
  | { readonly kind: 'idle'; readonly states: readonly IdleState[] }
  | { readonly kind: 'route-us' }
  | { readonly kind: 'route-growth' }
);

export type Goal = SqlGoal | PeerGoal | OtherGoal;

const points: readonly WorkloadName[] = ['select_1', 'point_select_text', 'point_select_prepared'];
const onMariaDb: readonly SqlTable[] = ['bench', 'bench-pinned'];

const odp = (
  tables: readonly SqlTable[],
  workloads: readonly WorkloadName[],
  quantity: Quantity,
  bound: Bound,
): SqlGoal => ({ kind: 'sql', tables, workloads, target: 'odp', quantity, bound });

/** Before the kernel, with protocol 2.0 and without. */
const beforeKernel = (workloads: readonly WorkloadName[], quantity: Quantity, bound: Bound): SqlGoal[] =>
  ['odp-ob20', 'odp-plain'].map((target) => ({
    kind: 'sql',
    tables: ['bench-kernel'],
    workloads,
    target,
    quantity,
    bound,
  }));

export const goals: readonly Goal[] = [
  odp(onMariaDb, points, 'throughput ÷ HAProxy', { atLeast: 0.95 }),
  odp(onMariaDb, points, 'CPU ÷ HAProxy', { atMost: 1.3 }),
  odp(['bench'], ['read_write'], 'throughput ÷ HAProxy', { atLeast: 0.9 }),
  odp(['bench'], ['read_write'], 'CPU ÷ HAProxy', { atMost: 1.4 }),
  odp(['bench'], ['ranges_of_100'], 'throughput ÷ HAProxy', { atLeast: 0.9 }),
  odp(['bench'], ['ranges_of_100'], 'CPU ÷ HAProxy', { atMost: 1.5 }),
  odp(['bench'], ['connect'], 'throughput ÷ direct', { atLeast: 0.85 }),
  odp(['bench'], ['result_of_1_gib'], 'throughput ÷ direct', { atLeast: 0.8 }),
  // "Constant": far below what passes through.
  odp(['bench'], ['result_of_1_gib'], 'memory grown by, MiB', { atMost: 32 }),
  ...['ProxySQL', 'TiProxy', 'kingshard', 'Gaea'].map(
    (peer): PeerGoal => ({ kind: 'peer', tables: onMariaDb, peer, quantity: 'throughput', bound: { above: 1 } }),
  ),
  { kind: 'peer', tables: onMariaDb, peer: 'ProxySQL', quantity: 'p95', bound: { atMost: 1 } },
  ...beforeKernel(['select_1'], 'throughput ÷ direct', { atLeast: 0.62 }),
  ...beforeKernel(['read_write'], 'throughput ÷ direct', { atLeast: 0.8 }),
  ...beforeKernel(['select_1', 'read_write'], 'CPU ÷ HAProxy', { atMost: 1.6 }),
  { kind: 'workers', bound: { atLeast: 1.8 } },
  { kind: 'console', bound: { atLeast: 0.97 } },
  { kind: 'idle', states: ['without one', 'without one, after 10 requests'], bound: { atMost: 6 } },
  {
    kind: 'idle',
    states: ['with a server session', 'with a server session, after 10 requests'],
    bound: { atMost: 20 },
  },
  { kind: 'route-us', bound: { atMost: 5 } },
  // "Flat" as far as the processor's own caches let it be.
  { kind: 'route-growth', bound: { atMost: 1.5 } },
];
