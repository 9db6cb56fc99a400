import { checkNativePassword, xorBytes } from '../../wire/auth.ts';
import { OB_CAPABILITY } from '../../wire/constants.ts';
import type { ConnectAttribute, HandshakeResponse } from '../../wire/handshake.ts';
import type { DemoEngine } from '../engine/engine.ts';
import type { TenantStore } from '../engine/tenant-store.ts';
import { MysqlError } from '../mysql-error.ts';

/** What a login settles about a connection. */
export interface LoginOutcome {
  readonly tenant: TenantStore;
  readonly user: string;
  /** The connection speaks for a proxy: answers carry OceanBase's extras. */
  readonly proxied: boolean;
  /** `OB_CAPABILITY` bits that both sides know; none without a proxy. */
  readonly agreed: bigint;
  /** The scramble that the client's answer is made with. */
  readonly scramble: Buffer;
}

const PROXY_CLIENT = '__ob_proxy';

/** Those that a genuine kernel knows, and compressed frames. */
const KNOWN_CAPABILITIES =
  OB_CAPABILITY.PARTITION_TABLE |
  OB_CAPABILITY.CHANGE_USER |
  OB_CAPABILITY.READ_WEAK |
  OB_CAPABILITY.OB_PROTOCOL_V2 |
  OB_CAPABILITY.EXTRA_OK_PACKET_FOR_STATISTICS |
  OB_CAPABILITY.PL_ROUTE |
  OB_CAPABILITY.PROXY_SESSION_SYNC |
  OB_CAPABILITY.PROXY_NEW_EXTRA_INFO |
  OB_CAPABILITY.PROXY_READ_STALE_FEEDBACK |
  OB_CAPABILITY.LOCAL_FILES |
  OB_CAPABILITY.OB_PROTOCOL_V2_COMPRESS;

function attribute(attributes: readonly ConnectAttribute[], name: string): Buffer | undefined {
  return attributes.find(([candidate]) => candidate === name)?.[1];
}

/** Cuts `user@tenant` at its last `@`; without a tenant it is `sys`. */
function splitUser(name: string): { user: string; tenant: string } {
  const at = name.lastIndexOf('@');
  return at < 0 ? { user: name, tenant: 'sys' } : { user: name.slice(0, at), tenant: name.slice(at + 1) };
}

/**
 * Checks a login. A proxy's connection says so in its attributes and gives, as `__proxy_scramble`, the scramble it gave
 * its client XOR the one it got here; the client's own answer is checked against that.
 * @param own scramble of this server's greeting
 * @throws MysqlError ACCESS_DENIED
 */
export function checkLogin(
  engine: DemoEngine,
  response: Pick<HandshakeResponse, 'user' | 'authAnswer' | 'attributes'>,
  own: Buffer,
  host: string,
): LoginOutcome {
  const denied = (user: string): MysqlError =>
    new MysqlError('ACCESS_DENIED', { user, host, usingPassword: response.authAnswer.length > 0 ? 'YES' : 'NO' });
  const { user, tenant: tenantName } = splitUser(response.user);
  const tenant = engine.tenant(tenantName);
  const account = tenant?.accounts.find(user);
  // A name that still carries the cluster is nobody's: `user@tenant#cluster` reads as an unknown tenant.
  if (!tenant || !account) throw denied(user);
  const proxied = attribute(response.attributes, '__mysql_client_type')?.toString('latin1') === PROXY_CLIENT;
  const given = attribute(response.attributes, '__proxy_scramble');
  const scramble = proxied && given?.length === own.length ? xorBytes(given, own) : own;
  if (!checkNativePassword(response.authAnswer, scramble, account.stage2)) throw denied(user);
  const offered = attribute(response.attributes, '__proxy_capability_flag')?.toString('latin1') ?? '0';
  const agreed = proxied && /^\d+$/.test(offered) ? BigInt(offered) & KNOWN_CAPABILITIES : 0n;
  return { tenant, user, proxied, agreed, scramble };
}
