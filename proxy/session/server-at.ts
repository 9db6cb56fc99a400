import { parseServerAddress } from '../config/server-address.ts';
import { parseGroups } from '../routing/forced-servers.ts';
import type { ClientSession } from './client-session.ts';

/**
 * Where a candidate listens. `test_server_addr` may name servers outside of the cluster; any other address that the
 * cluster does not list is nobody's.
 */
export function serverAt(
  { cluster, config }: ClientSession,
  address: string,
): { readonly address: string; readonly host: string; readonly port: number } | null {
  const known = cluster?.topology.servers.find((server) => server.address === address);
  if (known !== undefined) return known;
  const isTest = parseGroups(config.text('test_server_addr')).flat().includes(address);
  const parsed = isTest ? parseServerAddress(address) : null;
  return parsed === null ? null : { address, host: parsed.host, port: parsed.port };
}
