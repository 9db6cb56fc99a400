/** Supplies the command room with what this worker and, through the coordinator, the others know. */
import { answerStatement } from '../command/answer.ts';
import { parseInternalCommand } from '../command/parse.ts';
import { commandVerdict } from '../command/rights.ts';
import type { Caller, CommandServices } from '../command/services.ts';
import type { ConfigView } from '../config/config-view.ts';
import { socketsInUse } from '../net/handles.ts';
import type { ClientSession } from '../session/client-session.ts';
import { explainRoute } from '../session/explain-route.ts';
import { includesPrivilege } from '../session/identity.ts';
import type { InternalCommands } from '../session/internal-commands.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { CoordinatorCalls, WorkerCalls } from './calls.ts';
import type { Rpc } from './rpc.ts';

/** What the internal commands of a worker work on. */
export interface CommandParts {
  readonly proxyVersion: string;
  readonly config: ConfigView;
  /** Sessions of this worker: a caller's own session is among them. */
  readonly registry: SessionRegistry;
  readonly coordinator: Rpc<CoordinatorCalls, WorkerCalls>;
}

/** The internal commands, as sessions call them. */
export function internalCommands(parts: CommandParts): InternalCommands {
  const services = commandServices(parts);
  return {
    run: (session, statement) => answerStatement(statement, callerOf(session), services),
    isInternal: (session, statement) => {
      const command = parseInternalCommand(statement);
      return command !== null && commandVerdict(session, command) !== 'forward';
    },
  };
}

function callerOf(session: ClientSession): Caller {
  const privileges = session.variables.value('ob_proxy_user_privilege');
  return {
    identity: session.identity,
    sessionId: session.id,
    cluster: session.clusterName,
    tenant: session.tenant,
    user: session.user,
    host: session.host,
    hasSuper: includesPrivilege(privileges, 'super'),
    hasProcess: includesPrivilege(privileges, 'process'),
    sharesIds: session.sharesIds,
  };
}

function commandServices({ proxyVersion, config, registry, coordinator }: CommandParts): CommandServices {
  return {
    proxyVersion,
    sockets: socketsInUse,
    get mysqlVersion() {
      return config.text('mysql_version');
    },
    get idcName() {
      return config.text('proxy_idc_name');
    },
    get answerLimitBytes() {
      return config.bytes('internal_cmd_mem_limited');
    },
    acceptsSessions: true,
    parameters: () => coordinator.call('parameters', null),
    configRows: () => coordinator.call('configRows', null),
    tableRows: (table) => coordinator.call('tableRows', table),
    changeTable: (change, caller) => coordinator.call('changeTable', { change, caller }),
    alterParameter: (name, value, caller) => coordinator.call('alterParameter', { name, value, caller }),
    sessions: () => coordinator.call('allSessions', null),
    session: (id) => coordinator.call('anySession', id),
    sessionAtServer: (connectionId, cluster) => coordinator.call('sessionAtAnyServer', { connectionId, cluster }),
    killSession: (id) => coordinator.call('killAnySession', id),
    killServerSession: (id, serverSessionId) => coordinator.call('killAnyServerSession', { id, serverSessionId }),
    killQuery: (id) => coordinator.call('killAnyQuery', id),
    noteKill: (attempt) => coordinator.call('noteKill', attempt),
    locations: (filter, limit) => coordinator.call('allLocations', { filter, limit }),
    routines: (like, limit) => coordinator.call('allRoutines', { like, limit }),
    congestion: () => coordinator.call('congestion', null),
    congestionHistory: (query) => coordinator.call('congestionHistory', query),
    variableFlags: (sessionId) => coordinator.call('anyVariableFlags', sessionId),
    staleReplicas: (sessionId) => coordinator.call('anyStaleReplicas', sessionId),
    explainRoute: async (sessionId, sql) => {
      const session = registry.find(sessionId);
      return session === undefined ? null : explainRoute(session, sql);
    },
    clusters: () => coordinator.call('clusterDetails', null),
    configServer: () => coordinator.call('configServer', null),
    build: () => coordinator.call('buildInfo', null),
    upgrade: () => coordinator.call('upgradeState', null),
    deleteCluster: (key, caller) => coordinator.call('deleteCluster', { key, caller }),
  };
}
