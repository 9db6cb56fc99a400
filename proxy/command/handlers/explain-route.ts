import { OdpError } from '../../errors/odp-error.ts';
import type { RouteExplanation } from '../../session/explain-route.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { parseInternalCommand } from '../parse.ts';
import { columns, rowsReply } from '../result.ts';
import { commandVerdict } from '../rights.ts';
import type { Caller, CommandServices } from '../services.ts';

const planColumns = columns('Route Plan');

/** EXPLAIN ROUTE statement: where the caller's session would send it, and why; a fact a row. */
export async function explainRoute(sql: string, caller: Caller, services: CommandServices): Promise<CommandReply> {
  const command = parseInternalCommand(sql);
  if (command !== null && commandVerdict(caller, command) !== 'forward') {
    return rowsReply(planColumns, [['answered by the proxy itself']]);
  }
  const explanation = await services.explainRoute(caller.sessionId, sql);
  if (explanation === null) {
    throw new OdpError('BAD_INTERNAL_COMMAND', { detail: 'a session of proxysys has no servers to route to' });
  }
  return rowsReply(
    planColumns,
    linesOf(explanation).map((line) => [line]),
  );
}

function linesOf(explanation: RouteExplanation): string[] {
  const { kind, consistency, rule, choice, goesTo, forced, refusal } = explanation;
  return [
    `statement: ${kind}${kind === 'begin' ? ', held back: the statement after it decides' : ''}`,
    `table: ${tableText(explanation)}`,
    ...partitionLines(explanation),
    `consistency: ${consistency.level} (${consistency.because})`,
    `LDC: ${ldcText(explanation)}`,
    `policy: ${policyText(choice)}`,
    `rule: ${rule}`,
    ...explanation.candidates.map((candidate, at) => `${at + 1}. ${candidateText(candidate, forced)}`),
    goesTo === null ? `goes nowhere: ${refusal ?? 'no server may be used'}` : `goes to: ${goesTo}`,
  ];
}

function policyText(choice: RouteExplanation['choice']): string {
  if (choice === null) return 'none, there is no choice';
  const { policy, because, zones } = choice;
  const text = `${policy} (${because})`;
  if (zones === null) return text;
  const list = zones.groups.map((group) => group.join(', ')).join('; then ');
  return `${text}; ${zones.use === 'first' ? 'first' : 'only'} zones ${list}`;
}

function tableText({ table, whyNoTable, location }: RouteExplanation): string {
  if (table === null) return `none (${whyNoTable})`;
  const name = `${table.database}.${table.name}`;
  if (location === null) return `${name}, whose place is not known`;
  const { replicas, partitionCount } = location;
  const leader = replicas.find(({ role }) => role === 'leader')?.address ?? 'not known';
  return `${name}, ${partitionCount} partition(s), ${replicas.length} replica(s), leader ${leader}`;
}

function partitionLines({ partition }: RouteExplanation): string[] {
  if (partition === null) return [];
  const { name, tabletId, because } = partition;
  if (name === null) return [`partition: not one for certain (${because}), the place of the table counts`];
  return [`partition: ${name} (tablet ${tabletId}), whose place counts (${because})`];
}

function ldcText({ settings, ldc }: RouteExplanation): string {
  const source = settings.idcSource === 'session' ? '@proxy_idc_name' : 'parameter proxy_idc_name';
  if (settings.idcName === '') return `off (${source} is empty)`;
  const found = `'${settings.idcName}' (${source}), ${ldc.matchType}`;
  if (ldc.matchType === 'MATCHED_BY_NONE') return `${found}: all zones count as near`;
  const zones = [
    ['same IDC', ldc.sameIdc],
    ['same region', ldc.sameRegion],
    ['other regions', ldc.otherRegion],
  ] as const;
  return `${found}: ${zones.map(([label, names]) => `${label} ${names.join(', ') || 'none'}`).join('; ')}`;
}

function candidateText(candidate: RouteExplanation['candidates'][number], forced: boolean): string {
  const { address, group, reason, lists, isRetry } = candidate;
  const base = `${address} ${reason}${group === null ? '' : ` [class ${group}]`}`;
  if (lists.length === 0) return base;
  const on = `on the ${lists.join(' and ')} blocklist`;
  if (isRetry) return `${base} (${on}; its retry is due, this statement would be it)`;
  return `${base} (${on}: ${forced ? 'used, since every candidate is listed' : 'skipped'})`;
}
