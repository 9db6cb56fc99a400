/** Which clusters this start is for: those of a ConfigServer, the one of the options, or a stand-in. */
import { join } from 'node:path';
import { type ClusterDirectory, singleCluster } from '../cluster/cluster-directory.ts';
import { ConfigServer } from '../cluster/config-server/config-server.ts';
import { fetchText } from '../cluster/config-server/fetch-text.ts';
import { keptCopyAt } from '../cluster/config-server/kept-copy.ts';
import type { ConfigView } from '../config/config-view.ts';
import { parseRsList } from '../config/rs-list.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { Logger } from '../log/logger.ts';
import type { SupervisorServices } from './coordinator.ts';
import type { GenerationStart } from './supervisor-link.ts';

export interface ClustersToServe {
  readonly directory: ClusterDirectory;
  /** Null: test mode, or a stand-in. */
  readonly configServer: ConfigServer | null;
  /** A stand-in is served. */
  readonly demo: boolean;
  /** Account that sees the demo's data; empty without a demo. */
  readonly demoUser: string;
  /** The stand-in is the embedded one, which takes faults. */
  readonly hasLab: boolean;
  /** Ends all questions. */
  close(): Promise<void>;
}

interface Surroundings {
  readonly config: ConfigView;
  readonly supervisor: Pick<SupervisorServices, 'demo'>;
  readonly log: Logger;
  /** Names of clusters whose servers all fail now. */
  readonly troubled: () => readonly string[];
}

const URL_NAME = 'obproxy_config_server_url';
const LIST_NAME = 'rootservice_list';

/**
 * Start options with one source of clusters: a new source takes the place of the stored one, also for later starts.
 * @throws OdpError INVALID_ARGUMENT when they name both
 */
export function withOneSource(parameters: GenerationStart['parameters']): GenerationStart['parameters'] {
  const url = given(parameters, URL_NAME);
  const list = given(parameters, LIST_NAME);
  if (url !== '' && list !== '') {
    const detail = `${URL_NAME} and -r exclude each other: a ConfigServer tells the servers of its clusters itself`;
    throw new OdpError('INVALID_ARGUMENT', { detail });
  }
  if (url !== '') return [...parameters, { name: LIST_NAME, value: '' }];
  return list === '' ? parameters : [...parameters, { name: URL_NAME, value: '' }];
}

/** @throws OdpError INVALID_ARGUMENT for options that don't go together */
export async function clustersToServe(start: GenerationStart, surroundings: Surroundings): Promise<ClustersToServe> {
  const { config, supervisor } = surroundings;
  const url = config.text('obproxy_config_server_url');
  const rsList = parseRsList(config.text('rootservice_list'));
  const wantedName = given(start.parameters, 'rootservice_cluster_name');
  if (start.demo === null && url !== '') return await withConfigServer(url, start.home, surroundings);
  if (wantedName !== '' && rsList.length === 0) {
    const detail = `-c ${wantedName} needs -r with addresses of that cluster's servers, or ${URL_NAME}`;
    throw new OdpError('INVALID_ARGUMENT', { detail });
  }
  if (start.demo !== null || rsList.length === 0) {
    const kind = start.demo ?? 'embedded';
    const { clusterName, servers, demoUser } = await supervisor.demo(kind);
    const addresses = parseRsList(servers.map(({ address }) => address).join(';'));
    return { ...fixed(singleCluster(clusterName, addresses)), demo: true, demoUser, hasLab: kind === 'embedded' };
  }
  const configured = config.text('rootservice_cluster_name');
  // The reference's last resort for a list without a name.
  const name = configured === '' || configured === 'undefined' ? 'obcloud' : configured;
  return { ...fixed(singleCluster(name, rsList)), demo: false, demoUser: '', hasLab: false };
}

function fixed(directory: ClusterDirectory) {
  return { directory, configServer: null, close: () => Promise.resolve() };
}

async function withConfigServer(url: string, home: string, surroundings: Surroundings): Promise<ClustersToServe> {
  const { config, log, troubled } = surroundings;
  const ending = new AbortController();
  const configServer = new ConfigServer({
    url,
    fetchText: (from) => fetchText(from, config.timeMs('short_async_task_timeout'), ending.signal),
    kept: keptCopyAt(join(home, 'config-server.json')),
    keptFirst: !config.bool('ignore_local_config'),
    intervalMs: () => config.timeMs('config_server_refresh_interval'),
    idcIntervalMs: () => config.timeMs('idc_list_refresh_interval'),
    alwaysAsks: () => config.bool('enable_get_rslist_remote'),
    defaultCluster: config.text('rootservice_cluster_name'),
    troubled,
    onNotice: (level, text) => log[level]({ configServer: url }, text),
  });
  await configServer.start();
  const close = async (): Promise<void> => {
    const closed = configServer.close();
    ending.abort();
    await closed;
  };
  return { directory: configServer, configServer, demo: false, demoUser: '', hasLab: false, close };
}

/** The last value given for a parameter; empty: none. */
function given(parameters: GenerationStart['parameters'], wanted: string): string {
  return parameters.findLast(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
}
