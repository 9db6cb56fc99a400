/** Lists of addresses and networks (`10.0.0.0/8;fd00::/8;192.0.2.7`). */
import { BlockList, isIP } from 'node:net';
import { OdpError } from '../errors/odp-error.ts';

/** By the items themselves: a parameter's are other ones as soon as it is changed. */
const read = new WeakMap<readonly string[], BlockList>();

/** Whether an address is in a list that `parseNetworks` takes. @param host an IP address; anything else is in none */
export function isInNetworks(items: readonly string[], host: string): boolean {
  const version = isIP(host);
  return version !== 0 && parseNetworks(items, '').check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** @param parameter whose items they are @throws OdpError INVALID_PARAMETER that names the entry */
export function parseNetworks(items: readonly string[], parameter: string): BlockList {
  const known = read.get(items);
  if (known !== undefined) return known;
  const networks = new BlockList();
  for (const item of items) {
    if (addNetwork(networks, item.trim())) continue;
    const detail = `'${item}' is neither an IP address nor a network such as 10.0.0.0/8`;
    throw new OdpError('INVALID_PARAMETER', { name: parameter, value: items.join(';'), detail });
  }
  read.set(items, networks);
  return networks;
}

function addNetwork(networks: BlockList, item: string): boolean {
  const [address = '', bits, ...more] = item.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const most = version === 4 ? 32 : 128;
  if (bits === undefined) networks.addAddress(address, family);
  else if (/^\d{1,3}$/.test(bits) && Number(bits) <= most) networks.addSubnet(address, Number(bits), family);
  else return false;
  return true;
}
