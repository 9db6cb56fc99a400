'use client';

import Link from 'next/link';
import { useState } from 'react';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { visibleText } from '@/lib/visible-text.ts';
import type { Account, UsersResponse } from '../../../proxy/control/contract.ts';
import { EndForm } from './end-form.tsx';
import { LogInList } from './log-in-list.tsx';
import { OneTimePassword } from './one-time-password.tsx';
import { OrderForm } from './order-form.tsx';
import type { UserTask } from './users-page.tsx';
import { ordersFor, stateLook } from './words.ts';

interface UserDialogProps {
  /** Left out: there is none of that id. */
  user: Account | undefined;
  roles: UsersResponse['roles'];
  /** What is to be done; null: only looked at. */
  task: UserTask | null;
  mayManage: boolean;
  onTask: (task: UserTask | null) => void;
  onClose: () => void;
}

/** One user: facts, log-ins, and what an administrator does about them, one form at a time. */
export function UserDialog({ user, roles, task, mayManage, onTask, onClose }: UserDialogProps) {
  const t = useText('users');
  const [password, setPassword] = useState<string | null>(null);
  const [logIn, setLogIn] = useState<string | null>(null);
  const name = user === undefined ? t('unknownUser') : visibleText(user.name);
  const back = (): void => {
    setLogIn(null);
    onTask(null);
  };
  const title = password !== null ? t('passwordFor', { name }) : task === null ? name : t(`title.${task}`, { name });
  const about = t(password !== null ? 'beforeEnded' : task === null ? 'about' : `about.${task}`);
  return (
    <Dialog open onOpenChange={onClose} title={title} description={about} className="sm:w-[36rem]">
      {user === undefined ? (
        <div className="px-5 py-4">
          <Notice tone="warn">{t('noSuchUser')}</Notice>
        </div>
      ) : password !== null ? (
        <OneTimePassword name={name} password={password} onClose={onClose} />
      ) : task === 'end' ? (
        <EndForm user={user} logIn={logIn} onDone={back} onCancel={back} />
      ) : task !== null ? (
        <OrderForm
          key={task}
          user={user}
          order={task}
          roles={roles}
          onDone={(made) => (made === null ? back() : setPassword(made))}
          onCancel={back}
        />
      ) : (
        <>
          <div className="min-h-0 overflow-y-auto">
            <Facts user={user} />
            <h3 className="border-t border-line px-5 pt-3 text-sm font-semibold">{t('logIns')}</h3>
            <div className="px-1 pb-2">
              <LogInList
                userId={user.id}
                onEnd={
                  mayManage
                    ? ({ id }) => {
                        setLogIn(id);
                        onTask('end');
                      }
                    : undefined
                }
              />
            </div>
          </div>
          {mayManage ? <Orders user={user} onTask={onTask} /> : null}
        </>
      )}
    </Dialog>
  );
}

function Facts({ user }: { user: Account }) {
  const t = useText('users');
  const { name, role, state, createdAt, lastLogin, failures, lastFailure, lockedUntil } = user;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 px-5 py-4 text-sm [&_dt]:text-muted">
      <dt>{t('role')}</dt>
      <dd>{role}</dd>
      <dt>{t('state')}</dt>
      <dd>
        <StateMark look={stateLook(state, t)} state={state} />
        {lockedUntil === null ? null : (
          <span className="ml-1.5 text-xs text-muted">{t.rich('untilTime', { when: <Time iso={lockedUntil} /> })}</span>
        )}
      </dd>
      <dt>{t('since')}</dt>
      <dd>
        <Time iso={createdAt} />
      </dd>
      <dt>{t('lastLogIn')}</dt>
      <dd>
        {lastLogin === null
          ? t('never')
          : t.rich('atFrom', { when: <Time iso={lastLogin.at} />, address: <PlainText text={lastLogin.from} /> })}
      </dd>
      <dt>{t('wrongPasswordsHead')}</dt>
      <dd>
        {failures === 0 ? t('noneCount') : failures}
        {lastFailure === null ? null : (
          <span className="block text-xs text-muted">
            {t.rich('theLastOne', {
              when: <Time iso={lastFailure.at} />,
              address: <PlainText text={lastFailure.from} />,
            })}
          </span>
        )}
      </dd>
      <dt>{t('history')}</dt>
      <dd>
        <Link href={historyOf(`actor:${name}`)} className="text-accent hover:underline">
          {t('whatTheyDid')}
        </Link>
        {' · '}
        <Link href={historyOf(`"${name}:"`)} className="text-accent hover:underline">
          {t('whatWasDone')}
        </Link>
      </dd>
    </dl>
  );
}

const historyOf = (q: string): string => `/history?q=${encodeURIComponent(q)}`;

function Orders({ user, onTask }: { user: Account; onTask: (task: UserTask) => void }) {
  const t = useText('users');
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
      {user.isSelf ? (
        <p className="mr-auto text-xs text-muted">{t('ownIsFixed')}</p>
      ) : user.logIns > 0 ? (
        <Button onClick={() => onTask('end')}>{t('endAll')}</Button>
      ) : null}
      {ordersFor(user).map((order) => (
        <Button key={order} onClick={() => onTask(order)}>
          {t(`order.${order}`)}
        </Button>
      ))}
    </footer>
  );
}
