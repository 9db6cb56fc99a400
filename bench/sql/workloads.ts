/** What is measured. Rates are of queries, of connections, or of mebibytes: each row compares with its own kind only. */
import { fileURLToPath } from 'node:url';

interface SysbenchWorkload {
  readonly kind: 'sysbench';
  /** One of sysbench's own, or a file. */
  readonly script: string;
  readonly options: readonly string[];
  /** What is counted. */
  readonly counts: 'queries' | 'transactions';
}

interface ResultWorkload {
  readonly kind: 'result';
  /** Mebibytes of one result; `short` in a short run. */
  readonly mebibytes: { readonly usual: number; readonly short: number };
}

export type Workload = SysbenchWorkload | ResultWorkload;

const script = (name: string): string => fileURLToPath(new URL(`sysbench-scripts/${name}.lua`, import.meta.url));
const queries = (name: string, ...options: string[]): SysbenchWorkload => ({
  kind: 'sysbench',
  script: name,
  options,
  counts: 'queries',
});

export const workloads = {
  select_1: queries(script('select_1')),
  point_select_text: queries('oltp_point_select', '--db-ps-mode=disable'),
  point_select_prepared: queries('oltp_point_select'),
  read_write: queries('oltp_read_write'),
  ranges_of_100: queries(
    'oltp_read_only',
    '--skip-trx=on',
    '--range-size=100',
    '--point-selects=0',
    '--simple-ranges=1',
    '--sum-ranges=0',
    '--order-ranges=0',
    '--distinct-ranges=0',
  ),
  connect: { kind: 'sysbench', script: script('connect'), options: [], counts: 'transactions' },
  result_of_1_gib: { kind: 'result', mebibytes: { usual: 1024, short: 16 } },
} as const satisfies Readonly<Record<string, Workload>>;

export type WorkloadName = keyof typeof workloads;
export const workloadNames = Object.keys(workloads) as WorkloadName[];

/** A table of figures of its own: what is behind, and whether everything shares one core. */
export type SqlTable = 'bench' | 'bench-pinned' | 'bench-kernel';

/** What each table is about, unless the options say otherwise. */
export const usualWorkloads: Readonly<Record<SqlTable, readonly WorkloadName[]>> = {
  bench: workloadNames,
  'bench-pinned': ['select_1', 'point_select_text', 'point_select_prepared'],
  'bench-kernel': ['select_1', 'read_write'],
};
