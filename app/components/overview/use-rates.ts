'use client';

import { useEffect, useRef, useState } from 'react';
import type { Overview } from '../../../proxy/control/contract.ts';

interface Sample {
  readonly atMs: number;
  readonly total: number;
  readonly byServer: ReadonlyMap<string, number>;
}

/** Requests per second; null until two samples are there, and after a restart of the proxy. */
export interface Rates {
  readonly total: number | null;
  readonly byServer: ReadonlyMap<string, number | null>;
}

/** Samples closer together than this give no honest rate. */
const shortestMs = 800;
const unknown: Rates = { total: null, byServer: new Map() };

/** Rates from the counters of successive overviews. */
export function useRates(overview: Overview | undefined, atMs: number): Rates {
  const last = useRef<Sample | null>(null);
  const [rates, setRates] = useState(unknown);
  useEffect(() => {
    if (overview === undefined) return;
    const before = last.current;
    if (before !== null && atMs - before.atMs < shortestMs) return;
    const now = sample(overview, atMs);
    last.current = now;
    if (before !== null) setRates(ratesBetween(before, now));
  }, [overview, atMs]);
  return rates;
}

function sample(overview: Overview, atMs: number): Sample {
  return {
    atMs,
    total: overview.proxy.workers.reduce((sum, worker) => sum + worker.requests, 0),
    byServer: new Map(
      overview.clusters.flatMap((cluster) => cluster.servers.map((server) => [server.address, server.requests])),
    ),
  };
}

function ratesBetween(before: Sample, now: Sample): Rates {
  const seconds = (now.atMs - before.atMs) / 1000;
  const rate = (from: number | undefined, to: number): number | null =>
    from === undefined || to < from ? null : (to - from) / seconds;
  return {
    total: rate(before.total, now.total),
    byServer: new Map(
      [...now.byServer].map(([address, count]) => [address, rate(before.byServer.get(address), count)]),
    ),
  };
}
