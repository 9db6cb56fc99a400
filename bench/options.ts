import { parseArgs } from 'node:util';
import { type WorkloadName, workloadNames } from './workloads.ts';

/** A proxy that somebody has started before the bench's database. */
interface Peer {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  readonly user: string;
}

export interface BenchOptions {
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

const ownTargets = ['direct', 'haproxy', 'odp'] as const;
/** Those that the bench starts itself. */
export type OwnTarget = (typeof ownTargets)[number];

export const usage = `Usage: npm run bench [-- options]

Runs loads on a MariaDB of its own: direct, through HAProxy in TCP mode, through this proxy, in turn.

  --seconds N            length of one run (10)
  --rounds N             rounds; medians are reported (5)
  --connections N,N      numbers of connections (1,16,64)
  --workloads NAME,NAME  of ${workloadNames.join(', ')}
                         (all)
  --targets NAME,NAME    of ${ownTargets.join(', ')} (all)
  --pin                  everything on one core; kept in a table of its own
  --short                whether it works at all: runs of a second, small tables; nothing is kept
  --profile              CPU profiles of this proxy's threads, written to .cache/bench-profile
  --no-write             leave docs/benchmarks.md and docs/benchmarks.json as they are
  --backend-port N       port of the database, for peers (any)
  --peer NAME,PORT,PID[,USER]
                         another proxy, started before that port; may be given several times

  --micro                instead: pieces of the data path by themselves, compared with the figures that are kept;
                         with it --only TEXT (names that contain it), --rounds N (15) and --no-write
  --idle                 instead: memory of idle connections; with it --connections N (10000), --rounds N (3), --no-write
  -h, --help
`;

/** The options, or null when help was asked for. @throws Error that names the bad value */
export function parseOptions(args: readonly string[]): BenchOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      connections: { type: 'string' },
      workloads: { type: 'string', default: workloadNames.join(',') },
      targets: { type: 'string', default: ownTargets.join(',') },
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
  const { short } = values;
  const backendPort = values['backend-port'];
  return {
    seconds: positive('--seconds', values.seconds ?? (short ? '1' : '10')),
    rounds: positive('--rounds', values.rounds ?? (short ? '1' : '5')),
    connections: (values.connections ?? (short ? '4' : '1,16,64'))
      .split(',')
      .map((value) => positive('--connections', value)),
    workloads: values.workloads.split(',').map((name) => oneOf('--workloads', workloadNames, name)),
    targets: values.targets.split(',').map((name) => oneOf('--targets', ownTargets, name)),
    peers: values.peer.map(peerOf),
    backendPort: backendPort === undefined ? null : positive('--backend-port', backendPort),
    pin: values.pin,
    short,
    profile: values.profile,
    write: !values['no-write'] && !short,
  };
}

function peerOf(text: string): Peer {
  const [name = '', port = '', pid = '', user = 'sb@sys'] = text.split(',');
  return { name, port: positive('--peer', port), pid: positive('--peer', pid), user };
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${option}: '${text}' is not a whole number above 0`);
  return value;
}

function oneOf<Name extends string>(option: string, names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) throw new Error(`${option}: '${text}' is none of ${names.join(', ')}`);
  return found;
}
