'use client';

import { lazy, Suspense, useState } from 'react';
import { useText } from '@/components/texts.tsx';

const Palette = lazy(() => import('./command-palette.tsx').then((module) => ({ default: module.CommandPalette })));

interface LazyPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  openSheet: () => void;
}

/** The palette, fetched when it is first wanted. What is typed meanwhile is not lost, nor the Enter or Escape after it. */
export function LazyPalette(props: LazyPaletteProps) {
  const [used, setUsed] = useState(props.open);
  const [typed, setTyped] = useState('');
  const [entered, setEntered] = useState(false);
  if (props.open && !used) setUsed(true);
  if (!props.open && entered) setEntered(false);
  const waiting = props.open ? (
    <Waiting
      typed={typed}
      onType={setTyped}
      onEnter={() => setEntered(true)}
      onLeave={() => {
        setTyped('');
        props.onOpenChange(false);
      }}
    />
  ) : null;
  return used ? (
    <Suspense fallback={waiting}>
      <Palette {...props} typed={typed} entered={entered} />
    </Suspense>
  ) : null;
}

interface WaitingProps {
  typed: string;
  onType: (text: string) => void;
  onEnter: () => void;
  onLeave: () => void;
}

function Waiting({ typed, onType, onEnter, onLeave }: WaitingProps) {
  const t = useText('shell');
  return (
    <div className="fixed inset-x-3 top-[10vh] z-50 mx-auto max-w-xl rounded-xl border border-line bg-raised px-4 shadow-pop">
      <input
        // biome-ignore lint/a11y/noAutofocus: it was asked for by a key, and what follows is typed into it.
        autoFocus
        aria-label={t('find')}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') onEnter();
          else if (key === 'Escape') onLeave();
        }}
        className="h-12 w-full bg-transparent text-base outline-none"
      />
    </div>
  );
}
