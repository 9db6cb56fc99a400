'use client';

import { ChevronsUpDown } from 'lucide-react';
import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { useUser } from './user-context.tsx';

const Body = lazy(() => import('./user-menu-body.tsx').then((module) => ({ default: module.UserMenuBody })));

export interface UserMenuProps {
  place: 'sidebar' | 'header';
  openSheet: () => void;
}

/** Who is signed in; theme, time zone, password, shortcuts and the way out. The menu is fetched when it is first opened. */
export function UserMenu(props: UserMenuProps) {
  const [used, setUsed] = useState(false);
  const closed = (
    <UserMenuTrigger place={props.place} aria-haspopup="menu" aria-expanded={used} onClick={() => setUsed(true)} />
  );
  return used ? (
    <Suspense fallback={closed}>
      <Body {...props} />
    </Suspense>
  ) : (
    closed
  );
}

type TriggerProps = ComponentProps<'button'> & Pick<UserMenuProps, 'place'>;

/** The button that opens it; takes what a menu wants of its button. */
export function UserMenuTrigger({ place, ...rest }: TriggerProps) {
  const t = useText('shell');
  const user = useUser();
  const sidebar = place === 'sidebar';
  return (
    <button
      type="button"
      aria-label={t('accountOf', { name: user.name })}
      {...rest}
      className={cn('flex items-center gap-2.5 rounded-md text-left hover:bg-hover', sidebar ? 'w-full p-1.5' : 'p-1')}
    >
      <span
        aria-hidden
        className="grid size-7 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent uppercase"
      >
        {user.name.slice(0, 1)}
      </span>
      {sidebar ? (
        <>
          <span className="min-w-0 flex-1 leading-tight">
            <PlainText text={user.name} className="block truncate text-sm font-medium" />
            <span className="block text-xs text-subtle">{user.role}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 text-subtle" />
        </>
      ) : null}
    </button>
  );
}
