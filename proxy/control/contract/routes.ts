/** Every route of the API. */
import type { Permission } from './people.ts';

/** The path of a route with its parameters, as `:id`, filled in. A missing one fails the call, since it fits no route. */
export function filledPath(route: string, values: Readonly<Record<string, string>>): string {
  const filled = (part: string) => (part.startsWith(':') ? encodeURIComponent(values[part.slice(1)] ?? '') : part);
  return route.split('/').map(filled).join('/');
}

/** The parameters of a path that fits a route's; null: it does not. */
export function pathParameters(route: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, parts] = [route.split('/'), path.split('/')];
  if (wanted.length !== parts.length) return null;
  const found: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const name = wanted[index] ?? '';
    if (name.startsWith(':')) found[name.slice(1)] = part;
    else if (name !== part) return null;
  }
  return found;
}

/**
 * Every route: the permission it needs (null: none but a log-in; 'public': not even that) and the shapes.
 * The token travels as `Authorization: Bearer`; the caller's address as `X-ODP-Origin` (the console sets it).
 */
export const routes = {
  health: { method: 'GET', path: '/v1/health', permission: 'public' },
  openapi: { method: 'GET', path: '/v1/openapi.json', permission: null },
  login: { method: 'POST', path: '/v1/login', permission: 'public' },
  logout: { method: 'POST', path: '/v1/logout', permission: null },
  me: { method: 'GET', path: '/v1/me', permission: null },
  changePassword: { method: 'POST', path: '/v1/password', permission: null },
  ownLogIns: { method: 'GET', path: '/v1/log-ins', permission: null },
  endOwnLogIns: { method: 'POST', path: '/v1/log-ins/end', permission: null },
  users: { method: 'GET', path: '/v1/users', permission: 'users.read' },
  createUser: { method: 'POST', path: '/v1/users', permission: 'users.manage' },
  changeUserRole: { method: 'POST', path: '/v1/users/:id/role', permission: 'users.manage' },
  disableUser: { method: 'POST', path: '/v1/users/:id/disable', permission: 'users.manage' },
  enableUser: { method: 'POST', path: '/v1/users/:id/enable', permission: 'users.manage' },
  resetUser: { method: 'POST', path: '/v1/users/:id/reset', permission: 'users.manage' },
  unlockUser: { method: 'POST', path: '/v1/users/:id/unlock', permission: 'users.manage' },
  userLogIns: { method: 'GET', path: '/v1/users/:id/log-ins', permission: 'users.read' },
  endUserLogIns: { method: 'POST', path: '/v1/users/:id/log-ins/end', permission: 'users.manage' },
  overview: { method: 'GET', path: '/v1/overview', permission: 'topology.read' },
  traffic: { method: 'GET', path: '/v1/traffic', permission: 'topology.read' },
  parameters: { method: 'GET', path: '/v1/parameters', permission: 'parameters.read' },
  changeParameters: { method: 'POST', path: '/v1/parameters', permission: 'parameters.write' },
  changeOverride: { method: 'POST', path: '/v1/parameters/levels', permission: 'parameters.write' },
  configFile: { method: 'GET', path: '/v1/parameters/file', permission: 'parameters.read' },
  compareConfig: { method: 'POST', path: '/v1/parameters/compare', permission: 'parameters.read' },
  scheduledReverts: { method: 'GET', path: '/v1/parameters/reverts', permission: 'parameters.read' },
  cancelRevert: { method: 'POST', path: '/v1/parameters/reverts/:id/cancel', permission: 'parameters.write' },
  proposals: { method: 'GET', path: '/v1/proposals', permission: 'parameters.read' },
  proposal: { method: 'GET', path: '/v1/proposals/:id', permission: 'parameters.read' },
  approveProposal: { method: 'POST', path: '/v1/proposals/:id/approve', permission: 'parameters.approve' },
  refuseProposal: { method: 'POST', path: '/v1/proposals/:id/refuse', permission: 'parameters.approve' },
  withdrawProposal: { method: 'POST', path: '/v1/proposals/:id/withdraw', permission: 'parameters.write' },
  history: { method: 'GET', path: '/v1/history', permission: 'history.read' },
  historyCsv: { method: 'GET', path: '/v1/history.csv', permission: 'history.export' },
  historyJson: { method: 'GET', path: '/v1/history.json', permission: 'history.export' },
  historyChain: { method: 'GET', path: '/v1/history/chain', permission: 'history.read' },
  historyVerify: { method: 'POST', path: '/v1/history/verify', permission: 'history.read' },
  blocklist: { method: 'GET', path: '/v1/blocklist', permission: 'blocklist.read' },
  blocklistEvents: { method: 'GET', path: '/v1/blocklist/events', permission: 'blocklist.read' },
  blocklistAt: { method: 'GET', path: '/v1/blocklist/at', permission: 'blocklist.read' },
  blocklistRelease: { method: 'POST', path: '/v1/blocklist/release', permission: 'blocklist.release' },
  blocklistWhatIf: { method: 'POST', path: '/v1/blocklist/what-if', permission: 'blocklist.read' },
  routingExplain: { method: 'POST', path: '/v1/routing/explain', permission: 'routing.explain' },
  routingChoices: { method: 'GET', path: '/v1/routing/choices', permission: 'routing.explain' },
  locations: { method: 'GET', path: '/v1/locations', permission: 'locations.read' },
  locationRefresh: { method: 'POST', path: '/v1/locations/refresh', permission: 'locations.refresh' },
  clientSessions: { method: 'GET', path: '/v1/sessions', permission: 'sessions.read' },
  clientSession: { method: 'GET', path: '/v1/sessions/:id', permission: 'sessions.read' },
  clientSessionKill: { method: 'POST', path: '/v1/sessions/:id/kill', permission: 'sessions.kill' },
  upgrade: { method: 'GET', path: '/v1/upgrade', permission: 'topology.read' },
  upgradeStart: { method: 'POST', path: '/v1/upgrade/start', permission: 'proxy.upgrade' },
  upgradeCommit: { method: 'POST', path: '/v1/upgrade/commit', permission: 'proxy.upgrade' },
  upgradeRollback: { method: 'POST', path: '/v1/upgrade/rollback', permission: 'proxy.upgrade' },
  demo: { method: 'GET', path: '/v1/demo', permission: 'topology.read' },
  demoFault: { method: 'POST', path: '/v1/demo/faults', permission: 'demo.faults' },
  demoLoad: { method: 'POST', path: '/v1/demo/load', permission: 'demo.faults' },
  tokens: { method: 'GET', path: '/v1/tokens', permission: 'tokens.own' },
  makeToken: { method: 'POST', path: '/v1/tokens', permission: 'tokens.own' },
  revokeToken: { method: 'POST', path: '/v1/tokens/:id/revoke', permission: 'tokens.own' },
  events: { method: 'GET', path: '/v1/events', permission: 'topology.read' },
} as const satisfies Record<string, { method: 'GET' | 'POST'; path: string; permission: Permission | 'public' | null }>;
export type RouteName = keyof typeof routes;

/** Routes that API tokens are not for, and why; all others scripts have under `/api/v1`. */
export const browserRoutes = {
  login: 'opens a session, which a script has no need of',
  logout: 'ends the session of a browser',
  changePassword: 'the password is for the person alone',
  ownLogIns: 'a script has none',
  endOwnLogIns: 'a script has none',
  approveProposal: 'the second pair of eyes is a person, not a script in the name of one',
  makeToken: 'a stolen token must not be able to make others that outlive it',
} as const satisfies Partial<Record<RouteName, string>>;
