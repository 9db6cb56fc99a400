'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { keepCookie, zoneCookie } from '@/lib/preferences.ts';
import { zonedTime } from '@/lib/time.ts';

interface TimeZoneChoice {
  /** IANA name of the zone that times are shown in. */
  readonly zone: string;
  readonly mode: 'local' | 'utc';
  readonly setMode: (mode: 'local' | 'utc') => void;
}

const TimeZoneContext = createContext<TimeZoneChoice>({ zone: 'UTC', mode: 'utc', setMode: () => undefined });

interface TimeZoneProviderProps {
  initial: { mode: 'local' | 'utc'; zone: string };
  children: ReactNode;
}

/** The zone of all times shown: the browser's own or UTC. The server knows it from a cookie, so that both render alike. */
export function TimeZoneProvider({ initial, children }: TimeZoneProviderProps) {
  const [mode, setMode] = useState(initial.mode);
  const [local, setLocal] = useState(initial.zone);
  useEffect(() => {
    setLocal(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  }, []);
  const choice = useMemo(() => ({ mode, setMode, zone: mode === 'utc' ? 'UTC' : local }), [mode, local]);
  useEffect(() => {
    keepCookie(zoneCookie, mode === 'utc' ? 'utc' : `local:${local}`);
  }, [mode, local]);
  return <TimeZoneContext value={choice}>{children}</TimeZoneContext>;
}

/** The zone that times are shown in, and how to change it. */
export function useTimeZone(): TimeZoneChoice {
  return useContext(TimeZoneContext);
}

/** A time as day, clock and offset, e.g. `2024-10-27 02:30:00 +02:00`; the machine form in its attributes. */
export function Time({ iso, short = false }: { iso: string; short?: boolean }) {
  const { zone } = useTimeZone();
  const { day, clock, offset } = zonedTime(iso, zone);
  return (
    <time dateTime={iso} title={`${iso} (UTC)`} className="tabular whitespace-nowrap">
      {day} {short ? clock.slice(0, 5) : clock}
      <span className="text-subtle"> {offset}</span>
    </time>
  );
}
