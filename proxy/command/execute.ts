import type { CommandReply } from '../session/internal-commands.ts';
import { COLUMN_TYPE } from '../wire/constants.ts';
import {
  deleteProxyResource,
  showProxyCluster,
  showProxyClusterIdc,
  showProxyInfoConfigServer,
  showProxyInfoIdc,
  showProxyResource,
} from './handlers/cluster-info.ts';
import { showProxyCongestion, showProxyCongestionHistory } from './handlers/congestion.ts';
import { explainRoute } from './handlers/explain-route.ts';
import { killConnection, killQuery, killServerSession } from './handlers/kill.ts';
import { alterProxyConfig, showProxyConfig } from './handlers/proxyconfig.ts';
import {
  showGlobalIndexRoutes,
  showPartitionRoutes,
  showRoutineRoutes,
  showTableRoutes,
} from './handlers/proxyroute.ts';
import { showReadStale } from './handlers/read-stale.ts';
import { showSessionAttributes, showSessionVariables } from './handlers/session-detail.ts';
import { showProcessList, showProxySession } from './handlers/session-list.ts';
import { showSessionStat } from './handlers/session-stat.ts';
import { showProxyInfoBinary, showProxyInfoUpgrade } from './handlers/upgrade-info.ts';
import type { InternalCommand } from './internal-command.ts';
import { okReply, rowsReply } from './result.ts';
import type { Caller, CommandServices } from './services.ts';

/**
 * Runs a command that the caller has the right to.
 * @throws OdpError what is to be answered as an ERR packet
 */
export async function executeCommand(
  command: InternalCommand,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> {
  switch (command.type) {
    case 'show-proxyconfig':
      return showProxyConfig(command.scope, command.like, services);
    case 'alter-proxyconfig':
      return alterProxyConfig(command.name, command.value, caller, services);
    case 'ping-proxy':
      return services.acceptsSessions ? okReply : { kind: 'close', error: null };
    case 'select-proxy-version':
      return rowsReply([{ name: command.column, type: COLUMN_TYPE.VAR_STRING }], [[services.proxyVersion]]);
    case 'show-processlist':
      return showProcessList(caller, services);
    case 'show-proxysession':
      return showProxySession(caller, services);
    case 'show-proxysession-attribute':
      return showSessionAttributes(command.id, command.like, caller, services);
    case 'show-proxysession-variables':
      return showSessionVariables(command.all, command.id, command.like, caller, services);
    case 'show-proxysession-stat':
      return showSessionStat(command.id, command.like, caller, services);
    case 'show-proxysession-read-stale':
      return showReadStale(command.id, command.like, caller, services);
    case 'show-proxycluster':
      return showProxyCluster(command.like, services);
    case 'show-proxycluster-idc':
      return showProxyClusterIdc(command.like, services);
    case 'show-proxyresource':
      return showProxyResource(command.like, services);
    case 'delete-proxyresource':
      return deleteProxyResource(command.cluster, caller, services);
    case 'show-proxyinfo-binary':
      return showProxyInfoBinary(services);
    case 'show-proxyinfo-upgrade':
      return showProxyInfoUpgrade(services);
    case 'show-proxyinfo-idc':
      return showProxyInfoIdc(services);
    case 'show-proxyinfo-configserver':
      return showProxyInfoConfigServer(services);
    case 'show-proxycongestion':
      return showProxyCongestion(command.all, command.cluster, services);
    case 'show-proxycongestion-history':
      return showProxyCongestionHistory(command.cluster, command.limit, services);
    case 'show-proxyroute':
      return showTableRoutes(command.like, services);
    case 'show-proxyroute-partition':
      return showPartitionRoutes(services);
    case 'show-proxyroute-globalindex':
      return showGlobalIndexRoutes();
    case 'show-proxyroute-routine':
      return showRoutineRoutes(command.like, services);
    case 'explain-route':
      return explainRoute(command.sql, caller, services);
    case 'kill-connection':
      return killConnection(command.id ?? caller.sessionId, caller, services);
    case 'kill-query':
      return killQuery(command.id ?? caller.sessionId, caller, services);
    case 'kill-proxysession':
      return command.serverSessionId === null
        ? killConnection(command.id, caller, services)
        : killServerSession(command.id, command.serverSessionId, caller, services);
    case 'invalid':
      throw command.error;
  }
}
