import { parseArgs } from 'node:util';
import { type Scenario, scenarios } from './scenarios.ts';

export interface ChaosOptions {
  readonly scenarios: readonly Scenario[];
  readonly write: boolean;
}

export const usage = `Usage: npm run chaos [-- options]

Puts a steady load on the real product before clusters whose servers fail, and measures what clients notice.

  --scenarios ID,ID   some of the scenarios (all)
  --no-write          leave docs/chaos.md as it is, as with --scenarios
  -h, --help

npm run chaos -- upgrade [--help] replaces the running proxy under load instead.

Scenarios: ${scenarios.map(({ id }) => id).join(', ')}
`;

/** The options, or null when help was asked for. @throws Error that names the bad value */
export function parseOptions(args: readonly string[]): ChaosOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenarios: { type: 'string' },
      'no-write': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const wanted = values.scenarios?.split(',').map(scenarioOf) ?? scenarios;
  // A page with some of the scenarios would look as if there were no others.
  return { scenarios: wanted, write: !values['no-write'] && values.scenarios === undefined };
}

function scenarioOf(id: string): Scenario {
  const found = scenarios.find((scenario) => scenario.id === id);
  if (found === undefined)
    throw new Error(`--scenarios: '${id}' is none of ${scenarios.map(({ id }) => id).join(', ')}`);
  return found;
}
