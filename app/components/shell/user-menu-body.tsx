'use client';

import { Keyboard, KeyRound, KeySquare, LogOut, MonitorSmartphone } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { DropdownMenu as Menu } from 'radix-ui';
import type { ReactNode } from 'react';
import { useLanguageChoice } from '@/components/language-switch.tsx';
import { useText } from '@/components/texts.tsx';
import { useTheme } from '@/components/theme.ts';
import { useTimeZone } from '@/components/time-zone.tsx';
import { cn } from '@/lib/class-names.ts';
import { languages } from '@/lib/language.ts';
import { parseTheme } from '@/lib/preferences.ts';
import { useSignOut } from './sign-out.ts';
import { type UserMenuProps, UserMenuTrigger } from './user-menu.tsx';

const itemClass =
  'flex h-8 cursor-default items-center gap-2.5 rounded-md px-2.5 text-sm outline-none data-[highlighted]:bg-hover';

/** The menu itself, open from the beginning: somebody has asked for it. */
export function UserMenuBody({ place, openSheet }: UserMenuProps) {
  const t = useText('shell');
  const common = useText('common');
  const router = useRouter();
  const signOut = useSignOut();
  const [theme, setTheme] = useTheme();
  const [language, setLanguage] = useLanguageChoice();
  const { mode, setMode } = useTimeZone();
  const sidebar = place === 'sidebar';
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger asChild>
        <UserMenuTrigger place={place} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content
          side={sidebar ? 'top' : 'bottom'}
          align={sidebar ? 'start' : 'end'}
          sideOffset={6}
          collisionPadding={8}
          className="pop-in z-40 w-60 rounded-lg border border-line bg-raised p-1.5 shadow-pop"
        >
          <ChoiceGroup
            label={t('theme')}
            value={theme}
            onChange={(value) => setTheme(parseTheme(value))}
            choices={[
              ['system', t('theme.system')],
              ['light', t('theme.light')],
              ['dark', t('theme.dark')],
            ]}
          />
          <ChoiceGroup
            label={t('timesIn')}
            value={mode}
            onChange={(value) => setMode(value === 'utc' ? 'utc' : 'local')}
            choices={[
              ['local', t('timesIn.local')],
              ['utc', 'UTC'],
            ]}
          />
          <ChoiceGroup
            label={common('language')}
            value={language}
            onChange={setLanguage}
            choices={languages.map((one) => [one.language, one.name] as const)}
          />
          <Menu.Separator className="my-1.5 h-px bg-line" />
          <Item icon={<Keyboard aria-hidden className="size-4 text-subtle" />} onSelect={openSheet}>
            {t('keyboardShortcuts')}
          </Item>
          <Item
            icon={<MonitorSmartphone aria-hidden className="size-4 text-subtle" />}
            onSelect={() => router.push('/account')}
          >
            {t('yourAccount')}
          </Item>
          <Item
            icon={<KeyRound aria-hidden className="size-4 text-subtle" />}
            onSelect={() => router.push('/password')}
          >
            {t('changePassword')}
          </Item>
          <Item icon={<KeySquare aria-hidden className="size-4 text-subtle" />} onSelect={() => router.push('/tokens')}>
            {t('page.tokens')}
          </Item>
          <Item icon={<LogOut aria-hidden className="size-4 text-subtle" />} onSelect={() => void signOut()}>
            {t('signOut')}
          </Item>
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Item({ icon, onSelect, children }: { icon: ReactNode; onSelect: () => void; children: ReactNode }) {
  return (
    <Menu.Item className={itemClass} onSelect={onSelect}>
      {icon}
      {children}
    </Menu.Item>
  );
}

interface ChoiceGroupProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  choices: readonly (readonly [string, string])[];
}

function ChoiceGroup({ label, value, onChange, choices }: ChoiceGroupProps) {
  return (
    <div className="flex h-9 items-center justify-between gap-2 px-2.5">
      <span className="text-sm text-muted">{label}</span>
      <Menu.RadioGroup
        value={value}
        onValueChange={onChange}
        aria-label={label}
        className="flex rounded-md bg-inset p-0.5"
      >
        {choices.map(([choice, word]) => (
          <Menu.RadioItem
            key={choice}
            value={choice}
            onSelect={(event) => event.preventDefault()}
            className={cn(
              'cursor-default rounded px-2 py-0.5 text-xs text-muted outline-none data-[highlighted]:text-fg data-[highlighted]:underline',
              'data-[state=checked]:bg-raised data-[state=checked]:font-medium data-[state=checked]:text-fg data-[state=checked]:shadow-sm',
            )}
          >
            {word}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </div>
  );
}
