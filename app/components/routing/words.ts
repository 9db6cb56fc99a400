import type { Text } from '@/lib/text.ts';
import type { Catalog } from '@/messages/catalog.ts';

type RoutingText = Text<Catalog['routing']>;

const rules = [
  'bound',
  'forced-last-server',
  'target-server',
  'route-address',
  'test-server',
  'duplicate-table',
  'single-leader',
  'table-leader',
  'weak-read',
  'primary-zone-name',
  'last-server',
  'primary-zone',
  'any-server',
] as const;

/** Which rule made a plan, in words. A rule this console does not know is told by its name. */
export function ruleText(rule: string, t: RoutingText): string {
  const known = rules.find((name) => name === rule);
  return known === undefined ? rule : t(`rule.${known}`);
}

const matchTypes = ['MATCHED_BY_IDC', 'MATCHED_BY_ZONE_PREFIX', 'MATCHED_BY_URL'] as const;

/** What the near zones were found by. A way this console does not know is told by its name. */
export function ldcText(matchType: string, t: RoutingText): string {
  const known = matchTypes.find((name) => name === matchType);
  return known === undefined ? matchType : t(`ldc.${known}`);
}
