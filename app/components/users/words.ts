import type { StateLook } from '@/lib/server-state.ts';
import type { Text } from '@/lib/text.ts';
import type { UserOrder } from '@/lib/user-queries.ts';
import type { Catalog } from '@/messages/catalog.ts';
import type { Account, AccountState } from '../../../proxy/control/contract.ts';

const looks: Readonly<Record<AccountState, Omit<StateLook, 'word'>>> = {
  active: { tone: 'ok', shape: 'disc' },
  'one-time': { tone: 'info', shape: 'turn' },
  locked: { tone: 'warn', shape: 'triangle' },
  disabled: { tone: 'neutral', shape: 'ring' },
};

/** What stands in the way of a log-in, as a word, a colour and a shape. */
export const stateLook = (state: AccountState, t: Text<Catalog['users']>): StateLook => ({
  ...looks[state],
  word: t(`state.${state}`),
});

/** What an administrator can do to somebody, in the order of the buttons. */
export function ordersFor({ state, isSelf }: Account): readonly UserOrder[] {
  const own: UserOrder[] = state === 'locked' ? ['unlock'] : [];
  if (isSelf) return own;
  return [...own, 'role', 'reset', state === 'disabled' ? 'enable' : 'disable'];
}
