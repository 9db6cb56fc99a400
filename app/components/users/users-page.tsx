'use client';

import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { lazy, Suspense } from 'react';
import { ErrorText } from '@/components/error-text.tsx';
import { ProxyClock } from '@/components/proxy-clock.tsx';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { usersQuery } from '@/lib/user-queries.ts';
import { RoleMatrix } from './role-matrix.tsx';
import { UserTable } from './user-table.tsx';

// Fetched when somebody is looked at: the list needs nothing of it.
const UserDialog = lazy(() => import('./user-dialog.tsx').then((module) => ({ default: module.UserDialog })));
const CreateDialog = lazy(() => import('./create-dialog.tsx').then((module) => ({ default: module.CreateDialog })));

const tasks = ['create', 'role', 'disable', 'enable', 'reset', 'unlock', 'end'] as const;
export type UserTask = Exclude<(typeof tasks)[number], 'create'>;

const view = { user: parseAsInteger, do: parseAsStringLiteral(tasks) };

/** Who may use the console: roles, states, log-ins, and what administrators do about them. */
export function UsersPage() {
  const [{ user: userId, do: task }, setView] = useQueryStates(view, { history: 'replace' });
  const t = useText('users');
  const mayManage = useMay('users.manage');
  const query = useQuery(usersQuery);
  const answer = query.data;
  if (answer === undefined) {
    return query.isError ? <QueryFailure query={query} what={t('theUsers')} /> : <TableSkeleton rows={6} />;
  }
  const { users, roles, rights } = answer;
  const close = (): void => void setView({ user: null, do: null });
  const open = (user: number, next: UserTask | null = null): void => void setView({ user, do: next });
  return (
    <ProxyClock at={answer.at} receivedAtMs={query.dataUpdatedAt}>
      <div className="grid gap-4 p-4 lg:gap-5 lg:p-6">
        {query.isError ? (
          <Notice tone="warn">{t.rich('notReadNow', { detail: <ErrorText error={query.error} /> })}</Notice>
        ) : null}
        <Panel
          title={t('title')}
          aside={
            mayManage ? (
              <Button size="sm" onClick={() => void setView({ user: null, do: 'create' })}>
                <UserPlus aria-hidden className="size-3.5" />
                {t('add')}
              </Button>
            ) : (
              <p className="tabular text-xs text-muted">{users.length}</p>
            )
          }
        >
          <UserTable users={users} onOpen={open} mayManage={mayManage} />
        </Panel>
        <Panel title={t('whatRolesMay')}>
          <RoleMatrix roles={roles} rights={rights} />
        </Panel>
      </div>
      <Suspense>
        {userId !== null ? (
          <UserDialog
            user={users.find(({ id }) => id === userId)}
            roles={roles}
            task={mayManage && task !== 'create' ? task : null}
            mayManage={mayManage}
            onTask={(next) => open(userId, next)}
            onClose={close}
          />
        ) : null}
        {userId === null && task === 'create' && mayManage ? <CreateDialog roles={roles} onClose={close} /> : null}
      </Suspense>
    </ProxyClock>
  );
}
