/** How the proxy's own objects look in the contract's shapes. */
import type { ChangeResult, ConfigStore } from '../config/config-store.ts';
import { infoText } from '../config/parameter-table.ts';
import { type ParameterStatus, textToShow } from '../config/plan-changes.ts';
import type { OverrideStatus } from '../config/plan-overrides.ts';
import type { ScheduledReverts } from '../config/scheduled-reverts.ts';
import type { HistoryRow as StoredRow } from '../history/history-row.ts';
import { failureCount, isLocked } from '../history/lock-out.ts';
import type { StoredRevert } from '../history/scheduled-reverts.ts';
import type { UserRecord } from '../history/user-administration.ts';
import { type Caller, rightsOf } from './callers.ts';
import type {
  Account as AccountOfUser,
  ChangeResponse,
  HistoryRow,
  Parameter,
  ParameterOverride,
  ScheduledRevert,
  User,
} from './contract.ts';

/** A parameter without its secret. */
export function parameterView(store: ConfigStore, reverts: ScheduledReverts, status: ParameterStatus): Parameter {
  const own = reverts.list().filter((one) => one.name === status.spec.name);
  const planned = own.find((one) => reverts.holds(one)) ?? own[0];
  const { spec, text, storedText } = status;
  return {
    name: spec.name,
    value: textToShow(spec, text),
    pendingValue: storedText === text ? null : textToShow(spec, storedText),
    defaultValue: textToShow(spec, spec.defaultText),
    type: spec.type,
    unit: spec.unit,
    range: spec.range,
    choices: [...spec.choices],
    needReboot: spec.needReboot,
    readOnly: spec.readOnly,
    secret: spec.secret,
    fourEyes: store.needsSecondPerson(spec.name),
    visibleLevel: spec.visibleLevel,
    configLevel: spec.configLevel,
    info: infoText(spec),
    honoured: spec.honoured,
    group: spec.group,
    revision: status.revision,
    changedAt: status.changedAt?.toISOString() ?? null,
    changedBy: status.changedBy,
    overrides: store.overrides(spec.name).map(overrideView),
    revert: planned === undefined ? null : revertView(reverts, planned),
  };
}

export function revertView(reverts: ScheduledReverts, revert: StoredRevert): ScheduledRevert {
  const { id, name, value, dueAt, setAt, setBy, reason } = revert;
  const times = { dueAt: dueAt.toISOString(), setAt: setAt.toISOString() };
  return { id, parameter: name, value, ...times, setBy, reason, overtaken: !reverts.holds(revert) };
}

/** What became of a change. @param proposal number of the one that it has become, or null */
export function changeView(
  store: ConfigStore,
  reverts: ScheduledReverts,
  { changed, unchanged, workers }: ChangeResult,
  proposal: number | null,
): ChangeResponse {
  const parameters = changed.map((status) => parameterView(store, reverts, status));
  return { parameters, unchanged: [...unchanged], workers: [...workers], proposal };
}

function overrideView({ spec, scope, text, revision, changedAt, changedBy }: OverrideStatus): ParameterOverride {
  const { level, cluster, tenant, vip, vport } = scope;
  const value = textToShow(spec, text);
  return { level, cluster, tenant, vip, vport, value, revision, changedAt: changedAt.toISOString(), changedBy };
}

export function historyRowView(row: StoredRow): HistoryRow {
  const { id, at, action, actor, role, token, source, origin, parameter, scope, oldValue, newValue } = row;
  const { outcome, failure, workersApplied, workersTotal, reason, requestId, hash } = row;
  const workers =
    workersApplied === null || workersTotal === null ? null : { applied: workersApplied, total: workersTotal };
  const who = { id, at: at.toISOString(), action, actor, role, token, source, origin };
  return { ...who, parameter, scope, oldValue, newValue, outcome, failure, workers, reason, requestId, hash };
}

export function userView(caller: Caller): User {
  const { name, role, mustChangePassword } = caller.account;
  const { token } = caller;
  const told = token === null ? null : { name: token.name, expiresAt: token.expiresAt.toISOString() };
  return { name, role, permissions: [...rightsOf(caller)], mustChangePassword, token: told };
}

/**
 * A user for administrators.
 * @param logIns open ones
 * @param selfId account id of the one who asks
 */
export function accountView(user: UserRecord, logIns: number, selfId: number, now: Date): AccountOfUser {
  const { id, name, role, revision, lastLoginAt, lastLoginFrom, failedAt, failedFrom, lockedUntil } = user;
  const locked = isLocked(user, now);
  return {
    id,
    name,
    role,
    state: user.disabled ? 'disabled' : locked ? 'locked' : user.mustChangePassword ? 'one-time' : 'active',
    createdAt: user.createdAt.toISOString(),
    revision,
    lastLogin: lastLoginAt === null ? null : { at: lastLoginAt.toISOString(), from: lastLoginFrom },
    logIns,
    failures: failureCount(user, now),
    lastFailure: failedAt === null ? null : { at: failedAt.toISOString(), from: failedFrom },
    lockedUntil: locked ? (lockedUntil?.toISOString() ?? null) : null,
    isSelf: id === selfId,
  };
}
