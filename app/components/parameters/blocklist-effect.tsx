'use client';

import { useQuery } from '@tanstack/react-query';
import { WhatIf } from '@/components/blocklist/what-if.tsx';
import { blocklistQuery } from '@/lib/blocklist-queries.ts';
import type { PendingChange } from './pending-change.ts';

/** The changes tried on the failures of the last hours. */
export function BlocklistEffect({ changes }: { changes: readonly PendingChange[] }) {
  const { data } = useQuery(blocklistQuery);
  if (data === undefined || data.clusters.length === 0) return null;
  const listed = data.clusters.flatMap(({ servers }) => servers.filter(({ listings }) => listings.length > 0));
  return <WhatIf clusters={data.clusters} changes={changes} listedNow={listed.map(({ address }) => address)} />;
}
