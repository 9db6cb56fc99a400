'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useRef } from 'react';
import { useText } from '@/components/texts.tsx';
import { cn } from '@/lib/class-names.ts';
import type { DialogProps } from './dialog.tsx';

/** The body of a dialog: see there. */
export function Modal({ open, onOpenChange, title, description, className, initialFocus, children }: DialogProps) {
  const t = useText('common');
  const opener = useRef<HTMLElement>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            if (document.activeElement instanceof HTMLElement) opener.current = document.activeElement;
            const target = initialFocus?.();
            if (!target) return;
            event.preventDefault();
            target.focus();
          }}
          onCloseAutoFocus={(event) => {
            // Radix would give it to its own kind of button, of which there is none here.
            event.preventDefault();
            opener.current?.focus();
          }}
          className={cn(
            'pop-in fixed z-50 flex max-h-[88dvh] flex-col border border-line bg-raised shadow-pop',
            'inset-x-0 bottom-0 rounded-t-xl sm:inset-x-auto sm:bottom-auto sm:top-[12vh] sm:left-1/2 sm:-translate-x-1/2',
            'sm:max-h-[76dvh] sm:w-[min(40rem,calc(100vw-2rem))] sm:rounded-xl',
            className,
          )}
        >
          <header className="flex items-start gap-4 border-b border-line px-5 py-3.5">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              <Radix.Description className="mt-0.5 text-sm text-muted">{description}</Radix.Description>
            </div>
            <Radix.Close
              aria-label={t('close')}
              className="-mr-2 grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-fg"
            >
              <X aria-hidden className="size-4" />
            </Radix.Close>
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
