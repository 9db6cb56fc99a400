/** Tables of the benchmarks beside those on a database. */
import { conditionsText } from '../conditions.ts';
import type { ConsoleFigures } from '../console/figures.ts';
import type { IdleFigures } from '../idle/figures.ts';
import type { WorkersFigures } from '../workers/figures.ts';
import { markdownTable } from './markdown.ts';

export function workersSection({ conditions, seconds, rows, spread }: WorkersFigures): string {
  const what = `Runs of ${seconds} s, medians of ${conditions.rounds} interleaved rounds.`;
  const table = markdownTable(
    [
      ['load', '-'],
      ['connections', '>'],
      ['per second, 1 worker', '>'],
      ['2 workers', '>'],
      ['2 ÷ 1', '>'],
      ['possible here', '>'],
      ['µs of proxy, 1 worker', '>'],
      ['2 workers', '>'],
      ['µs beside', '>'],
    ],
    rows.map(({ load, connections, one, two, ratio, possible, besideUs }) => [
      load,
      String(connections),
      one.perSecond.toFixed(0),
      two.perSecond.toFixed(0),
      ratio.toFixed(2),
      possible.toFixed(2),
      one.cpuUs.toFixed(1),
      two.cpuUs.toFixed(1),
      besideUs.toFixed(1),
    ]),
  );
  const total = spread.reduce((sum, count) => sum + count, 0);
  return `${conditionsText(conditions, what)}\n\n${table}\n\nOf ${total} sessions the two workers had ${spread.join(' and ')}.`;
}

export function consoleSection(figures: ConsoleFigures): string {
  const { conditions, seconds, viewers, sessions, servers, rows } = figures;
  const what =
    `${viewers} pages, ${sessions} idle sessions, ${servers} servers; runs of ${seconds} s, medians of ` +
    `${conditions.rounds} interleaved rounds.`;
  const table = markdownTable(
    [
      ['cores', '-'],
      ['per second, closed', '>'],
      ['open', '>'],
      ['open ÷ closed', '>'],
      ['µs of worker, closed', '>'],
      ['open', '>'],
      ['answers per second', '>'],
      ['events per second', '>'],
    ],
    rows.map((row) => [
      row.cores,
      row.closedPerSecond.toFixed(0),
      row.openPerSecond.toFixed(0),
      row.ratio.toFixed(3),
      row.closedWorkerUs.toFixed(1),
      row.openWorkerUs.toFixed(1),
      row.answersPerSecond.toFixed(1),
      row.eventsPerSecond.toFixed(1),
    ]),
  );
  return `${conditionsText(conditions, what)}\n\n${table}`;
}

export function idleSection({ conditions, connections, rows }: IdleFigures): string {
  const what = `${connections} connections, medians of ${conditions.rounds} rounds.`;
  const kib = (bytes: number): string => (bytes / 1024).toFixed(1);
  const table = markdownTable(
    [
      ['an idle client', '-'],
      ['KiB of heap and buffers', '>'],
      ['KiB resident', '>'],
    ],
    rows.map(({ state, heapBytes, rssBytes }) => [state, kib(heapBytes), kib(rssBytes)]),
  );
  return `${conditionsText(conditions, what)}\n\n${table}`;
}
