/**
 * The blocklists of one served cluster at work: fed by the cluster's views, by probes and by what the workers report;
 * what comes out goes to the workers at once, to the history, and to whoever watches.
 */
import { Detection, type DetectMode } from '../cluster/detection.ts';
import { ServerProber } from '../cluster/server-prober.ts';
import type { ClusterTopology } from '../cluster/topology.ts';
import type { CongestionRow } from '../command/services.ts';
import type { ConfigView } from '../config/config-view.ts';
import { Blocklist } from '../congestion/blocklist.ts';
import { congestionParameterNames, readCongestionParameters } from '../congestion/read-parameters.ts';
import type { KeptServer } from '../congestion/server-entry.ts';
import type { BlocklistTransition, FailureEvent, Instant, ServerStatus, ServerVerdict } from '../congestion/types.ts';
import type { ClusterBlocklist, ReleaseCall } from '../control/blocklist-service.ts';
import type { BlocklistLog } from '../history/blocklist-log.ts';
import type { NewTransition } from '../history/blocklist-row.ts';
import type { Logger } from '../log/logger.ts';
import { monotonicMs } from '../net/monotonic-clock.ts';

export interface ClusterBlocklistOptions {
  readonly config: ConfigView;
  readonly history: BlocklistLog;
  readonly log: Logger;
  /** Passwords of the internal account, as the metadata client takes them. */
  readonly passwords: () => readonly string[];
  /** Server sessions and requests of all workers now. */
  readonly traffic: (address: string) => { readonly serverSessions: number; readonly requests: number };
  /** Tells every worker; nobody waits for it. */
  readonly publish: (verdicts: readonly ServerVerdict[]) => void;
  /** Counts, lists or details may be others now. */
  readonly onChanged: () => void;
  /** Has every worker close its server sessions to a server (B9). */
  readonly closeServerSessions: (address: string, reason: string) => void;
}

/** On both clocks that the blocklists go by. */
export const instantNow = (): Instant => ({ atMs: monotonicMs(), wallAtMs: Date.now() });

export class ServedBlocklist implements ClusterBlocklist {
  readonly blocklist: Blocklist;
  readonly #options: ClusterBlocklistOptions;
  readonly #prober: ServerProber;
  readonly #detection: Detection;
  readonly #requestsSeen = new Map<string, number>();
  #topology: ClusterTopology;
  #published = '';
  /** Another process told of the servers: the configured addresses alone are no news of them. */
  #isGoingOn = false;

  constructor(topology: ClusterTopology, options: ClusterBlocklistOptions) {
    const { config } = options;
    this.#options = options;
    this.#topology = topology;
    this.blocklist = new Blocklist(readCongestionParameters(config));
    this.#prober = new ServerProber({
      passwords: options.passwords,
      timeoutMs: () => config.timeMs('detect_server_timeout'),
    });
    this.#detection = new Detection({
      probe: (address) => this.#prober.probe(address),
      onResult: (result) => this.#made(this.blocklist.probe(result)),
      mode: () => config.int('server_detect_mode') as DetectMode,
      intervalMs: () => config.timeMs('server_detect_refresh_interval'),
      isInUse: (address) => this.#isInUse(address),
    });
    this.setTopology(topology);
  }

  // ---- what is fed in --------------------------------------------------------------------------------------------

  setTopology(topology: ClusterTopology): void {
    this.#topology = topology;
    if (this.#isGoingOn && topology.refreshedAtMs === null) return;
    const statuses = topology.servers.map((server): ServerStatus => {
      const zone = topology.zones.find((candidate) => candidate.name === server.zone);
      const { address, state, reason } = server;
      return {
        address,
        zone: server.zone,
        region: zone?.region ?? '',
        zoneState: zone?.state ?? 'ACTIVE',
        state,
        reason,
      };
    });
    const transitions = this.blocklist.setServers(statuses, instantNow());
    const addresses = topology.servers.map((server) => server.address);
    this.#detection.setServers(addresses);
    this.#prober.retainOnly(addresses);
    this.#made(transitions);
  }

  /** Parameters that are in force now; others than the blocklists' are ignored. */
  parametersChanged(names: readonly string[]): void {
    if (names.includes('server_detect_mode') || names.includes('server_detect_refresh_interval')) {
      this.#detection.reschedule();
    }
    if (!names.some((name) => congestionParameterNames.has(name))) return;
    this.#made(this.blocklist.setParameters(readCongestionParameters(this.#options.config), instantNow()));
  }

  failure(event: FailureEvent): void {
    const { atMs: _, ...kept } = event;
    this.#options.history.addFailure({ cluster: this.#topology.clusterName, ...kept });
    this.#made(this.blocklist.failure(event));
  }

  retryStarted(address: string): void {
    this.blocklist.retryStarted(address, instantNow());
    this.#made([]);
  }

  succeeded(address: string, sessionId: number): void {
    this.#made(this.blocklist.success(address, instantNow(), sessionId));
  }

  // ---- from process to process -----------------------------------------------------------------------------------

  /** All that is known of the servers. */
  kept(): KeptServer[] {
    return this.blocklist.kept(instantNow());
  }

  /** Goes on from where another process was; nothing is recorded of it. `look` compares. */
  goOn(servers: readonly KeptServer[]): void {
    this.#isGoingOn = true;
    this.blocklist.goOn(servers);
    this.#made([]);
  }

  /** What this process knows of the views counts for what it went on with. */
  look(): void {
    this.setTopology(this.#topology);
  }

  /** What is listed now, as the records have it. */
  listed(): NewTransition[] {
    const cluster = this.#topology.clusterName;
    return this.blocklist.listed().map(({ atMs: _, ...transition }) => ({ cluster, ...transition }));
  }

  // ---- what is asked ---------------------------------------------------------------------------------------------

  get name(): string {
    return this.#topology.clusterName;
  }

  release({ address, list, actor, reason }: ReleaseCall): readonly BlocklistTransition[] {
    const transitions = this.blocklist.release(address, list, { actor, reason }, instantNow());
    this.#made(transitions);
    return transitions;
  }

  rows(): readonly CongestionRow[] {
    const { clusterName, revision } = this.#topology;
    return this.blocklist.rows(instantNow()).map((row) => ({ clusterName, clusterVersion: revision, ...row }));
  }

  verdicts(): readonly ServerVerdict[] {
    return this.blocklist.verdicts();
  }

  /** The cluster has left: nothing is listed any more, which the history tells. */
  forgetServers(): void {
    this.#isGoingOn = false;
    this.setTopology({ ...this.#topology, servers: [] });
  }

  async close(): Promise<void> {
    this.#detection.close();
    await this.#prober.close();
  }

  // ---- what comes out --------------------------------------------------------------------------------------------

  #made(transitions: readonly BlocklistTransition[]): void {
    const { history, log, closeServerSessions } = this.#options;
    const cluster = this.#topology.clusterName;
    this.#publish();
    for (const transition of transitions) {
      const { atMs: _, ...kept } = transition;
      const { address, list, change, evidence } = transition;
      history.addTransition({ cluster, ...kept });
      log.info({ cluster, server: address, list, change, evidence: evidence.kind }, `server ${change}`);
      if (list === 'detection' && change === 'listed') {
        closeServerSessions(address, `${address} does not answer probes any more (DETECT_DEAD)`);
      }
    }
    this.#options.onChanged();
  }

  #publish(): void {
    const verdicts = this.blocklist.verdicts();
    const text = JSON.stringify(verdicts);
    if (text === this.#published) return;
    this.#published = text;
    this.#options.publish(verdicts);
  }

  /** Sessions to it, requests since the last look, or failures that still count. */
  #isInUse(address: string): boolean {
    const { serverSessions, requests } = this.#options.traffic(address);
    const before = this.#requestsSeen.get(address) ?? 0;
    this.#requestsSeen.set(address, requests);
    if (serverSessions > 0 || requests > before) return true;
    const details = this.blocklist.details(address, instantNow());
    return details !== null && (details.row.failuresInWindow > 0 || details.row.lists.length > 0);
  }
}
