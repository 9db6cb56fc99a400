import type { ParameterSpec } from '../../config/parameter-spec.ts';
import { infoText, parameterTable } from '../../config/parameter-table.ts';
import { secretMask } from '../../config/values.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { likeMatch } from '../../sql/like-match.ts';
import type { ProxyConfigScope } from '../internal-command.ts';
import { columns, okReply, type Row, rowsReply } from '../result.ts';
import type { Caller, CommandServices, ParameterTexts } from '../services.ts';

const itemColumns = columns('name', 'value', 'info', 'need_reboot', 'visible_level', 'range', 'config_level');
const levelColumns = ['vid', 'vip', 'vport', 'tenant_name', 'cluster_name', 'name', 'value', 'config_level'] as const;

/** SHOW PROXYCONFIG [ALL | DIFF | DIFF USER] [LIKE 'p']: sorted by name; the value is the text as it was typed. */
export async function showProxyConfig(
  scope: ProxyConfigScope,
  like: string | null,
  services: CommandServices,
): Promise<CommandReply> {
  if (scope === 'all') return showAllLevels(like, services);
  const texts = new Map((await services.parameters()).map((texts) => [texts.name, texts]));
  const rows: Row[] = [];
  for (const spec of parameterTable.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    const { text, storedText } = texts.get(spec.name) ?? { text: spec.defaultText, storedText: spec.defaultText };
    if (!likeMatch(like, spec.name) || !isInScope(scope, spec, storedText)) continue;
    const value = shown(spec, storedText);
    rows.push(itemRow(spec, value, { text, storedText }));
  }
  return rowsReply(itemColumns, rows);
}

/** Values at every level: those for everybody, then those for parts of the sessions. */
async function showAllLevels(like: string | null, services: CommandServices): Promise<CommandReply> {
  const rows = (await services.configRows()).filter(({ name }) => likeMatch(like, name));
  return rowsReply(
    columns(...levelColumns),
    rows.map((row) => levelColumns.map((column) => row[column])),
  );
}

/** ALTER PROXYCONFIG SET name = value: answered once the value is stored and in force in every worker. */
export async function alterProxyConfig(
  name: string,
  value: string,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> {
  await services.alterParameter(name, value, caller);
  return okReply;
}

function isInScope(scope: ProxyConfigScope, spec: ParameterSpec, storedText: string): boolean {
  if (scope === 'plain') return true;
  return storedText !== spec.defaultText && (scope === 'diff' || spec.visibleLevel === 'USER');
}

function itemRow(spec: ParameterSpec, value: string, texts: Pick<ParameterTexts, 'text' | 'storedText'>): Row {
  const isPending = texts.text !== texts.storedText;
  const info = isPending
    ? `${infoText(spec)} (Waits for a restart; in force: '${shown(spec, texts.text)}'.)`
    : infoText(spec);
  return [spec.name, value, info, String(spec.needReboot), spec.visibleLevel, spec.range, spec.configLevel];
}

/** Of a secret only whether there is one (cases B99, B115). */
function shown(spec: ParameterSpec, text: string): string {
  return spec.secret && text !== '' ? secretMask : text;
}
