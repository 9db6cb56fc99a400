'use client';

import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react';
import { toast } from 'sonner';
import { useText } from '@/components/texts.tsx';
import { alertsNeedStream } from '@/lib/alert-choices.ts';
import { LiveConnection, type LivePhase, type LiveStatus } from '@/lib/live-connection.ts';
import { meQuery } from '@/lib/user-queries.ts';
import { visibleText } from '@/lib/visible-text.ts';
import type { LiveEvent } from '../../../proxy/control/contract.ts';
import { applyEvent, changeAnnouncement, openEventStream, readEvent } from './live-stream.ts';

const LiveContext = createContext<LiveStatus>({ phase: 'connecting', lastEventAtMs: null });
const PhaseContext = createContext<LivePhase>('connecting');

/** A hidden tab gives its stream back after this long: browsers allow few per host. */
const hiddenLimitMs = 60_000;

/** Many changes at once make one new look at the history. */
const historyWaitMs = 200;

/** Holds the page's one event stream and feeds the query cache from it. */
export function LiveProvider({ userName, children }: { userName: string; children: ReactNode }) {
  const t = useText('shell');
  const client = useQueryClient();
  const [status, setStatus] = useState<LiveStatus>({ phase: 'connecting', lastEventAtMs: null });

  // Another language is no reason for another stream.
  const announce = useEffectEvent((event: LiveEvent) => {
    const news = changeAnnouncement(event, userName, t);
    if (news !== null) toast(visibleText(news.text), { id: news.parameter });
  });

  useEffect(() => {
    let historyTimer: ReturnType<typeof setTimeout> | undefined;
    const askHistoryAgain = (): void => {
      historyTimer ??= setTimeout(() => {
        historyTimer = undefined;
        void client.invalidateQueries({ queryKey: ['history'] });
      }, historyWaitMs);
    };
    const connection = new LiveConnection({
      open: openEventStream,
      onStatus: (next) => {
        setStatus(next);
        // The stream may be lost because the log-in is: then this leads to the sign-in page.
        if (next.phase === 'stale') void client.invalidateQueries({ queryKey: meQuery.queryKey });
      },
      onData: (data) => {
        const event = readEvent(data);
        if (event === null) return;
        applyEvent(client, event, askHistoryAgain);
        announce(event);
      },
      poll: () => void client.refetchQueries({ type: 'active' }),
      random: Math.random,
    });
    let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
    let paused = false;
    const onVisibility = (): void => {
      clearTimeout(hiddenTimer);
      if (document.hidden) {
        hiddenTimer = setTimeout(() => {
          // Somebody wants to be told of listings just while looking elsewhere.
          if (alertsNeedStream()) return;
          paused = true;
          connection.pause();
        }, hiddenLimitMs);
      } else if (paused) {
        paused = false;
        connection.start();
      }
    };
    const onOnline = (): void => connection.start();
    connection.start();
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('online', onOnline);
    return () => {
      clearTimeout(hiddenTimer);
      clearTimeout(historyTimer);
      connection.stop();
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('online', onOnline);
    };
  }, [client]);

  return (
    <PhaseContext value={status.phase}>
      <LiveContext value={status}>{children}</LiveContext>
    </PhaseContext>
  );
}

/** Whether the page is live; changes far less often than `useLiveStatus`. */
export function useLivePhase(): LivePhase {
  return useContext(PhaseContext);
}

/** Whether the page is live, and since when it is not. */
export function useLiveStatus(): LiveStatus {
  return useContext(LiveContext);
}
