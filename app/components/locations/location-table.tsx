'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Crown, RefreshCw } from 'lucide-react';
import { memo } from 'react';
import { toast } from 'sonner';
import { ErrorText } from '@/components/error-text.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { postJson } from '@/lib/api.ts';
import { cn } from '@/lib/class-names.ts';
import { hitRate, locationId } from '@/lib/locations-filter.ts';
import { locationsKey } from '@/lib/routing-queries.ts';
import type { StateLook } from '@/lib/server-state.ts';
import type { Text } from '@/lib/text.ts';
import { durationText } from '@/lib/time.ts';
import { visibleText } from '@/lib/visible-text.ts';
import type { Catalog } from '@/messages/catalog.ts';
import { type Location, locationRefreshResponseSchema } from '../../../proxy/control/contract.ts';

const looks = {
  AVAIL: { word: 'known', tone: 'ok', shape: 'disc' },
  DIRTY: { word: 'inDoubt', tone: 'warn', shape: 'triangle' },
  UPDATING: { word: 'fetching', tone: 'info', shape: 'turn' },
  BUILDING: { word: 'asking', tone: 'info', shape: 'turn' },
} as const;
const missing = { word: 'notFound', tone: 'neutral', shape: 'ring' } as const;
const unanswered = { word: 'noAnswer', tone: 'bad', shape: 'octagon' } as const;

function lookOf({ state, missing: why }: Location, t: Text<Catalog['locations']>): StateLook {
  const isMissing = why !== null && state === 'AVAIL';
  const look = isMissing ? (why === 'no-answer' ? unanswered : missing) : looks[state as keyof typeof looks];
  return look === undefined ? { word: state, tone: 'neutral', shape: 'ring' } : { ...look, word: t(look.word) };
}

interface LocationTableProps {
  locations: readonly Location[];
  /** The proxy's clock when they were read. */
  at: string;
}

/** Locations by name. On a phone a row is one block. Drawn anew only when they have changed. */
export const LocationTable = memo(function LocationTable({ locations, at }: LocationTableProps) {
  const t = useText('locations');
  const client = useQueryClient();
  const mayRefresh = useMay('locations.refresh');
  const refresh = useMutation({
    mutationFn: async ({ cluster, tenant, database, table, tabletId }: Location) =>
      locationRefreshResponseSchema.parse(
        await postJson('/api/locations/refresh', { cluster, tenant, database, table, tabletId }),
      ),
    onSuccess: ({ location }, asked) => {
      const name = visibleText(nameOf(asked));
      if (location === null) toast.info(t('notCached', { name }));
      else toast.success(t('leaderOf', { name, leader: location.leader ?? t('notKnown') }));
      void client.invalidateQueries({ queryKey: locationsKey });
    },
    onError: (error) => void toast.error(<ErrorText error={error} />),
  });
  const head = 'border-b border-line py-2 pr-4 text-left text-xs font-medium text-muted';
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 text-sm">
      <caption className="sr-only">{t('caption')}</caption>
      <thead className="max-md:sr-only">
        <tr>
          <th scope="col" className={cn(head, 'pl-4 lg:pl-6')}>
            {t('tableOrPartition')}
          </th>
          <th scope="col" className={cn(head, 'w-60')}>
            {t('leaderAndReplicas')}
          </th>
          <th scope="col" className={cn(head, 'w-28')}>
            {t('state')}
          </th>
          <th scope="col" className={cn(head, 'w-28 text-right')}>
            {t('age')}
          </th>
          <th scope="col" className={cn(head, 'w-32 text-right')}>
            {t('fromMemory')}
          </th>
          <th scope="col" className={cn(head, 'w-28')}>
            <span className="sr-only">{t('refresh')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {locations.map((location) => (
          <LocationRow
            key={locationId(location)}
            location={location}
            at={at}
            isPending={refresh.isPending && locationId(refresh.variables) === locationId(location)}
            onRefresh={mayRefresh ? () => refresh.mutate(location) : undefined}
          />
        ))}
      </tbody>
    </table>
  );
});

const nameOf = ({ database, table, tabletId, partitionName }: Location): string =>
  `${database}.${table}${tabletId === '0' ? '' : ` ${partitionName ?? `tablet ${tabletId}`}`}`;

interface LocationRowProps {
  location: Location;
  at: string;
  isPending: boolean;
  onRefresh: (() => void) | undefined;
}

function LocationRow({ location, at, isPending, onRefresh }: LocationRowProps) {
  const { cluster, tenant, kind, leader, followers, partitionCount, updatedAt, hits, misses, tabletId } = location;
  const t = useText('locations');
  const rate = hitRate(location);
  const what =
    kind === 'tenant'
      ? t('serversOfTenant')
      : kind === 'partition'
        ? t('partitionOfTablet', { id: tabletId })
        : partitionCount > 1
          ? t('tableOfPartitions', { count: partitionCount })
          : t('table');
  const cell = 'border-b border-line py-2 pr-4 align-top max-md:block max-md:border-0 max-md:py-0.5 max-md:pl-4';
  return (
    <tr data-location={nameOf(location)} className="max-md:block max-md:border-b max-md:border-line max-md:py-2.5">
      <th scope="row" className={cn(cell, 'pl-4 text-left font-normal lg:pl-6')}>
        <PlainText text={nameOf(location)} className="font-mono [overflow-wrap:anywhere]" />
        <span className="block text-xs text-muted [overflow-wrap:anywhere]">
          <PlainText text={`${tenant} · ${cluster}`} /> · {what}
        </span>
      </th>
      <td className={cn(cell, 'text-xs')}>
        {leader === null ? (
          <span className="text-muted">{t('noLeader')}</span>
        ) : (
          <span className="flex items-center gap-1.5">
            <Crown aria-hidden className="size-3.5 shrink-0 text-warn" />
            <span className="sr-only">{t('leader')}</span>
            <PlainText text={leader} className="font-mono text-sm" />
          </span>
        )}
        {followers.length === 0 ? null : (
          <span title={visibleText(followers.join(', '))} className="block text-muted">
            {t('andReplicas', { count: followers.length })}
          </span>
        )}
      </td>
      <td className={cn(cell, 'max-md:inline-block')}>
        <StateMark look={lookOf(location, t)} state={location.state} />
      </td>
      <td className={cn(cell, 'tabular text-right text-xs max-md:inline-block max-md:text-left')}>
        {updatedAt === null ? t('notYet') : durationText(Date.parse(at) - Date.parse(updatedAt), t.language)}
        <span className="md:hidden"> {t('old')}</span>
      </td>
      <td className={cn(cell, 'tabular text-right text-xs max-md:text-left')}>
        {rate === null ? '–' : `${Math.floor(rate * 100)} %`}
        <span className="text-muted md:block">
          {' '}
          {t('shownOf', { shown: hits, all: hits + misses })}
          <span className="md:hidden"> {t('fromMemory').toLowerCase()}</span>
        </span>
      </td>
      <td className={cn(cell, 'text-right max-md:text-left')}>
        {onRefresh === undefined ? null : (
          <Button
            size="sm"
            disabled={isPending}
            onClick={onRefresh}
            aria-label={t('fetchAnew', { name: visibleText(nameOf(location)) })}
          >
            <RefreshCw aria-hidden className="size-3.5" />
            {t(isPending ? 'askingNow' : 'refresh')}
          </Button>
        )}
      </td>
    </tr>
  );
}
