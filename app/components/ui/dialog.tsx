'use client';

import { lazy, type ReactNode, Suspense, useState } from 'react';

// The first dialog that somebody opens fetches what all of them are made of: no page needs it to begin with.
const Modal = lazy(() => import('./modal.tsx').then((module) => ({ default: module.Modal })));

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** One sentence below the title; read out when the dialog opens. */
  description: string;
  className?: string | undefined;
  /** Finds what gets the focus first; without it that is the first thing that can have it. */
  initialFocus?: () => HTMLElement | null;
  children: ReactNode;
}

/** A modal dialog: focus goes in, stays in, and returns to where it was. A sheet from below on a phone. */
export function Dialog(props: DialogProps) {
  const [used, setUsed] = useState(props.open);
  if (props.open && !used) setUsed(true);
  return used ? (
    <Suspense>
      <Modal {...props} />
    </Suspense>
  ) : null;
}
