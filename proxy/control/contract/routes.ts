/** Every route of the API. */
import type { Permission } from './people.ts';

/**
 * Every route: the permission it needs (null: none but a log-in; 'public': not even that) and the shapes.
 * The token travels as `Authorization: Bearer`; the caller's address as `X-ODP-Origin` (the console sets it).
 */
export const routes = {
  health: { method: 'GET', path: '/v1/health', permission: 'public' },
  login: { method: 'POST', path: '/v1/login', permission: 'public' },
  logout: { method: 'POST', path: '/v1/logout', permission: null },
  me: { method: 'GET', path: '/v1/me', permission: null },
  changePassword: { method: 'POST', path: '/v1/password', permission: null },
  overview: { method: 'GET', path: '/v1/overview', permission: 'topology.read' },
  parameters: { method: 'GET', path: '/v1/parameters', permission: 'parameters.read' },
  changeParameters: { method: 'POST', path: '/v1/parameters', permission: 'parameters.write' },
  changeOverride: { method: 'POST', path: '/v1/parameters/levels', permission: 'parameters.write' },
  history: { method: 'GET', path: '/v1/history', permission: 'history.read' },
  historyCsv: { method: 'GET', path: '/v1/history.csv', permission: 'history.export' },
  blocklist: { method: 'GET', path: '/v1/blocklist', permission: 'blocklist.read' },
  blocklistEvents: { method: 'GET', path: '/v1/blocklist/events', permission: 'blocklist.read' },
  blocklistRelease: { method: 'POST', path: '/v1/blocklist/release', permission: 'blocklist.release' },
  blocklistWhatIf: { method: 'POST', path: '/v1/blocklist/what-if', permission: 'blocklist.read' },
  routingExplain: { method: 'POST', path: '/v1/routing/explain', permission: 'routing.explain' },
  routingChoices: { method: 'GET', path: '/v1/routing/choices', permission: 'routing.explain' },
  locations: { method: 'GET', path: '/v1/locations', permission: 'locations.read' },
  locationRefresh: { method: 'POST', path: '/v1/locations/refresh', permission: 'locations.refresh' },
  events: { method: 'GET', path: '/v1/events', permission: 'topology.read' },
} as const satisfies Record<string, { method: 'GET' | 'POST'; path: string; permission: Permission | 'public' | null }>;
export type RouteName = keyof typeof routes;
