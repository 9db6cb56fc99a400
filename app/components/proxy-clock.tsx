'use client';

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useLanguage } from '@/components/texts.tsx';
import { durationText } from '@/lib/time.ts';

const ClockContext = createContext<number | null>(null);

interface ProxyClockProps {
  /** The proxy's time when it answered last, and when that was by this browser's clock (milliseconds since 1970). */
  at: string;
  receivedAtMs: number;
  children: ReactNode;
}

/** Lets counters below tick by the proxy's clock: the reader's may be wrong by minutes. */
export function ProxyClock({ at, receivedAtMs, children }: ProxyClockProps) {
  const [nowMs, setNowMs] = useState<number | null>(null);
  useEffect(() => {
    const update = (): void => setNowMs(Date.now());
    update();
    const timer = setInterval(update, 1_000);
    return () => clearInterval(timer);
  }, []);
  const proxyNowMs = nowMs === null ? null : Math.max(Date.parse(at), nowMs + Date.parse(at) - receivedAtMs);
  return <ClockContext value={proxyNowMs}>{children}</ClockContext>;
}

/** Milliseconds since 1970 by the proxy's clock, once a second; null in the server's HTML. */
export function useProxyNow(): number | null {
  return useContext(ClockContext);
}

/** How long ago something was: `2 min 3 s`; a dash in the server's HTML. */
export function Elapsed({ since }: { since: string }) {
  const now = useProxyNow();
  const language = useLanguage();
  return (
    <span className="tabular whitespace-nowrap">
      {now === null ? '–' : durationText(now - Date.parse(since), language)}
    </span>
  );
}

/** How long until something: `2 min 3 s`; a dash in the server's HTML. */
export function Remaining({ until }: { until: string }) {
  const now = useProxyNow();
  const language = useLanguage();
  return (
    <span className="tabular whitespace-nowrap">
      {now === null ? '–' : durationText(Date.parse(until) - now, language)}
    </span>
  );
}
