/** From single runs to medians and ratios. */
import type { Conditions } from '../conditions.ts';
import { median } from '../median.ts';

export interface Sample {
  /** `direct`, `haproxy`, `odp`, … or a peer's name. */
  readonly target: string;
  readonly workload: string;
  readonly connections: number;
  readonly round: number;
  /** Of what the workload counts: queries, connections or mebibytes. */
  readonly queriesPerSecond: number;
  readonly p95Ms: number;
  /** Processor time of the process in between per 1,000 of them; null for a direct connection. */
  readonly cpuMsPerThousand: number | null;
  readonly rssBytes: number | null;
  /** The most resident memory during the run, less that before it. */
  readonly grownBytes: number | null;
}

export interface Row {
  readonly workload: string;
  readonly connections: number;
  readonly target: string;
  readonly queriesPerSecond: number;
  readonly p95Ms: number;
  readonly cpuMsPerThousand: number | null;
  readonly rssMiB: number | null;
  readonly grownMiB: number | null;
  /** Throughput divided by that of a direct connection, and of HAProxy, in the same round; null: not measured. */
  readonly toDirect: number | null;
  readonly toHaproxy: number | null;
  /** Processor time divided by HAProxy's in the same round. */
  readonly cpuToHaproxy: number | null;
}

export interface Unable {
  readonly target: string;
  readonly workload: string;
}

/** What one run of the benchmark on a database has found. */
export interface SqlFigures {
  readonly conditions: Conditions;
  /** Length of each run. */
  readonly seconds: number;
  readonly tables: number;
  readonly rowsPerTable: number;
  readonly rows: readonly Row[];
  readonly samples: readonly Sample[];
  readonly unable: readonly Unable[];
}

/** Those that the bench knows, as the tables list them; others come after HAProxy. */
const first = ['direct', 'haproxy'];
const last = ['odp', 'odp-ob20', 'odp-plain'];

/** One row per workload, number of connections and target: medians over the rounds. */
export function summarise(samples: readonly Sample[]): Row[] {
  const rows = [...Map.groupBy(samples, loadOf).values()].flatMap((load) =>
    [...Map.groupBy(load, ({ target }) => target).values()].map((own) => rowOf(own, load)),
  );
  const peers = new Set(samples.map(({ target }) => target).filter((name) => ![...first, ...last].includes(name)));
  // Rounds begin with different targets; the table always reads the same. Sorting keeps what is equal in place.
  const order = [...first, ...peers, ...last];
  const loads = [...new Set(rows.map(loadOf))];
  const place = (row: Row) => loads.indexOf(loadOf(row)) * order.length + order.indexOf(row.target);
  return rows.sort((left, right) => place(left) - place(right));
}

const loadOf = ({ workload, connections }: Pick<Sample, 'workload' | 'connections'>) => `${workload} ${connections}`;

/** `own`: the rounds of one target; `load`: those of all under the same load. */
function rowOf(own: readonly Sample[], load: readonly Sample[]): Row {
  const { workload = '', connections = 0, target = '' } = own[0] ?? {};
  const ratio = (base: string, what: (sample: Sample) => number | null) =>
    medianOrNull(
      own.map((sample) => {
        const beside = load.find((other) => other.target === base && other.round === sample.round);
        const [value, baseValue] = [what(sample), beside === undefined ? null : what(beside)];
        return value === null || baseValue === null || baseValue === 0 ? null : value / baseValue;
      }),
    );
  const mebibytes = (bytes: number | null) => (bytes === null ? null : bytes / 2 ** 20);
  return {
    workload,
    connections,
    target,
    queriesPerSecond: median(own.map((sample) => sample.queriesPerSecond)),
    p95Ms: median(own.map((sample) => sample.p95Ms)),
    cpuMsPerThousand: medianOrNull(own.map((sample) => sample.cpuMsPerThousand)),
    rssMiB: mebibytes(medianOrNull(own.map((sample) => sample.rssBytes))),
    grownMiB: mebibytes(medianOrNull(own.map((sample) => sample.grownBytes))),
    toDirect: ratio('direct', (sample) => sample.queriesPerSecond),
    toHaproxy: ratio('haproxy', (sample) => sample.queriesPerSecond),
    cpuToHaproxy: ratio('haproxy', (sample) => sample.cpuMsPerThousand),
  };
}

function medianOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
}
