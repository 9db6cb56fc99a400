import { conditionsText } from '../conditions.ts';
import type { Row, SqlFigures } from '../sql/summary.ts';
import { digits, markdownTable } from './markdown.ts';

const titles: Readonly<Record<string, string>> = {
  haproxy: 'HAProxy, TCP mode',
  odp: 'ODP',
  'odp-ob20': 'ODP, protocol 2.0',
  'odp-plain': 'ODP, without protocol 2.0',
};

/** Conditions and table of a benchmark on a database. */
export function sqlSection(figures: SqlFigures): string {
  const { conditions, seconds, tables, rowsPerTable, rows } = figures;
  const what = `${tables} tables of ${rowsPerTable} rows, runs of ${seconds} s, medians of ${conditions.rounds} interleaved rounds.`;
  const unable = figures.unable.map(({ target, workload }) => `${titles[target] ?? target}: ${workload}`);
  const left = unable.length === 0 ? [] : [`Cannot be done through them: ${unable.join(', ')}.`];
  return [conditionsText(conditions, what), sqlTable(rows), ...left].join('\n\n');
}

export function sqlTable(rows: readonly Row[]): string {
  return markdownTable(
    [
      ['workload', '-'],
      ['connections', '>'],
      ['through', '-'],
      ['per second', '>'],
      ['p95 ms', '>'],
      ['CPU ms per 1,000', '>'],
      ['RSS MiB', '>'],
      ['grown by MiB', '>'],
      ['÷ direct', '>'],
      ['÷ HAProxy', '>'],
      ['CPU ÷ HAProxy', '>'],
    ],
    rows.map((row) => [
      row.workload,
      String(row.connections),
      titles[row.target] ?? row.target,
      row.queriesPerSecond.toFixed(0),
      row.p95Ms.toFixed(2),
      digits(row.cpuMsPerThousand, 1),
      digits(row.rssMiB, 0),
      digits(row.grownMiB, 0),
      digits(row.toDirect, 2),
      row.target === 'direct' ? '' : digits(row.toHaproxy, 2),
      digits(row.cpuToHaproxy, 2),
    ]),
  );
}
