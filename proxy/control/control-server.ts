import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { ConfigStore } from '../config/config-store.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { blocklistRoutes } from './blocklist-routes.ts';
import type { BlocklistService } from './blocklist-service.ts';
import { clientSessionRoutes } from './client-session-routes.ts';
import type { Overview, RouteName } from './contract.ts';
import { dataRoutes } from './data-routes.ts';
import { EventHub } from './event-hub.ts';
import { locationRoutes } from './location-routes.ts';
import type { LocationService } from './location-service.ts';
import { LoginThrottle } from './login-throttle.ts';
import { type ControlLog, type Route, serveRoute } from './route.ts';
import { routingRoutes } from './routing-routes.ts';
import type { RoutingService } from './routing-service.ts';
import { sessionRoutes } from './session-routes.ts';
import type { SessionService } from './session-service.ts';
import { listenOnSocket } from './unix-socket.ts';

export interface ControlServerOptions {
  /** Unix socket to listen on, at most 107 bytes; its directory is made when missing. */
  readonly socketPath: string;
  readonly store: ConfigStore;
  readonly history: HistoryStore;
  /** The state of things now; called for GET /v1/overview and after `onOverviewChanged` told of a change. */
  readonly overview: () => Overview;
  /** Registers a listener for changes of the overview, however many; sent on at most four times a second. */
  readonly onOverviewChanged: (listener: () => void) => () => void;
  readonly blocklists: BlocklistService;
  readonly routing: RoutingService;
  readonly locations: LocationService;
  readonly clientSessions: SessionService;
  readonly log: ControlLog;
  readonly now?: () => Date;
  /** Silence on an event stream before a `ping` (ms); 5 s when left out. */
  readonly pingMs?: number;
}

export interface ControlServer {
  /** Ends event streams and connections, and removes the socket. */
  close(): Promise<void>;
}

/**
 * Starts the control API of contract.ts for the console.
 * @throws OdpError INTERNAL when the socket cannot be listened on.
 */
export async function startControlServer(options: ControlServerOptions): Promise<ControlServer> {
  const { store, history, log, socketPath } = options;
  const now = options.now ?? (() => new Date());
  const hub = new EventHub({ ...options, now });
  const routeTable: Readonly<Record<RouteName, Route>> = {
    ...sessionRoutes({ history, log, throttle: new LoginThrottle(now) }),
    ...dataRoutes({ store, history: history.log, overview: options.overview, hub }),
    ...blocklistRoutes({ service: options.blocklists, history, store, now }),
    ...routingRoutes(options.routing),
    ...locationRoutes({ service: options.locations, history, now }),
    ...clientSessionRoutes({ service: options.clientSessions, history, now }),
  };
  const services = { sessions: history.sessions, history: history.log, log };
  const server = createServer((request, response) => void serveRoute(routeTable, services, request, response));
  try {
    await listenOnSocket(server, socketPath);
  } catch (error) {
    hub.close();
    throw error;
  }
  return {
    close: async () => {
      hub.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      rmSync(socketPath, { force: true });
    },
  };
}
