import type { RouteSettings } from '../routing/policy/pick-policy.ts';
import type { RoutedSession } from './routed-session.ts';

/** With where they are from: the session's user variables, or the parameters of the same names. */
export interface SessionRouteSettings extends RouteSettings {
  readonly idcSource: 'session' | 'parameter';
  readonly proxyRoutePolicySource: 'session' | 'parameter';
}

/** `server_routing_mode` is `random`: neither the table nor the statement before counts. */
export const isRandomMode = ({ config }: RoutedSession): boolean =>
  config.text('server_routing_mode').toLowerCase() === 'random';

/** What decides the order of servers for a session: its user variables before the proxy's parameters (R8, R14). */
export function routeSettings(session: RoutedSession): SessionRouteSettings {
  const { config } = session;
  let idcName: string | null = null;
  let proxyRoutePolicy: string | null = null;
  for (const [name, literal] of session.variables.userVariables()) {
    if (name === 'proxy_idc_name') idcName = plainText(literal);
    else if (name === 'proxy_route_policy') proxyRoutePolicy = plainText(literal);
  }
  return {
    idcName: idcName ?? config.text('proxy_idc_name'),
    proxyRoutePolicy: proxyRoutePolicy ?? config.text('proxy_route_policy'),
    idcSource: idcName === null ? 'parameter' : 'session',
    proxyRoutePolicySource: proxyRoutePolicy === null ? 'parameter' : 'session',
    obRoutePolicy: session.variables.value('ob_route_policy') ?? '',
    primaryZoneName: config.text('proxy_primary_zone_name'),
    followsPrimaryZone: config.bool('enable_primary_zone'),
    isRandom: isRandomMode(session),
  };
}

/** Text of a user variable as servers report it, an SQL literal in bytes; null for NULL: as if it had not been set. */
function plainText(literal: string): string | null {
  if (/^null$/i.test(literal)) return null;
  const text = Buffer.from(literal, 'latin1').toString('utf8');
  const quoted = /^'(.*)'$/s.exec(text)?.[1];
  return quoted === undefined ? text : quoted.replaceAll("''", "'").replace(/\\(.)/gs, '$1');
}
