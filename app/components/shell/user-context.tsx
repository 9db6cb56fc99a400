'use client';

import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { toast } from 'sonner';
import { useText } from '@/components/texts.tsx';
import { meQuery } from '@/lib/user-queries.ts';
import type { Permission, User } from '../../../proxy/control/contract.ts';

const UserContext = createContext<User | null>(null);

/**
 * Makes the signed-in user known to the components below, and keeps it true: another role, which the event stream is
 * ended for, shows at once.
 * @param user as the server knew it with the page
 */
export function UserProvider({ user, children }: { user: User; children: ReactNode }) {
  const t = useText('shell');
  const { data } = useQuery({ ...meQuery, initialData: user });
  const role = useRef(data.role);
  useEffect(() => {
    if (role.current === data.role) return;
    role.current = data.role;
    toast.warning(t('roleChanged', { role: data.role }), { id: 'role' });
  }, [data.role, t]);
  return <UserContext value={data}>{children}</UserContext>;
}

/** The signed-in user. Throws outside of the console's own pages. */
export function useUser(): User {
  const user = useContext(UserContext);
  if (user === null) throw new Error('useUser: no user above');
  return user;
}

/** Whether to offer something; the proxy decides again in each call. */
export function useMay(permission: Permission): boolean {
  return useUser().permissions.includes(permission);
}
