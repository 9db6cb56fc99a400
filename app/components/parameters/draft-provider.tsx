'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { sameValue, storedValue } from '@/lib/parameter-value.ts';
import type { Parameter } from '../../../proxy/control/contract.ts';

/** An edit that has not been applied: what was typed, and on top of which revision. */
export interface Draft {
  readonly value: string;
  readonly baseRevision: number;
}

interface Drafts {
  readonly drafts: ReadonlyMap<string, Draft>;
  readonly count: number;
  /** Take a new text for a parameter; going back to the current one removes the draft. */
  readonly edit: (parameter: Parameter, value: string) => void;
  /** Keep the text, now meant for the revision given: the other's change was seen. */
  readonly rebase: (parameter: Parameter) => void;
  readonly discard: (names: readonly string[]) => void;
}

const DraftContext = createContext<Drafts | null>(null);

/** Holds the edits of the Configuration page while the reader looks at other pages. They are this tab's alone (case B102). */
export function DraftProvider({ children }: { children: ReactNode }) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const value = useMemo<Drafts>(
    () => ({
      drafts,
      count: drafts.size,
      edit: (parameter, text) => setDrafts((old) => withEdit(old, parameter, text)),
      rebase: (parameter) => setDrafts((old) => withRebase(old, parameter)),
      discard: (names) => setDrafts((old) => new Map([...old].filter(([name]) => !names.includes(name)))),
    }),
    [drafts],
  );
  useEffect(() => {
    if (drafts.size === 0) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [drafts.size]);
  return <DraftContext value={value}>{children}</DraftContext>;
}

/** The edits not yet applied. Throws outside of the console's own pages. */
export function useDrafts(): Drafts {
  const drafts = useContext(DraftContext);
  if (drafts === null) throw new Error('useDrafts: no provider above');
  return drafts;
}

function withEdit(old: ReadonlyMap<string, Draft>, parameter: Parameter, value: string): ReadonlyMap<string, Draft> {
  const next = new Map(old);
  if (sameValue(parameter, value, storedValue(parameter))) next.delete(parameter.name);
  else next.set(parameter.name, { value, baseRevision: old.get(parameter.name)?.baseRevision ?? parameter.revision });
  return next;
}

function withRebase(old: ReadonlyMap<string, Draft>, parameter: Parameter): ReadonlyMap<string, Draft> {
  const draft = old.get(parameter.name);
  if (draft === undefined) return old;
  const next = new Map(old);
  if (sameValue(parameter, draft.value, storedValue(parameter))) next.delete(parameter.name);
  else next.set(parameter.name, { value: draft.value, baseRevision: parameter.revision });
  return next;
}
