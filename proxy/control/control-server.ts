import type { ConfigStore } from '../config/config-store.ts';
import type { Proposals } from '../config/proposals.ts';
import type { ScheduledReverts } from '../config/scheduled-reverts.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { blocklistRoutes } from './blocklist-routes.ts';
import type { BlocklistService } from './blocklist-service.ts';
import { Callers } from './callers.ts';
import { clientSessionRoutes } from './client-session-routes.ts';
import { compareRoutes } from './compare-routes.ts';
import type { Overview, RouteName } from './contract.ts';
import { dataRoutes } from './data-routes.ts';
import { demoRoutes } from './demo-routes.ts';
import type { DemoService } from './demo-service.ts';
import { EventHub } from './event-hub.ts';
import { historyRoutes } from './history-routes.ts';
import { locationRoutes } from './location-routes.ts';
import type { LocationService } from './location-service.ts';
import { logInRoutes } from './log-in-routes.ts';
import { LoginThrottle } from './login-throttle.ts';
import { openApiRoutes } from './openapi/openapi-routes.ts';
import { parameterRoutes } from './parameter-routes.ts';
import { proposalRoutes } from './proposal-routes.ts';
import { Refusals } from './refusals.ts';
import { type ControlLog, type Route, serveRoute } from './route.ts';
import { routingRoutes } from './routing-routes.ts';
import type { RoutingService } from './routing-service.ts';
import { sessionRoutes } from './session-routes.ts';
import type { SessionService } from './session-service.ts';
import { SocketDoor } from './socket-door.ts';
import { tokenRoutes } from './token-routes.ts';
import type { TrafficService } from './traffic-service.ts';
import { upgradeRoutes } from './upgrade-routes.ts';
import type { UpgradeService } from './upgrade-service.ts';
import { userRoutes } from './user-routes.ts';

export interface ControlServerOptions {
  /** Unix socket to listen on, at most 107 bytes; its directory is made when missing. */
  readonly socketPath: string;
  readonly store: ConfigStore;
  readonly reverts: ScheduledReverts;
  readonly proposals: Proposals;
  readonly history: HistoryStore;
  /** The state of things now; called for GET /v1/overview and after `onOverviewChanged` told of a change. */
  readonly overview: () => Overview;
  /** Registers a listener for changes of the overview, however many; sent on at most four times a second. */
  readonly onOverviewChanged: (listener: () => void) => () => void;
  readonly traffic: TrafficService;
  readonly blocklists: BlocklistService;
  readonly routing: RoutingService;
  readonly locations: LocationService;
  readonly clientSessions: SessionService;
  readonly upgrades: UpgradeService;
  /** Null: the proxy does not run with its embedded demo. */
  readonly demo: DemoService | null;
  readonly log: ControlLog;
  readonly now?: () => Date;
  /** Silence on an event stream before a `ping` (ms); 5 s when left out. */
  readonly pingMs?: number;
}

export interface ControlServer {
  /** Takes the socket's path over, whoever had it, and answers there. @throws OdpError INTERNAL when it cannot */
  publish(): Promise<void>;
  /** Answers no more: event streams end, so that pages turn to whoever has the path now. */
  withdraw(): Promise<void>;
  /** As `withdraw`; removes the socket unless somebody else has its path by now. */
  close(): Promise<void>;
}

/** Makes the control API of contract.ts for the console; it answers once it is published. */
export function makeControlServer(options: ControlServerOptions): ControlServer {
  const { store, reverts, proposals, history, log, socketPath } = options;
  const now = options.now ?? (() => new Date());
  const throttle = new LoginThrottle(now);
  const callers = new Callers(history, now);
  const hub = new EventHub({ ...options, callers, now });
  const routeTable: Readonly<Record<RouteName, Route>> = {
    ...sessionRoutes({ history, throttle }),
    ...logInRoutes({ history, now }),
    ...userRoutes({ history, throttle, now }),
    ...dataRoutes({ overview: options.overview, traffic: options.traffic, hub }),
    ...compareRoutes({ store, history, version: () => options.overview().proxy.version, now }),
    ...parameterRoutes({ store, reverts, proposals, history, now }),
    ...proposalRoutes({ store, reverts, proposals, now }),
    ...historyRoutes(history),
    ...blocklistRoutes({ service: options.blocklists, history, store, now }),
    ...routingRoutes(options.routing),
    ...locationRoutes({ service: options.locations, history, now }),
    ...clientSessionRoutes({ service: options.clientSessions, history, now }),
    ...upgradeRoutes(options.upgrades),
    ...demoRoutes({ service: options.demo, history, now }),
    ...tokenRoutes({ history, now }),
    ...openApiRoutes({ routeTable: () => routeTable, version: () => options.overview().proxy.version }),
  };
  const refusals = new Refusals(history.attempts, now);
  const services = { callers, history: history.log, refusals, log };
  const door = new SocketDoor(socketPath, (request, response) => {
    void serveRoute(routeTable, services, request, response);
  });
  return {
    publish: () => door.publish(),
    withdraw: async () => {
      hub.endStreams();
      await door.withdraw();
    },
    close: async () => {
      hub.close();
      await door.withdraw(0);
      door.remove();
    },
  };
}
