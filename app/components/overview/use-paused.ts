'use client';

import { useState } from 'react';

/** A value as it was when the page was paused, or first seen while it is; as it is now while it is not. */
export function usePaused<Value>(now: Value, at: string | null): Value {
  const [kept, setKept] = useState<{ readonly at: string; readonly value: Value } | null>(null);
  if (at === null) {
    if (kept !== null) setKept(null);
    return now;
  }
  if ((kept === null || kept.at !== at) && now !== undefined) {
    setKept({ at, value: now });
    return now;
  }
  return kept?.value ?? now;
}
