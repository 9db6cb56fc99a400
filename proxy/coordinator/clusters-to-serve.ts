/** Which clusters this start is for: the one of the options, or a stand-in. */
import { type ClusterDirectory, singleCluster } from '../cluster/cluster-directory.ts';
import type { ConfigView } from '../config/config-view.ts';
import { parseRsList } from '../config/rs-list.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { SupervisorServices } from './coordinator.ts';
import type { GenerationStart } from './supervisor-link.ts';

export interface ClustersToServe {
  readonly directory: ClusterDirectory;
  /** A stand-in is served. */
  readonly demo: boolean;
  /** Account that sees the demo's data; empty without a demo. */
  readonly demoUser: string;
}

/** @throws OdpError INVALID_ARGUMENT for options that don't go together */
export async function clustersToServe(
  start: GenerationStart,
  config: ConfigView,
  supervisor: SupervisorServices,
): Promise<ClustersToServe> {
  const rsList = parseRsList(config.text('rootservice_list'));
  const named = start.parameters.find(({ name }) => name.toLowerCase() === 'rootservice_cluster_name');
  if (named !== undefined && rsList.length === 0) {
    const detail = `-c ${named.value} needs -r with addresses of that cluster's servers`;
    throw new OdpError('INVALID_ARGUMENT', { detail });
  }
  if (start.demo !== null || rsList.length === 0) {
    const { clusterName, servers, demoUser } = await supervisor.demo(start.demo ?? 'embedded');
    const addresses = parseRsList(servers.map(({ address }) => address).join(';'));
    return { directory: singleCluster(clusterName, addresses), demo: true, demoUser };
  }
  const configured = config.text('rootservice_cluster_name');
  // The reference's last resort for a list without a name.
  const name = configured === '' || configured === 'undefined' ? 'obcloud' : configured;
  return { directory: singleCluster(name, rsList), demo: false, demoUser: '' };
}
