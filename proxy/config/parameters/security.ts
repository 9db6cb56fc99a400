import { parameterRows } from '../parameter-spec.ts';

const row = parameterRows('security');
const password = { visibleLevel: 'SYS', secret: true } as const;

/** TLS and the passwords of internal accounts; the default hashes are the reference's published ones. */
export const securityParameters = [
  row('bool', 'enable_client_ssl', 'False', 'Offer TLS to clients, when ssl_key_info names a usable certificate', {
    visibleLevel: 'SYS',
    configLevel: 'LEVEL_VIP',
    honoured: true,
  }),
  row('bool', 'enable_server_ssl', 'False', 'Use TLS to servers that offer it, when ssl_key_info is usable', {
    visibleLevel: 'SYS',
    configLevel: 'LEVEL_VIP',
    honoured: true,
  }),
  row(
    'string',
    'ssl_attributes',
    '',
    'TLS options of new connections, as JSON: using_ssl (ENABLE_FORCE: clients without TLS are refused; DISABLE_FORCE), min_tls_version (TLSV1.2, TLSV1.3 …)',
    { visibleLevel: 'SYS', configLevel: 'LEVEL_VIP', honoured: true },
  ),
  row(
    'string',
    'ssl_key_info',
    '',
    'PEM files of TLS, as JSON: sourceType FILE, CA, publicKey, privateKey; relative paths begin at ODP_HOME. Files that change are read again at once',
    { visibleLevel: 'SYS', honoured: true },
  ),
  row(
    'list',
    'client_white_list',
    '',
    'Addresses and networks that clients may log in from, split by ;. Empty: from everywhere. The table white_list shows the values of tenants',
    { visibleLevel: 'SYS', configLevel: 'LEVEL_TENANT', honoured: true },
  ),
  row(
    'list',
    'four_eyes_parameters',
    '',
    'Parameters that nobody changes alone, by name, split by ;, or * for all: one proposes on the console, somebody else approves. Once it names any, this one is among them. Not in the reference',
    { visibleLevel: 'SYS', honoured: true },
  ),
  row(
    'string',
    'obproxy_sys_password',
    '',
    'Password of root@proxysys; only its SHA-1 is kept. Empty: no password, but only from the same machine',
    { ...password, honoured: true },
  ),
  row(
    'string',
    'inspector_password',
    'de6d44e0bb589f8044f6dde47d870569c31dbcec',
    'Password of inspector@proxysys, who may only PING PROXY; only its SHA-1 is kept',
    { ...password, honoured: true },
  ),
  row(
    'string',
    'observer_sys_password',
    'ee0e5138c912aed80b683c05303684be347ce81d',
    "Password of proxyro@sys, used for the proxy's own queries; only its SHA-1 is kept",
    { ...password, configLevel: 'LEVEL_VIP', honoured: true },
  ),
  row(
    'string',
    'observer_sys_password1',
    'ee0e5138c912aed80b683c05303684be347ce81d',
    'Second password of proxyro@sys, tried when the first is refused; only its SHA-1 is kept',
    { ...password, configLevel: 'LEVEL_VIP', honoured: true },
  ),
];
