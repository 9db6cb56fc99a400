'use client';

import { ChevronRight } from 'lucide-react';
import { Remaining } from '@/components/proxy-clock.tsx';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import type { Account } from '../../../proxy/control/contract.ts';
import type { UserTask } from './users-page.tsx';
import { stateLook } from './words.ts';

const cell =
  'border-b border-line py-2.5 pr-4 align-top text-left max-md:block max-md:border-0 max-md:py-0.5 max-md:pl-4';
const head = cn(cell, 'py-2 text-xs font-medium whitespace-nowrap text-muted');

interface UserTableProps {
  users: readonly Account[];
  mayManage: boolean;
  onOpen: (user: number, task?: UserTask) => void;
}

/** Everybody, by name; each opens to their log-ins and what can be done. */
export function UserTable({ users, mayManage, onOpen }: UserTableProps) {
  const t = useText('users');
  return (
    <table className="w-full border-separate border-spacing-0 text-sm max-md:block [&_tbody_tr:last-child>*]:border-0">
      <caption className="sr-only">{t('title')}</caption>
      <thead className="max-md:sr-only">
        <tr>
          <th scope="col" className={cn(head, 'pl-4')}>
            {t('user')}
          </th>
          <th scope="col" className={head}>
            {t('role')}
          </th>
          <th scope="col" className={head}>
            {t('state')}
          </th>
          <th scope="col" className={head}>
            {t('lastLogIn')}
          </th>
          <th scope="col" className={cn(head, 'text-right')}>
            {t('logIns')}
          </th>
          <th scope="col" className={cn(head, 'w-16')}>
            <span className="sr-only">{t('details')}</span>
          </th>
        </tr>
      </thead>
      <tbody className="max-md:block max-md:divide-y max-md:divide-line">
        {users.map((user) => (
          <UserRow key={user.id} user={user} mayManage={mayManage} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

function UserRow({ user, mayManage, onOpen }: Omit<UserTableProps, 'users'> & { user: Account }) {
  const t = useText('users');
  const { id, name, role, state, lastLogin, logIns, isSelf } = user;
  return (
    <tr data-user={name} data-state={state} className="relative hover:bg-hover/60 max-md:block max-md:py-2">
      <th scope="row" className={cn(cell, 'pl-4 font-medium')}>
        <PlainText text={name} className="[overflow-wrap:anywhere]" />
        {isSelf ? <Badge className="ml-2">{t('you')}</Badge> : null}
      </th>
      <td className={cell} data-testid="role">
        {role}
      </td>
      <td className={cell}>
        <StateMark look={stateLook(state, t)} state={state} />
        <StateDetail user={user} />
        {state === 'locked' && mayManage ? (
          <Button size="sm" className="relative z-10 mt-1.5 flex" onClick={() => onOpen(id, 'unlock')}>
            {t('order.unlock')}
          </Button>
        ) : null}
      </td>
      <td className={cell}>
        {lastLogin === null ? (
          <>
            <span className="text-muted max-md:hidden">{t('never')}</span>
            <span className="text-xs text-muted md:hidden">{t('lastLogInAt', { when: t('never') })}</span>
          </>
        ) : (
          <>
            <span className="max-md:hidden">
              <Time iso={lastLogin.at} />
            </span>
            <span className="text-xs text-muted md:hidden">
              {t.rich('lastLogInAt', { when: <Time iso={lastLogin.at} /> })}
            </span>
            <span className="block text-xs text-muted">
              {t.rich('from', { address: <PlainText text={lastLogin.from} /> })}
            </span>
          </>
        )}
      </td>
      <td className={cn(cell, 'tabular md:text-right')}>
        <span className="max-md:hidden">{logIns}</span>
        <span className="text-xs text-muted md:hidden">{t('countLogIns', { count: logIns })}</span>
      </td>
      <td className={cn(cell, 'text-right max-md:absolute max-md:top-2 max-md:right-0')}>
        <button
          type="button"
          aria-label={t('detailsOf', { name })}
          onClick={() => onOpen(id)}
          // The whole row is its target.
          className="inline-grid size-6 place-items-center rounded-md text-subtle after:absolute after:inset-0 hover:text-fg"
        >
          <ChevronRight aria-hidden className="size-4" />
        </button>
      </td>
    </tr>
  );
}

/** Why the state is as it is: until when it is locked, and where wrong passwords came from. */
function StateDetail({ user: { state, failures, lastFailure, lockedUntil } }: { user: Account }) {
  const t = useText('users');
  return (
    <span className="block text-xs text-muted [&>span]:block">
      {lockedUntil === null ? null : <span>{t.rich('forTime', { time: <Remaining until={lockedUntil} /> })}</span>}
      {failures === 0 || lastFailure === null ? null : (
        <span>{t.rich('wrongPasswords', { count: failures, address: <PlainText text={lastFailure.from} /> })}</span>
      )}
      {state === 'one-time' ? <span>{t('waitsForOwn')}</span> : null}
    </span>
  );
}
