'use client';

import { Check } from 'lucide-react';
import { useText } from '@/components/texts.tsx';
import { cn } from '@/lib/class-names.ts';
import type { UsersResponse } from '../../../proxy/control/contract.ts';

const cell = 'border-b border-line px-3 py-2 text-left align-top';

/** Rights by role, as the proxy holds to them. On a phone it is read a role at a time. */
export function RoleMatrix({ roles, rights }: Pick<UsersResponse, 'roles' | 'rights'>) {
  const t = useText('users');
  return (
    <>
      <table className="w-full border-separate border-spacing-0 text-sm max-md:hidden [&_tbody_tr:last-child>*]:border-0">
        <caption className="sr-only">{t('whatRolesMay')}</caption>
        <thead>
          <tr>
            <th scope="col" className={cn(cell, 'pl-4 text-xs font-medium text-muted')}>
              {t('right')}
            </th>
            {roles.map(({ role, about }) => (
              <th key={role} scope="col" className={cn(cell, 'w-32 text-xs font-medium')}>
                {role}
                <span lang="en" className="mt-0.5 block font-normal text-muted max-xl:hidden">
                  {about}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rights.map(({ permission, about }) => (
            <tr key={permission} data-right={permission}>
              <th scope="row" className={cn(cell, 'pl-4 font-normal')}>
                <code className="font-mono text-xs">{permission}</code>
                <span lang="en" className="block text-xs text-muted">
                  {about}
                </span>
              </th>
              {roles.map(({ role, permissions }) => (
                <td key={role} data-role={role} className={cell}>
                  {permissions.includes(permission) ? (
                    <>
                      <Check aria-hidden className="size-4 text-ok" />
                      <span className="sr-only">{t('yes')}</span>
                    </>
                  ) : (
                    <>
                      <span aria-hidden className="text-subtle">
                        –
                      </span>
                      <span className="sr-only">{t('no')}</span>
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="divide-y divide-line md:hidden">
        {roles.map(({ role, about, permissions }) => (
          <details key={role} className="px-4 py-2.5 text-sm">
            <summary className="min-h-6 cursor-pointer">
              <span className="font-medium">{role}</span>
              <span lang="en" className="block text-xs text-muted">
                {about}
              </span>
            </summary>
            <ul className="mt-2 grid gap-1.5">
              {rights
                .filter(({ permission }) => permissions.includes(permission))
                .map((right) => (
                  <li key={right.permission}>
                    <code className="font-mono text-xs">{right.permission}</code>
                    <span lang="en" className="block text-xs text-muted">
                      {right.about}
                    </span>
                  </li>
                ))}
            </ul>
          </details>
        ))}
      </div>
    </>
  );
}
