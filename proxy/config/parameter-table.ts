import type { ParameterSpec, ParameterType } from './parameter-spec.ts';
import { blocklistParameters } from './parameters/blocklist.ts';
import { connectionParameters, protocolParameters, upgradeParameters } from './parameters/connections.ts';
import { discoveryParameters } from './parameters/discovery.ts';
import { logParameters, metricsParameters } from './parameters/log.ts';
import { loginParameters } from './parameters/login.ts';
import { processParameters } from './parameters/process.ts';
import { locationCacheParameters, routingParameters } from './parameters/routing.ts';
import { securityParameters } from './parameters/security.ts';

const rows = [
  ...processParameters,
  ...discoveryParameters,
  ...loginParameters,
  ...routingParameters,
  ...locationCacheParameters,
  ...blocklistParameters,
  ...connectionParameters,
  ...protocolParameters,
  ...upgradeParameters,
  ...securityParameters,
  ...logParameters,
  ...metricsParameters,
];

type Row = (typeof rows)[number];

/** Name of a parameter, as written in the table. */
export type ParameterName = Row['name'];

/** Names of the parameters of one type: lets ConfigView refuse `bool('listen_port')` at compile time. */
export type NameOfType<Type extends ParameterType> = Extract<Row, { type: Type }>['name'];

/** The whole table, in the order of the groups. */
export const parameterTable: readonly ParameterSpec<ParameterName>[] = rows;

const byName = new Map<string, ParameterSpec<ParameterName>>(parameterTable.map((spec) => [spec.name, spec]));

/** Finds a parameter whatever the case of the letters (case B95); undefined when there is none. */
export function findParameter(name: string): ParameterSpec<ParameterName> | undefined {
  return byName.get(name.toLowerCase());
}

const notHonoured = '(Listed, but this version does not act on it yet.)';

/** What SHOW PROXYCONFIG, the console and the docs say about a parameter. */
export function infoText(spec: ParameterSpec): string {
  return spec.honoured ? spec.info : `${spec.info} ${notHonoured}`;
}
