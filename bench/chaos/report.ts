/** The tables of docs/chaos.md. */
import type { Outcome } from './run-scenario.ts';
import type { Scenario } from './scenarios.ts';

const systemNames: Readonly<Record<Scenario['system'], string>> = { demo: 'demo cluster', mariadb: 'three MariaDB' };

/** One row per scenario, then what was expected of each and whether it held. */
export function chaosTables(outcomes: readonly Outcome[]): string {
  return `${figuresTable(outcomes)}\n\n${expectationsList(outcomes)}`;
}

function figuresTable(outcomes: readonly Outcome[]): string {
  const head = [
    'scenario',
    'what happens to one server',
    'listed after',
    'failed of requests',
    'begun after the fault',
    'last error after',
    'longest wait',
    'after DETECT_DEAD: last error, last answer',
    'back after',
    'connections lost',
    'turns missed',
  ];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(head),
    `|---|---|---|---${'|--:'.repeat(head.length - 4)}|`,
    ...outcomes.map((outcome) => line(row(outcome))),
  ].join('\n');
}

function row({ scenario, figures, lostConnections, missedTurns }: Outcome): string[] {
  const listed = [...figures.listedMs].sort((a, b) => a[1] - b[1]).map(([list, ms]) => `${list} ${duration(ms)}`);
  const failures = [...figures.failures].map(([kind, count]) => `${count} × ${kind}`);
  return [
    scenario.id,
    `${systemNames[scenario.system]}: ${scenario.title}`,
    listed.join(', ') || 'never',
    `${figures.failed} of ${figures.requests}${failures.length > 0 ? ` (${failures.join(', ')})` : ''}`,
    String(figures.failedLater),
    duration(figures.lastErrorMs),
    duration(figures.longestWaitMs),
    `${duration(figures.errorAfterVerdictMs)}, ${duration(figures.answerAfterVerdictMs)}`,
    duration(figures.recoveredMs),
    String(lostConnections),
    String(missedTurns),
  ];
}

function expectationsList(outcomes: readonly Outcome[]): string {
  return outcomes
    .map(({ scenario, broken }) => {
      const texts = ['no client connection is lost', ...scenario.expectations.map(({ text }) => text)];
      return `- **${scenario.id}**: ${texts.map((text) => (broken.includes(text) ? `**not met:** ${text}` : `${text} ✓`)).join('; ')}`;
    })
    .join('\n');
}

function duration(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
