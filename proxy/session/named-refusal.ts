import { buildErr, parseErr } from '../wire/err-packet.ts';
import type { LoginName } from './login-name.ts';

/** Errors about who logs in: wrong user or password; no such tenant, or not on that server (OceanBase's numbers). */
const ABOUT_THE_ACCOUNT: ReadonlySet<number> = new Set([1045, 5150, 5157, 5160]);

/**
 * A server's refusal of a log-in, with the tenant and the cluster that the log-in name was taken for: a client may have
 * cut the name, and a server tells neither (case B24). Number, state and the server's own words stay.
 * @param payload of the server's ERR packet
 */
export function namedRefusal(payload: Buffer, { tenant, cluster }: Pick<LoginName, 'tenant' | 'cluster'>): Buffer {
  const { errno, sqlState, message } = parseErr(payload);
  if (!ABOUT_THE_ACCOUNT.has(errno)) return payload;
  return buildErr({ errno, sqlState, message: `${message} (tenant '${tenant}' of cluster '${cluster}')` });
}
