import { parseArgs } from 'node:util';
import type { TargetName } from './report.ts';

export interface BenchOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: readonly number[];
  readonly workloads: readonly string[];
  readonly targets: readonly TargetName[];
  readonly profile: boolean;
  readonly write: boolean;
}

export const usage = `Usage: npm run bench [-- options]

Compares sysbench on a MariaDB of its own: direct, through HAProxy in TCP mode, through this proxy, in turn.

  --seconds N            length of one run (10)
  --rounds N             rounds; medians are reported (3)
  --connections N,N      numbers of connections (1,16,64)
  --workloads NAME,NAME  sysbench scripts (oltp_point_select,oltp_read_write)
  --targets NAME,NAME    of direct, haproxy, odp (all)
  --profile              CPU profiles of this proxy's threads, written to .cache/bench-profile
  --no-write             leave docs/benchmarks.md and docs/benchmarks.json as they are
  --micro                instead: pieces of the data path by themselves, compared with the figures that are kept;
                         with it --only TEXT (names that contain it), --rounds N (15) and --no-write
  --idle                 instead: memory of idle connections; with it --connections N (10000), --rounds N (3), --no-write
  -h, --help
`;

const targetNames: readonly TargetName[] = ['direct', 'haproxy', 'odp'];

/** The options, or null when help was asked for. @throws Error that names the bad value */
export function parseOptions(args: readonly string[]): BenchOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '1,16,64' },
      workloads: { type: 'string', default: 'oltp_point_select,oltp_read_write' },
      targets: { type: 'string', default: targetNames.join(',') },
      profile: { type: 'boolean', default: false },
      'no-write': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  return {
    seconds: positive('--seconds', values.seconds),
    rounds: positive('--rounds', values.rounds),
    connections: values.connections.split(',').map((value) => positive('--connections', value)),
    workloads: values.workloads.split(','),
    targets: values.targets.split(',').map(targetName),
    profile: values.profile,
    write: !values['no-write'],
  };
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${option}: '${text}' is not a whole number above 0`);
  return value;
}

function targetName(text: string): TargetName {
  const found = targetNames.find((name) => name === text);
  if (found === undefined) throw new Error(`--targets: '${text}' is none of ${targetNames.join(', ')}`);
  return found;
}
