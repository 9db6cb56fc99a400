/** Goals against figures. */
import type { AllFigures } from './figures.ts';
import type { Bound, Goal, OtherGoal, PeerGoal, Quantity, SqlGoal } from './goals.ts';
import type { Row } from './sql/summary.ts';
import type { SqlTable } from './sql/workloads.ts';

type Verdict = 'met' | 'missed' | 'not measured';

/** One figure that a goal is about. */
export interface Measured {
  /** E.g. the number of connections; empty: there is only one. */
  readonly at: string;
  readonly value: number;
}

export interface Judgement {
  readonly what: string;
  readonly quantity: string;
  readonly bound: Bound;
  readonly measured: readonly Measured[];
  /** Met when every figure is within the bound. */
  readonly verdict: Verdict;
}

const tableTitles: Readonly<Record<SqlTable, string>> = {
  bench: '',
  'bench-pinned': 'one core',
  'bench-kernel': 'genuine kernel',
};

const quantities: Readonly<Record<Quantity, (row: Row) => number | null>> = {
  'throughput ÷ direct': (row) => row.toDirect,
  'throughput ÷ HAProxy': (row) => row.toHaproxy,
  'CPU ÷ HAProxy': (row) => row.cpuToHaproxy,
  'memory grown by, MiB': (row) => row.grownMiB,
};

export function isWithin(value: number, bound: Bound): boolean {
  if ('atLeast' in bound) return value >= bound.atLeast;
  return 'above' in bound ? value > bound.above : value <= bound.atMost;
}

export function judge(goals: readonly Goal[], all: AllFigures): Judgement[] {
  return goals.flatMap((goal) => {
    if (goal.kind === 'sql') return judgeSql(goal, all);
    if (goal.kind === 'peer') return judgePeer(goal, all);
    return [judgeOther(goal, all)];
  });
}

function judgement(what: string, quantity: string, bound: Bound, measured: readonly Measured[]): Judgement {
  const verdict =
    measured.length === 0 ? 'not measured' : measured.every(({ value }) => isWithin(value, bound)) ? 'met' : 'missed';
  return { what, quantity, bound, measured, verdict };
}

function judgeSql({ tables, workloads, target, quantity, bound }: SqlGoal, { figures }: AllFigures): Judgement[] {
  const read = quantities[quantity];
  return tables.flatMap((table) =>
    workloads.map((workload) => {
      const rows = figures[table]?.rows.filter((row) => row.workload === workload && row.target === target) ?? [];
      const measured = rows.flatMap((row) => {
        const value = read(row);
        return value === null ? [] : [{ at: String(row.connections), value }];
      });
      const details = [tableTitles[table], protocolOf(target)].filter((text) => text !== '');
      return judgement([workload, ...details].join(', '), quantity, bound, measured);
    }),
  );
}

function protocolOf(target: string): string {
  if (target === 'odp-ob20') return 'protocol 2.0';
  return target === 'odp-plain' ? 'without protocol 2.0' : '';
}

/** This proxy by the peer on every row that has both. */
function judgePeer({ tables, peer, quantity, bound }: PeerGoal, { figures }: AllFigures): Judgement[] {
  return tables.map((table) => {
    const rows = figures[table]?.rows ?? [];
    const measured = rows
      .filter(({ target, workload }) => target === 'odp' && workload !== 'result_of_1_gib')
      .flatMap((own) => {
        const other = rows.find(
          ({ target, workload, connections }) =>
            target.toLowerCase() === peer.toLowerCase() && workload === own.workload && connections === own.connections,
        );
        if (other === undefined) return [];
        const value = quantity === 'p95' ? own.p95Ms / other.p95Ms : own.queriesPerSecond / other.queriesPerSecond;
        return [{ at: `${own.workload}, ${own.connections}`, value }];
      });
    const what = ['every row', tableTitles[table]].filter((text) => text !== '').join(', ');
    return judgement(what, `${quantity} ÷ ${peer}`, bound, measured);
  });
}

function judgeOther(goal: OtherGoal, { figures, micro }: AllFigures): Judgement {
  const { bound } = goal;
  const routes = micro.results.flatMap(({ name, ns }) => {
    const [, places] = /^route: .*, ([\d,]+) places$/.exec(name) ?? [];
    return places === undefined ? [] : [{ at: places, value: ns / 1000 }];
  });
  switch (goal.kind) {
    case 'workers': {
      // Where what stands beside the workers takes more of the machine than that, the figure is not about them.
      const rows = figures.workers?.rows.filter(({ possible }) => isWithin(possible, bound));
      const measured = rows?.map(({ load, ratio }) => ({ at: load, value: ratio }));
      return judgement('two workers', 'throughput ÷ one worker', bound, measured ?? []);
    }
    case 'console': {
      const own = figures.console?.rows.map(({ cores, ratio }) => ({ at: cores, value: ratio }));
      return judgement('pages of the console open', 'throughput ÷ without them', bound, own ?? []);
    }
    case 'idle': {
      const rows = figures.idle?.rows.filter(({ state }) => goal.states.includes(state)) ?? [];
      const measured = rows.map(({ state, rssBytes }) => ({
        at: state.includes('requests') ? 'after requests' : 'fresh',
        value: rssBytes / 1024,
      }));
      const [state] = goal.states;
      return judgement(
        `idle client ${state === 'without one' ? 'without a server session' : state}`,
        'KiB',
        bound,
        measured,
      );
    }
    case 'route-us':
      return judgement('route of a point select, by known places', 'µs', bound, routes);
    case 'route-growth': {
      const [first, last] = [routes[0], routes.at(-1)];
      const measured = first === undefined || last === undefined ? [] : [{ at: '', value: last.value / first.value }];
      return judgement('route of a point select', `with ${last?.at} places ÷ with ${first?.at}`, bound, measured);
    }
  }
}
