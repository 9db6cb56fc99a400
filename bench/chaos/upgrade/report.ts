import { cpus } from 'node:os';
import type { Tally } from './clients.ts';
import type { KillOutcome } from './kills.ts';
import type { UpgradeChaosOptions } from './options.ts';
import type { Memory, UpgradeOutcome } from './run.ts';

const MIB = 2 ** 20;

/** The section of docs/upgrade.md. */
export function upgradeReport(options: UpgradeChaosOptions, outcome: UpgradeOutcome, loadBefore: number): string {
  const { plain, overTls, connects, upgrades, p99, rss } = outcome;
  const rows: [string, string][] = [
    ['upgrades committed', `${upgrades.committed} of ${options.upgrades}`],
    ['the longest, from the order to the end of the old generation', ms(upgrades.longestMs)],
    ['statements without TLS', String(plain.statements)],
    ['of them failed', String(plain.failed)],
    ['connections without TLS that were broken', String(plain.broken)],
    ['connects, and of them refused or failed', `${connects.tried}, ${connects.failed}`],
    ['p99 of a statement during upgrades, and between them', `${ms(p99.during)}, ${ms(p99.outside)}`],
    ['longest statement', ms(outcome.longestMs)],
    ['connections over TLS that were closed', `${overTls.broken} in ${upgrades.committed} upgrades of ${options.tls}`],
    ['resident memory of the generation, before and after', memory(rss, 'generation')],
    ['resident memory of the supervisor, before and after', memory(rss, 'supervisor')],
  ];
  return [
    `${measured()}: ${options.connections} client connections, ` +
      `${options.statementsPerSecond} statements/s. Load average before the start: ${loadBefore.toFixed(1)}.`,
    ['| | |', '|---|--:|', ...rows.map(([what, value]) => `| ${what} | ${value} |`)].join('\n'),
    ...errorLines('Without TLS', plain),
  ].join('\n\n');
}

/** The other section: what became of kills. */
export function killReport(outcomes: readonly KillOutcome[], loadBefore: number): string {
  const rows = outcomes.map(({ what, victim, unservedMs, asked, failed }) => {
    const longest = ms(Math.max(...unservedMs));
    return `| \`${what}\` | ${victim} | ${unservedMs.length} | ${longest} | ${asked}, ${failed} |`;
  });
  return [
    `${measured()}. Load average before the start: ${loadBefore.toFixed(1)}.`,
    [
      '| phase | killed | rounds | nobody was served for at most | clients that came, and those whose connection failed |',
      '|---|---|--:|--:|--:|',
      ...rows,
    ].join('\n'),
  ].join('\n\n');
}

const measured = (): string =>
  `Measured ${new Date().toISOString().slice(0, 10)} on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), clients, proxy and ` +
  `demo cluster on one machine, Node ${process.versions.node}`;

/** Whether clients without TLS noticed nothing, and every upgrade was committed. */
export const isClean = ({ plain, connects, upgrades }: UpgradeOutcome): boolean =>
  plain.failed === 0 && plain.broken === 0 && connects.failed === 0 && upgrades.failed === 0;

function errorLines(who: string, { errors }: Tally): string[] {
  if (errors.size === 0) return [];
  return [[`${who}, in words:`, '', ...[...errors].map(([text, count]) => `- ${count} × ${text}`)].join('\n')];
}

const ms = (value: number | null): string =>
  value === null
    ? 'none ended there'
    : value < 10_000
      ? `${value.toFixed(value < 10 ? 1 : 0)} ms`
      : `${(value / 1_000).toFixed(1)} s`;

const memory = ({ before, after }: { before: Memory; after: Memory }, of: keyof Memory): string =>
  `${(before[of] / MIB).toFixed(0)} MiB, ${(after[of] / MIB).toFixed(0)} MiB`;
