'use client';

import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { type LoadSample, sampleOf, withSample } from '@/lib/load-history.ts';
import { overviewQuery } from '@/lib/queries.ts';

const HistoryContext = createContext<readonly LoadSample[]>([]);

/** Keeps the counters of the last minutes while the console is open, whatever page is shown. */
export function LoadHistoryProvider({ children }: { children: ReactNode }) {
  const { data, dataUpdatedAt } = useQuery(overviewQuery);
  const [history, setHistory] = useState<readonly LoadSample[]>([]);
  useEffect(() => {
    if (data !== undefined) setHistory((old) => withSample(old, sampleOf(data, dataUpdatedAt)));
  }, [data, dataUpdatedAt]);
  return <HistoryContext value={history}>{children}</HistoryContext>;
}

/** Counters of the last minutes, oldest first. */
export function useLoadHistory(): readonly LoadSample[] {
  return useContext(HistoryContext);
}
