/** From single runs to medians, ratios and the table in docs/benchmarks.md. */

export interface Sample {
  /** `direct`, `haproxy`, `odp`, or a peer's name. */
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
}

export interface Row {
  readonly workload: string;
  readonly connections: number;
  readonly target: string;
  readonly queriesPerSecond: number;
  readonly p95Ms: number;
  readonly cpuMsPerThousand: number | null;
  readonly rssMiB: number | null;
  /** Throughput divided by that of a direct connection, and of HAProxy; null when that was not measured. */
  readonly toDirect: number | null;
  readonly toHaproxy: number | null;
}

const titles: Readonly<Record<string, string>> = { haproxy: 'HAProxy, TCP mode', odp: 'ODP' };

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** One row per workload, number of connections and target: medians over the rounds. */
export function summarise(samples: readonly Sample[]): Row[] {
  const groups = Map.groupBy(samples, ({ workload, connections, target }) => `${workload} ${connections} ${target}`);
  const throughput = (workload: string, connections: number, target: string): number | null => {
    const group = groups.get(`${workload} ${connections} ${target}`);
    return group === undefined ? null : median(group.map((sample) => sample.queriesPerSecond));
  };
  const own = ['direct', 'haproxy', 'odp'];
  const peers = new Set(samples.map(({ target }) => target).filter((target) => !own.includes(target)));
  const order = ['direct', 'haproxy', ...peers, 'odp'];
  const rows = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { workload, connections, target } = first;
    const queriesPerSecond = median(group.map((sample) => sample.queriesPerSecond));
    const ratio = (base: number | null) => (base === null ? null : queriesPerSecond / base);
    const rss = medianOrNull(group.map((sample) => sample.rssBytes));
    return [
      {
        workload,
        connections,
        target,
        queriesPerSecond,
        p95Ms: median(group.map((sample) => sample.p95Ms)),
        cpuMsPerThousand: medianOrNull(group.map((sample) => sample.cpuMsPerThousand)),
        rssMiB: rss === null ? null : rss / 2 ** 20,
        toDirect: ratio(throughput(workload, connections, 'direct')),
        toHaproxy: ratio(throughput(workload, connections, 'haproxy')),
      },
    ];
  });
  // Rounds begin with different targets; the table always reads the same. Sorting keeps what is equal in place.
  const loads = [...new Set(rows.map(({ workload, connections }) => `${workload} ${connections}`))];
  const place = (row: Row) =>
    loads.indexOf(`${row.workload} ${row.connections}`) * order.length + order.indexOf(row.target);
  return rows.sort((left, right) => place(left) - place(right));
}

export function markdownTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.workload,
    String(row.connections),
    titles[row.target] ?? row.target,
    row.queriesPerSecond.toFixed(0),
    row.p95Ms.toFixed(2),
    number(row.cpuMsPerThousand, 1),
    number(row.rssMiB, 0),
    number(row.toDirect, 2),
    row.target === 'direct' ? '' : number(row.toHaproxy, 2),
  ]);
  const head = [
    'workload',
    'connections',
    'through',
    'per second',
    'p95 ms',
    'CPU ms per 1,000',
    'RSS MiB',
    '÷ direct',
    '÷ HAProxy',
  ];
  const line = (values: readonly string[]) => `| ${values.join(' | ')} |`;
  return [line(head), `|---|--:|---|${'--:|'.repeat(head.length - 3)}`, ...cells.map(line)].join('\n');
}

/**
 * `page` with what stands between its two marks replaced. @param name of the marks: `<!-- name: start -->`
 * @throws Error when it lacks the marks
 */
export function replaceSection(page: string, section: string, name = 'bench'): string {
  const startMark = `<!-- ${name}: start -->`;
  const endMark = `<!-- ${name}: end -->`;
  const start = page.indexOf(startMark);
  const end = page.indexOf(endMark);
  if (start === -1 || end < start) throw new Error(`the page needs a line ${startMark} and, below it, ${endMark}`);
  return `${page.slice(0, start + startMark.length)}\n\n${section}\n\n${page.slice(end)}`;
}

function medianOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
}

function number(value: number | null, digits: number): string {
  return value === null ? '' : value.toFixed(digits);
}
