'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Permission, User } from '../../../proxy/control/contract.ts';

const UserContext = createContext<User | null>(null);

/** Makes the signed-in user known to the components below. */
export function UserProvider({ user, children }: { user: User; children: ReactNode }) {
  return <UserContext value={user}>{children}</UserContext>;
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
