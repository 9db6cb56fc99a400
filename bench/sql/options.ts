import { parseArgs } from 'node:util';
import { positive } from '../positive.ts';
import { type SqlTable, usualWorkloads, type WorkloadName, workloadNames } from './workloads.ts';

/** A proxy that somebody has started before the bench's database. */
interface Peer {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  readonly user: string;
}

export interface BenchOptions {
  readonly backend: BackendName;
  readonly table: SqlTable;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: readonly number[];
  readonly workloads: readonly WorkloadName[];
  readonly targets: readonly OwnTarget[];
  readonly peers: readonly Peer[];
  /** Port of the database; null: any. */
  readonly backendPort: number | null;
  readonly pin: boolean;
  readonly short: boolean;
  readonly profile: boolean;
  readonly write: boolean;
}

const backendNames = ['mariadb', 'kernel'] as const;
type BackendName = (typeof backendNames)[number];

const ownTargets = ['direct', 'haproxy', 'kingshard', 'odp', 'odp-ob20', 'odp-plain'] as const;
/** Those that the bench starts itself. */
export type OwnTarget = (typeof ownTargets)[number];

const usualTargets: Readonly<Record<BackendName, readonly OwnTarget[]>> = {
  mariadb: ['direct', 'haproxy', 'kingshard', 'odp'],
  // With and without OceanBase's protocol 2.0 to the server.
  kernel: ['direct', 'haproxy', 'odp-ob20', 'odp-plain'],
};

export const usage = `Usage: npm run bench [-- options]

Runs loads on a database of its own: direct, through HAProxy in TCP mode, through this proxy, in turn.

  --backend NAME         mariadb, or kernel: a genuine OceanBase kernel; kept in a table of its own (mariadb)
  --seconds N            length of one run (1)
  --rounds N             rounds; medians are reported (5)
  --connections N,N      numbers of connections (1,16,64)
  --workloads NAME,NAME  of ${workloadNames.join(', ')}
                         (all; with --pin ${usualWorkloads['bench-pinned'].join(', ')};
                         before the kernel ${usualWorkloads['bench-kernel'].join(', ')})
  --targets NAME,NAME    of ${ownTargets.join(', ')}
                         (${usualTargets.mariadb.join(',')}; before the kernel ${usualTargets.kernel.join(',')})
  --pin                  everything on one core; kept in a table of its own
  --short                whether it works at all: few events, small tables; nothing is kept
  --profile              CPU profiles of this proxy's threads, written to .cache/bench-profile
  --no-write             leave docs/benchmarks.md and docs/benchmarks.json as they are
  --backend-port N       port of the database, for peers (any)
  --peer NAME,PORT,PID[,USER]
                         another proxy, started before that port; may be given several times

  --all                  everything, one after the other: this, --pin, --backend kernel, and those below; about 20 minutes;
                         first, before --seconds, --rounds, --no-write

Instead, each with a table of its own; all take --no-write, the first two --short:
  --workers              two workers against one; --seconds N (3), --rounds N (5)
  --console              with pages of the console open, and without; --seconds N (3), --rounds N (5),
                         --sessions N (10000), --servers N (500)
  --idle                 memory of idle connections; --connections N (10000), --rounds N (5)
  --micro                pieces of the data path by themselves, compared with the figures that are kept;
                         --only TEXT (names that contain it), --rounds N (15)
  -h, --help
`;

/** The options, or null when help was asked for. @throws Error that names the bad value */
export function parseOptions(args: readonly string[]): BenchOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      backend: { type: 'string', default: 'mariadb' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      connections: { type: 'string' },
      workloads: { type: 'string' },
      targets: { type: 'string' },
      peer: { type: 'string', multiple: true, default: [] },
      'backend-port': { type: 'string' },
      pin: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      'no-write': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const { short, pin } = values;
  const backend = oneOf('--backend', backendNames, values.backend);
  if (backend === 'kernel' && pin) throw new Error('--pin is for --backend mariadb: a kernel fills one core by itself');
  const table = backend === 'kernel' ? 'bench-kernel' : pin ? 'bench-pinned' : 'bench';
  const backendPort = values['backend-port'];
  const names = <Name extends string>(option: string, all: readonly Name[], text: string | undefined) =>
    text?.split(',').map((name) => oneOf(option, all, name));
  return {
    backend,
    table,
    seconds: positive('--seconds', values.seconds ?? '1'),
    rounds: positive('--rounds', values.rounds ?? (short ? '1' : '5')),
    connections: (values.connections ?? (short ? '4' : '1,16,64'))
      .split(',')
      .map((value) => positive('--connections', value)),
    workloads: names('--workloads', workloadNames, values.workloads) ?? usualWorkloads[table],
    targets: names('--targets', ownTargets, values.targets) ?? usualTargets[backend],
    peers: values.peer.map(peerOf),
    backendPort: backendPort === undefined ? null : positive('--backend-port', backendPort),
    pin,
    short,
    profile: values.profile,
    write: !values['no-write'] && !short,
  };
}

function peerOf(text: string): Peer {
  const [name = '', port = '', pid = '', user = 'sb@sys'] = text.split(',');
  return { name, port: positive('--peer', port), pid: positive('--peer', pid), user };
}

function oneOf<Name extends string>(option: string, names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) throw new Error(`${option}: '${text}' is none of ${names.join(', ')}`);
  return found;
}
