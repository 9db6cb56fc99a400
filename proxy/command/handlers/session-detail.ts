import { VARIABLE_FLAG, type VariableFlags } from '../../cluster/variable-flags.ts';
import { OdpError } from '../../errors/odp-error.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { likeMatch } from '../../sql/like-match.ts';
import { columns, type Row, rowsReply } from '../result.ts';
import type {
  Caller,
  CommandServices,
  ServerSessionDetail,
  SessionDetail,
  SessionVariable,
  StateVersions,
} from '../services.ts';
import { visibleSession } from './session-list.ts';

const attributeColumns = columns('attribute_name', 'value', 'info');
const variableColumns = columns('variable_name', 'value', 'info', 'modified_type', 'sys_variable_flag');

/** Longest value that SHOW PROXYSESSION VARIABLES prints, and what stands for a longer one (reference §4). */
const longestValueBytes = 128;
const longValueText = '---value length is large then 128bytes---';

/** SHOW PROXYSESSION ATTRIBUTE [id] [LIKE 'p']: the session, its state versions, then each of its server sessions. */
export async function showSessionAttributes(
  id: number | null,
  like: string | null,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> {
  const session = await visibleSession(id, caller, services);
  const rows: Row[] = [
    ...Object.entries(commonAttributes(session)).map(([name, value]) => [name, value, 'cs common']),
    ...Object.entries(statAttributes(session)).map(([name, value]) => [name, value, 'cs stat']),
    ...Object.entries(versionAttributes(session.versions)).map(([name, value]) => [name, value, 'cs var version']),
  ];
  let poolIndex = 0;
  for (const serverSession of inOrderOfUse(session.serverSessions)) {
    const label = useLabel(serverSession, poolIndex);
    if (serverSession.use === 'pool') poolIndex += 1;
    for (const [name, value] of Object.entries(serverAttributes(serverSession))) rows.push([name, value, label]);
  }
  return rowsReply(
    attributeColumns,
    rows.filter(([name]) => likeMatch(like, name ?? '')),
  );
}

/** SHOW PROXYSESSION VARIABLES [ALL] [id] [LIKE 'p']. */
export async function showSessionVariables(
  all: boolean,
  id: number | null,
  like: string | null,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> {
  const session = await visibleSession(id, caller, services);
  const variables = session.variables.filter(
    (variable) => (all || variable.kind !== 'system') && likeMatch(like, variable.name),
  );
  const flags = await scopes(session.id, services);
  return rowsReply(
    variableColumns,
    variables.map((variable) => variableRow(variable, flags)),
  );
}

function commonAttributes(session: SessionDetail): Record<string, string> {
  return {
    proxy_sessid: session.proxySessionId,
    cs_id: String(session.id),
    cluster: session.cluster,
    tenant: session.tenant,
    user: session.user,
    host_ip: session.clientHost,
    host_port: String(session.clientPort),
    db: session.database ?? 'NULL',
    total_trans_cnt: String(session.transactionCount),
    svr_session_cnt: String(session.serverSessionCount),
    active: String(session.state === 'MCS_ACTIVE_READER'),
    read_state: session.state,
    tid: String(session.threadId),
    pid: String(session.processId),
    idc_name: session.idcName,
  };
}

/** Times in nanoseconds of Unix time, as the reference has them; it is reported to nobody here. */
function statAttributes({ usedAtMs }: SessionDetail): Record<string, string> {
  const usedAtNs = usedAtMs === null ? 0n : BigInt(Math.round(usedAtMs * 1000)) * 1000n;
  return { modified_time: String(usedAtNs), reported_time: '0' };
}

function versionAttributes(versions: StateVersions): Record<string, string> {
  return {
    hot_sys_var_version: String(versions.hotSystemVariables),
    sys_var_version: String(versions.systemVariables),
    user_var_version: String(versions.userVariables),
    last_insert_id_version: String(versions.lastInsertId),
    db_name_version: String(versions.database),
  };
}

function serverAttributes(session: ServerSessionDetail): Record<string, string> {
  return {
    server_ip: session.host,
    server_port: String(session.port),
    server_sessid: String(session.serverSessionId),
    ss_id: String(session.id),
    state: session.state,
    transact_count: String(session.requestCount),
    server_trans_stat: flag(session.isBusy),
    ...versionAttributes(session.versions),
    is_checksum_supported: flag(session.features.checksum),
    is_safe_read_weak_supported: flag(session.features.safeWeakRead),
    is_checksum_switch_supported: flag(session.features.checksumSwitch),
    // Unused, as the reference calls it: only its compressed protocol has something to switch.
    checksum_switch: '-1',
    enable_extra_ok_packet_for_stats: flag(session.features.extraOk),
  };
}

const flag = (value: boolean): string => (value ? '1' : '0');

/** The reference's order. */
function inOrderOfUse(sessions: readonly ServerSessionDetail[]): ServerSessionDetail[] {
  const order = ['last', 'current', 'pool'] as const;
  return order.flatMap((use) => sessions.filter((session) => session.use === use));
}

/** `last used ss`, `curr used && lii ss`, `ss pool [0]` …; lii: it holds the last insert id. */
function useLabel(session: ServerSessionDetail, poolIndex: number): string {
  const mark = session.holdsLastInsertId ? ' && lii ss' : '';
  if (session.use === 'pool') return `ss pool${mark} [${poolIndex}]`;
  return `${session.use === 'current' ? 'curr used' : 'last used'}${mark === '' ? ' ss' : mark}`;
}

/** Null: nobody tells. What is known of the values is to be had all the same. */
async function scopes(sessionId: number, services: CommandServices): Promise<VariableFlags | null> {
  try {
    return await services.variableFlags(sessionId);
  } catch (error) {
    if (error instanceof OdpError && error.code === 'LOCATION_UNAVAILABLE') return null;
    throw error;
  }
}

const READONLY = VARIABLE_FLAG.READONLY | VARIABLE_FLAG.SESSION_READONLY;
const flagWords: readonly (readonly [bits: number, word: string])[] = [
  [VARIABLE_FLAG.INVISIBLE, 'invisible'],
  [VARIABLE_FLAG.GLOBAL_SCOPE, 'global_scope'],
  [VARIABLE_FLAG.SESSION_SCOPE, 'session_scope'],
  [READONLY, 'readonly'],
  [VARIABLE_FLAG.NULLABLE, 'nullable'],
];

/** ` && global_scope && session_scope`; empty for user variables, and where nobody tells. */
function flagText({ name, kind }: SessionVariable, flags: VariableFlags | null): string {
  const bits = kind === 'user' ? 0 : (flags?.get(name) ?? 0);
  return flagWords.map(([mask, word]) => ((bits & mask) === 0 ? '' : ` && ${word}`)).join('');
}

function variableRow(variable: SessionVariable, flags: VariableFlags | null): Row {
  const isLong = Buffer.byteLength(variable.value) > longestValueBytes;
  const info = { 'changed-system': 'changed sys var', system: 'sys var', user: 'user var' }[variable.kind];
  const group = { hot: 'hot', cold: 'cold', 'last-insert-id': 'last insert id' }[variable.group];
  const value = isLong ? longValueText : variable.value;
  return [variable.name, value, info, `${group} modified vars`, flagText(variable, flags)];
}
