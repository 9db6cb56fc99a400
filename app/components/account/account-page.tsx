'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { toast } from 'sonner';
import { ErrorText } from '@/components/error-text.tsx';
import { useUser } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Button, buttonClass } from '@/components/ui/button.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { LogInList } from '@/components/users/log-in-list.tsx';
import { endLogIns, logInsKey, logInsQuery } from '@/lib/user-queries.ts';

/** Oneself: role, rights, and where one is logged in. */
export function AccountPage() {
  const t = useText('users');
  const { name, role, permissions } = useUser();
  const client = useQueryClient();
  const { data } = useQuery(logInsQuery(null));
  const end = useMutation({
    mutationFn: (logIn: string | null) => endLogIns(null, { logIn, reason: '' }),
    onSuccess: (ended) => toast.success(ended === 0 ? t('noEffect') : t('ended', { count: ended })),
    onError: (error) => toast.error(<ErrorText error={error} />),
    onSettled: () => client.invalidateQueries({ queryKey: logInsKey }),
  });
  const others = data?.logIns.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  return (
    <div className="grid items-start gap-4 p-4 lg:gap-5 lg:p-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <Panel
        title={t('whereYouAre')}
        aside={
          others > 0 ? (
            <Button size="sm" disabled={end.isPending} onClick={() => end.mutate(null)}>
              {t('endOthers')}
            </Button>
          ) : undefined
        }
      >
        <LogInList userId={null} onEnd={({ id }) => end.mutate(id)} />
        <p className="border-t border-line px-4 py-2.5 text-xs text-muted">{t('endsByItself')}</p>
      </Panel>
      <Panel
        title={t('self')}
        aside={
          <Link href="/password" className={buttonClass('secondary', 'sm')}>
            {t('changePassword')}
          </Link>
        }
      >
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 px-4 py-3 text-sm [&_dt]:text-muted">
          <dt>{t('name')}</dt>
          <dd>
            <PlainText text={name} />
          </dd>
          <dt>{t('role')}</dt>
          <dd>{role}</dd>
          <dt>{t('rights')}</dt>
          <dd>
            <ul>
              {permissions.map((permission) => (
                <li key={permission}>
                  <code className="font-mono text-xs">{permission}</code>
                </li>
              ))}
            </ul>
          </dd>
        </dl>
      </Panel>
    </div>
  );
}
