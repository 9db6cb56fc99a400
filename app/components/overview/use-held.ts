'use client';

import { type FocusEvent, useRef, useState } from 'react';

interface Held<Value> {
  /** What was shown when somebody began to point at it or moved the focus into it; as it is now while nobody does. */
  readonly value: Value;
  readonly isHeld: boolean;
  /** For the element around it. */
  readonly handlers: {
    readonly onPointerEnter: () => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: () => void;
    readonly onBlur: (event: FocusEvent) => void;
  };
}

/** Keeps what is under the pointer or has the focus as it is: nothing may move away from a finger. */
export function useHeld<Value>(now: Value): Held<Value> {
  const [held, setHeld] = useState<{ readonly value: Value } | null>(null);
  const isPointed = useRef(false);
  const hasFocus = useRef(false);
  const update = (): void => {
    if (!isPointed.current && !hasFocus.current) setHeld(null);
    else setHeld((old) => old ?? { value: now });
  };
  return {
    value: held === null ? now : held.value,
    isHeld: held !== null,
    handlers: {
      onPointerEnter: () => {
        isPointed.current = true;
        update();
      },
      onPointerLeave: () => {
        isPointed.current = false;
        update();
      },
      onFocus: () => {
        hasFocus.current = true;
        update();
      },
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
        hasFocus.current = false;
        update();
      },
    },
  };
}
