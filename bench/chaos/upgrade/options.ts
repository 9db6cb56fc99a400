import { parseArgs } from 'node:util';

export interface UpgradeChaosOptions {
  /** Client connections, all kinds together. */
  readonly connections: number;
  /** A second, over all that run statements. */
  readonly statementsPerSecond: number;
  /** In a row. */
  readonly upgrades: number;
  /** Of the connections: over TLS. */
  readonly tls: number;
  /** Instead of all that: rounds of kills at each step; 0: none. */
  readonly kills: number;
  readonly write: boolean;
}

export const usage = `Usage: npm run chaos -- upgrade [options]

Replaces the running proxy again and again under load, and counts what clients notice.

  --connections N   client connections (2000)
  --rate N          statements a second (500)
  --upgrades N      in a row (100)
  --tls N           of the connections: over TLS (20)
  --kills N         instead: either generation is killed at each step of an upgrade, N times, and the time
                    measured for which nobody is served
  --no-write        leave docs/upgrade.md as it is
  -h, --help
`;

/** The options, or null when help was asked for. @throws Error that names the bad value */
export function parseUpgradeOptions(args: readonly string[]): UpgradeChaosOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      connections: { type: 'string', default: '2000' },
      rate: { type: 'string', default: '500' },
      upgrades: { type: 'string', default: '100' },
      tls: { type: 'string', default: '20' },
      kills: { type: 'string', default: '0' },
      'no-write': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const count = (name: 'connections' | 'rate' | 'upgrades' | 'tls' | 'kills', least: number): number => {
    const number = Number(values[name]);
    if (!Number.isInteger(number) || number < least) {
      throw new Error(`--${name} takes a number from ${least} on, not '${values[name]}'`);
    }
    return number;
  };
  const [connections, tls] = [count('connections', 60), count('tls', 0)];
  if (tls > connections / 2) throw new Error(`--tls ${tls}: at most half of the ${connections} connections`);
  return {
    connections,
    tls,
    statementsPerSecond: count('rate', 1),
    upgrades: count('upgrades', 1),
    kills: count('kills', 0),
    write: !values['no-write'],
  };
}
