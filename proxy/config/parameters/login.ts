import { parameterRows } from '../parameter-spec.ts';

const row = parameterRows('login');

/** How login names are read and logins checked. */
export const loginParameters = [
  row('string', 'proxy_tenant_name', '', 'Tenant of logins that name none', {
    visibleLevel: 'SYS',
    configLevel: 'LEVEL_VIP',
    honoured: true,
  }),
  row('list', 'username_separator', ':;-;.', 'Separators of the cluster:tenant:user form of a login name, split by ;', {
    visibleLevel: 'SYS',
    honoured: true,
  }),
  row(
    'list',
    'proxy_protocol_networks',
    '',
    'Load balancers that put a PROXY header (version 1 or 2) in front of their clients: addresses and networks, split by ;. A header from anybody else ends the connection',
    { visibleLevel: 'SYS', honoured: true },
  ),
  row('bool', 'enable_full_username', 'False', 'Refuse login names that lack the tenant or the cluster', {
    visibleLevel: 'SYS',
    honoured: true,
  }),
  row('bool', 'skip_proxyro_check', 'False', 'Let clients log in as proxyro@sys', {
    visibleLevel: 'SYS',
    honoured: true,
  }),
  row('bool', 'skip_proxy_sys_private_check', 'False', 'Let root@proxysys log in from addresses that are not private', {
    honoured: true,
  }),
  row('bool', 'enable_client_ip_checkout', 'True', "Tell the server the client's own address at login", {
    honoured: true,
  }),
  row(
    'bool',
    'enable_proxy_scramble',
    'True',
    'The proxy makes the login scramble itself, a new one for each client. Always on here: it cannot be turned off',
    { visibleLevel: 'SYS', honoured: true },
  ),
];
