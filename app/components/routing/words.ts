/** Which rule made a plan, in words. */
const ruleWords: Readonly<Record<string, string>> = {
  bound: 'It has to stay on one server: an open transaction, or what the session holds there',
  'forced-last-server': 'It asks about the statement before, so it goes to that one’s server',
  'target-server': 'A comment or parameter names the server',
  'route-address': 'The request names the server',
  'test-server': 'A parameter names the server',
  'duplicate-table': 'Every server has a full copy of the table: the nearest',
  'single-leader': 'To the only server that leads anything of the tenant, whatever the table',
  'table-leader': 'To the leader of the table or partition, then by nearness',
  'weak-read': 'A weak read: replicas in the order of the policy',
  'primary-zone-name': 'Kept to the zones of proxy_primary_zone_name',
  'last-server': 'No table decides: the server of the statement before, then by nearness',
  'primary-zone': 'No table decides: the tenant’s primary zone first',
  'any-server': 'No table decides: any server, by nearness',
};

/** A rule this console does not know is told by its name. */
export const ruleText = (rule: string): string => ruleWords[rule] ?? rule;
