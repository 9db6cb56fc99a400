/** The figures that are kept, and how new ones compare with them. */
import type { MicroResult } from './measure.ts';

/** docs/benchmarks-micro.json. */
export interface MicroBaseline {
  readonly machine: string;
  readonly results: readonly MicroResult[];
}

/** Below it a change is the machine's noise: two runs of the same code differ by as much. */
const NOISE = 0.1;

/** New figure by old, both in yardsticks; null: there is no old one. */
export function changeOf({ name, toYardstick }: MicroResult, baseline: MicroBaseline | null): number | null {
  const before = baseline?.results.find((result) => result.name === name);
  return before === undefined ? null : toYardstick / before.toYardstick - 1;
}

/** A row for each, with the change against what was kept. */
export function microTable(results: readonly MicroResult[], baseline: MicroBaseline | null): string {
  const rows = results.map((result) => {
    const { name, ns, toYardstick } = result;
    return `| ${name} | ${ns < 100 ? ns.toFixed(1) : ns.toFixed(0)} | ${toYardstick.toFixed(2)} | ${changeText(changeOf(result, baseline))} |`;
  });
  return ['| operation | ns | ÷ yardstick | against what was kept |', '|---|--:|--:|--:|', ...rows].join('\n');
}

function changeText(change: number | null): string {
  if (change === null) return 'new';
  if (Math.abs(change) < NOISE) return 'as before';
  const percent = Math.round(change * 100);
  return percent > 0 ? `+${percent} %` : `−${-percent} %`;
}
