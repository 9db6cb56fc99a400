/** Who may run what (reference: odp-show-commands §2), as data. */
import type { Identity } from '../session/identity.ts';
import type { InternalCommand } from './internal-command.ts';

/**
 * `everyone`: any user. `administrators`: root@proxysys and root@sys; for others the statement is none of the proxy's and
 * goes to the server. `administrators-only`: the same, but others get an error instead.
 */
type Right = 'everyone' | 'administrators' | 'administrators-only';

const rights: Readonly<Record<InternalCommand['type'], Right>> = {
  'show-proxyconfig': 'administrators',
  'alter-proxyconfig': 'administrators',
  'ping-proxy': 'everyone',
  'select-proxy-version': 'everyone',
  'show-processlist': 'everyone',
  'show-proxysession': 'everyone',
  'show-proxysession-attribute': 'everyone',
  'show-proxysession-variables': 'everyone',
  'show-proxysession-stat': 'everyone',
  'show-proxysession-read-stale': 'everyone',
  'show-proxycluster': 'administrators',
  'show-proxycluster-idc': 'administrators',
  'show-proxyresource': 'administrators',
  'delete-proxyresource': 'administrators',
  'show-proxyinfo-binary': 'administrators',
  'show-proxyinfo-upgrade': 'administrators',
  'show-proxyinfo-idc': 'administrators',
  'show-proxyinfo-configserver': 'administrators',
  'show-proxycongestion': 'administrators',
  'show-proxycongestion-history': 'administrators',
  'show-proxyroute': 'administrators',
  'show-proxyroute-partition': 'administrators',
  'show-proxyroute-globalindex': 'administrators',
  'show-proxyroute-routine': 'administrators',
  'explain-route': 'everyone',
  'kill-connection': 'everyone',
  'kill-query': 'everyone',
  'kill-proxysession': 'administrators-only',
  invalid: 'administrators',
};

/** What happens to a command of this caller. */
export function commandVerdict(
  { identity, sharesIds }: { readonly identity: Identity; readonly sharesIds: boolean },
  command: InternalCommand,
): 'run' | 'forward' | 'refuse' {
  if (identity === 'inspector') return command.type === 'ping-proxy' ? 'run' : 'refuse';
  // The servers' list has the sessions of all proxies, by the same ids.
  if (command.type === 'show-processlist' && sharesIds) return 'forward';
  if (identity !== 'ordinary') return 'run';
  const right = rights[command.type];
  if (right === 'everyone') return 'run';
  if (command.type === 'invalid' && command.head === 'KILL PROXYSESSION') return 'refuse';
  // A server would read a KILL's expression, and take the id for one of its own: it could end somebody else.
  if (command.type === 'invalid' && command.head === 'KILL') return 'run';
  return right === 'administrators' ? 'forward' : 'refuse';
}
