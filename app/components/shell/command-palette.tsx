'use client';

import { useQuery } from '@tanstack/react-query';
import { Command, useCommandState } from 'cmdk';
import {
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  MonitorSmartphone,
  Moon,
  Search,
  SlidersHorizontal,
  Sun,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Dialog as Radix } from 'radix-ui';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { useTheme } from '@/components/theme.ts';
import { paletteScore } from '@/lib/palette-score.ts';
import { parametersQuery } from '@/lib/queries.ts';
import { ParameterFacts } from './parameter-facts.tsx';
import { useSignOut } from './sign-out.ts';
import { usePages } from './use-pages.ts';
import { useMay } from './user-context.tsx';

interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  openSheet: () => void;
  /** What was typed before this was there. */
  typed: string;
  /** Enter was pressed before this was there. */
  entered: boolean;
}

/** One field for everything: pages, parameters, actions. */
export function CommandPalette({ open, onOpenChange, openSheet, typed, entered }: CommandPaletteProps) {
  const t = useText('shell');
  const input = useRef<HTMLInputElement>(null);
  const router = useRouter();
  const signOut = useSignOut();
  const [, setTheme] = useTheme();
  const mayRead = useMay('parameters.read');
  const pages = usePages();
  const { data } = useQuery({ ...parametersQuery, enabled: open && mayRead });
  const [pointed, setPointed] = useState('');
  const [text, setText] = useState(typed);
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    setText('');
  }
  const parameter = data?.parameters.find(({ name }) => name === pointed);
  const run = (action: () => void) => () => {
    onOpenChange(false);
    action();
  };
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            // Not selected, so that who is typing goes on typing.
            event.preventDefault();
            input.current?.focus();
          }}
          className="pop-in fixed inset-x-3 top-[10vh] z-50 mx-auto max-w-xl overflow-hidden rounded-xl border border-line bg-raised shadow-pop"
        >
          <Radix.Title className="sr-only">{t('find')}</Radix.Title>
          <Command loop filter={paletteScore} value={pointed} onValueChange={setPointed}>
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Search aria-hidden className="size-4 shrink-0 text-subtle" />
              <Command.Input
                ref={input}
                value={text}
                onValueChange={setText}
                placeholder={t('find')}
                className="h-12 w-full bg-transparent text-base outline-none"
              />
            </div>
            <Command.List className="max-h-[min(24rem,60dvh)] overflow-y-auto p-1.5 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-subtle">
              <Command.Empty className="px-3 py-8 text-center text-sm text-muted">{t('nothingFound')}</Command.Empty>
              <Command.Group heading={t('pages')}>
                {pages.map((page) => (
                  <Entry
                    key={page.href}
                    icon={page.icon}
                    text={t(page.title)}
                    about={[page.href.slice(1)]}
                    onSelect={run(() => router.push(page.href))}
                  />
                ))}
              </Command.Group>
              <Command.Group heading={t('actions')}>
                <Entry icon={Sun} text={t('lightTheme')} onSelect={run(() => setTheme('light'))} />
                <Entry icon={Moon} text={t('darkTheme')} onSelect={run(() => setTheme('dark'))} />
                <Entry icon={Keyboard} text={t('keyboardShortcuts')} onSelect={run(openSheet)} />
                <Entry icon={MonitorSmartphone} text={t('yourAccount')} onSelect={run(() => router.push('/account'))} />
                <Entry icon={KeyRound} text={t('changePassword')} onSelect={run(() => router.push('/password'))} />
                <Entry icon={LogOut} text={t('signOut')} onSelect={run(() => void signOut())} />
              </Command.Group>
              <Command.Group heading={t('parameters')}>
                {data?.parameters.map(({ name, value, info, group }) => (
                  <Entry
                    key={name}
                    icon={SlidersHorizontal}
                    text={name}
                    detail={value}
                    about={[info, group]}
                    onSelect={run(() => router.push(`/configuration?q=${encodeURIComponent(`name:${name}`)}`))}
                  />
                ))}
              </Command.Group>
            </Command.List>
            {entered ? <OwedEnter typed={typed} input={input} /> : null}
            {parameter === undefined ? null : <ParameterFacts parameter={parameter} />}
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface OwedEnterProps {
  typed: string;
  input: RefObject<HTMLInputElement | null>;
}

/** Presses the Enter that came before the palette did, as soon as the list has found what was typed. */
function OwedEnter({ typed, input }: OwedEnterProps) {
  const isFiltered = useCommandState(({ search }) => search === typed);
  useEffect(() => {
    if (!isFiltered) return;
    // The first of what was found is pointed at only after this.
    const frame = requestAnimationFrame(() => {
      input.current?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    });
    return () => cancelAnimationFrame(frame);
  }, [isFiltered, input]);
  return null;
}

interface EntryProps {
  icon: LucideIcon;
  text: string;
  detail?: string;
  /** What it is found by besides its text. */
  about?: string[];
  onSelect: () => void;
}

function Entry({ icon: Icon, text, detail, about = [], onSelect }: EntryProps) {
  return (
    <Command.Item
      value={text}
      keywords={about}
      onSelect={onSelect}
      className="flex h-9 cursor-default items-center gap-3 rounded-md px-2.5 text-sm data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-subtle" />
      <span className={detail === undefined ? '' : 'font-mono'}>{text}</span>
      {detail ? <span className="ml-auto max-w-40 truncate font-mono text-xs text-subtle">{detail}</span> : null}
    </Command.Item>
  );
}
