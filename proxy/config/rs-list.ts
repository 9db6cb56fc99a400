/** The static list of a cluster's servers in test mode (R2): parameter `rootservice_list`, start option `-r`. */
import { OdpError } from '../errors/odp-error.ts';
import { parseServerAddress, type ServerAddress } from './server-address.ts';

/**
 * Parses `ip:sql_port;ip:sql_port` (IPv6 in brackets). Blanks around entries, empty entries (a trailing `;`) and repeats
 * are dropped; an empty text is an empty list. Throws INVALID_PARAMETER that names the entry and what is wrong with it.
 */
export function parseRsList(text: string, parameter = 'rootservice_list'): ServerAddress[] {
  const servers = new Map<string, ServerAddress>();
  text.split(';').forEach((part, index) => {
    const entry = part.trim();
    if (entry === '') return;
    const address = parseServerAddress(entry);
    if (address === null) {
      const detail = `entry ${index + 1} '${entry}' ${describeFault(entry)}`;
      throw new OdpError('INVALID_PARAMETER', { name: parameter, value: text, detail });
    }
    servers.set(address.text, address);
  });
  return [...servers.values()];
}

/** The text that `parseRsList` reads back to the same list. */
export function printRsList(servers: readonly Pick<ServerAddress, 'text'>[]): string {
  return servers.map((server) => server.text).join(';');
}

function describeFault(entry: string): string {
  if (/[,\s]/.test(entry)) return "holds a blank or comma: entries are separated by ';'";
  const ip6 = entry.startsWith('[');
  const host = ip6 ? entry.slice(1).split(']')[0] : entry.split(':')[0];
  const rest = entry.slice(ip6 ? (host?.length ?? 0) + 2 : (host?.length ?? 0));
  if (!ip6 && rest.split(':').length > 2) {
    return /^\d+\.\d+\.\d+\.\d+$/.test(host ?? '')
      ? 'has more than one port: give the SQL port only, as in 10.0.0.1:2881'
      : 'looks like an IPv6 address without brackets: write [fd00::11]:2881';
  }
  if (rest === '' || rest === ':') return 'has no port: write ip:sql_port, as in 10.0.0.1:2881';
  const port = Number(rest.slice(1));
  if (!/^:\d+$/.test(rest) || port < 1 || port > 65_535)
    return `has the port '${rest.slice(1)}', which is not 1 to 65535`;
  return `has the host '${host}', which is not an IP address that a server can have`;
}
