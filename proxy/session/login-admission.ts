/** Who may log in at all, as far as the proxy itself can tell: asked before any server is. */
import type { ConfigView } from '../config/config-view.ts';
import { isInNetworks } from '../config/networks.ts';
import { OdpError } from '../errors/odp-error.ts';
import { checkNativePassword, passwordStage2 } from '../wire/auth.ts';
import { checkConnectionCount } from './connection-limit.ts';
import { isLoopbackAddress, isPrivateAddress } from './identity.ts';
import type { LoginCredentials } from './login-credentials.ts';
import type { LoginName } from './login-name.ts';
import type { SessionContext } from './session-context.ts';

interface Applicant {
  readonly name: LoginName;
  readonly credentials: LoginCredentials;
  /** Where it is, and how it has come. */
  readonly host: string;
  readonly usesTls: boolean;
  /** Its session has a place in the tenant already. */
  readonly isCounted: boolean;
}

/**
 * For all tenants but the proxy's own, which stays reachable at the limits (case B89).
 * @param config what counts before it is known who logs in
 * @returns false: access denied, without a word more
 * @throws OdpError TLS_REQUIRED, NOT_IN_WHITE_LIST, TOO_MANY_SESSIONS, TOO_MANY_CONNECTIONS
 */
export function isAdmitted(applicant: Applicant, config: ConfigView, context: SessionContext): boolean {
  const { name, credentials, host, usesTls, isCounted } = applicant;
  if (name.user === 'proxyro' && name.tenant === 'sys' && !config.bool('skip_proxyro_check')) return false;
  if (config.bool('enable_full_username') && !name.isFull) return false;
  if (context.tls.required && !usesTls) throw new OdpError('TLS_REQUIRED');
  const { scope } = credentials;
  const allowed = context.levels.view(scope).list('client_white_list');
  if (allowed.length > 0 && !isInNetworks(allowed, host)) {
    throw new OdpError('NOT_IN_WHITE_LIST', { tenant: scope.tenant, cluster: scope.clusterName, host });
  }
  checkConnectionCount(context);
  if (!isCounted) context.tenantLimit.check(scope);
  return true;
}

/**
 * For the proxy's own tenant: address and password. @param scramble that the client was given
 * @returns false: access denied
 */
export function isAdmittedLocally(
  identity: 'proxysys' | 'inspector',
  host: string,
  authAnswer: Buffer,
  scramble: Buffer,
  config: ConfigView,
): boolean {
  const stage1 = config.text(identity === 'proxysys' ? 'obproxy_sys_password' : 'inspector_password');
  const stage2 = stage1 === '' ? null : passwordStage2(Buffer.from(stage1, 'hex'));
  // Without a password only this machine's own users are let in, whatever the address check says.
  const fromPrivate =
    stage2 === null ? isLoopbackAddress(host) : config.bool('skip_proxy_sys_private_check') || isPrivateAddress(host);
  return fromPrivate && checkNativePassword(authAnswer, scramble, stage2);
}
