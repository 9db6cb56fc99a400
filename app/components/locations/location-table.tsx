'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Crown, RefreshCw } from 'lucide-react';
import { toast } from 'sonner';
import { useMay } from '@/components/shell/user-context.tsx';
import { StateMark } from '@/components/state-mark.tsx';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { errorText, postJson } from '@/lib/api.ts';
import { cn } from '@/lib/class-names.ts';
import { hitRate, locationId } from '@/lib/locations-filter.ts';
import { countText } from '@/lib/numbers.ts';
import { locationsKey } from '@/lib/routing-queries.ts';
import type { StateLook } from '@/lib/server-state.ts';
import { durationText } from '@/lib/time.ts';
import { visibleText } from '@/lib/visible-text.ts';
import { type Location, locationRefreshResponseSchema } from '../../../proxy/control/contract.ts';

const looks: Readonly<Record<string, StateLook>> = {
  AVAIL: { word: 'Known', tone: 'ok', shape: 'disc' },
  DIRTY: { word: 'In doubt', tone: 'warn', shape: 'triangle' },
  UPDATING: { word: 'Fetching', tone: 'info', shape: 'turn' },
  BUILDING: { word: 'Asking', tone: 'info', shape: 'turn' },
};
const missing: StateLook = { word: 'Not found', tone: 'neutral', shape: 'ring' };
const unanswered: StateLook = { word: 'No answer', tone: 'bad', shape: 'octagon' };

function lookOf({ state, missing: why }: Location): StateLook {
  const look = looks[state];
  if (why !== null && state === 'AVAIL') return why === 'no-answer' ? unanswered : missing;
  return look ?? { word: state, tone: 'neutral', shape: 'ring' };
}

interface LocationTableProps {
  locations: readonly Location[];
  /** The proxy's clock when they were read. */
  at: string;
}

/** Locations by name. On a phone a row is one block. */
export function LocationTable({ locations, at }: LocationTableProps) {
  const client = useQueryClient();
  const mayRefresh = useMay('locations.refresh');
  const refresh = useMutation({
    mutationFn: async ({ cluster, tenant, database, table, tabletId }: Location) =>
      locationRefreshResponseSchema.parse(
        await postJson('/api/locations/refresh', { cluster, tenant, database, table, tabletId }),
      ),
    onSuccess: ({ location }, asked) => {
      const name = visibleText(nameOf(asked));
      if (location === null) toast.info(`${name} is not cached any more`);
      else toast.success(`${name}: leader ${location.leader ?? 'not known'}`);
      void client.invalidateQueries({ queryKey: locationsKey });
    },
    onError: (error) => void toast.error(errorText(error)),
  });
  const head = 'border-b border-line py-2 pr-4 text-left text-xs font-medium text-muted';
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 text-sm">
      <caption className="sr-only">Cached locations by name</caption>
      <thead className="max-md:sr-only">
        <tr>
          <th scope="col" className={cn(head, 'pl-4 lg:pl-6')}>
            Table or partition
          </th>
          <th scope="col" className={cn(head, 'w-60')}>
            Leader and replicas
          </th>
          <th scope="col" className={cn(head, 'w-28')}>
            State
          </th>
          <th scope="col" className={cn(head, 'w-28 text-right')}>
            Age
          </th>
          <th scope="col" className={cn(head, 'w-32 text-right')}>
            From memory
          </th>
          <th scope="col" className={cn(head, 'w-28')}>
            <span className="sr-only">Refresh</span>
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
}

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
  const rate = hitRate(location);
  const what =
    kind === 'tenant'
      ? 'servers of the tenant'
      : kind === 'partition'
        ? `partition, tablet ${tabletId}`
        : partitionCount > 1
          ? `table of ${partitionCount} partitions`
          : 'table';
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
          <span className="text-muted">no leader known</span>
        ) : (
          <span className="flex items-center gap-1.5">
            <Crown aria-hidden className="size-3.5 shrink-0 text-warn" />
            <span className="sr-only">leader</span>
            <PlainText text={leader} className="font-mono text-sm" />
          </span>
        )}
        {followers.length === 0 ? null : (
          <span title={visibleText(followers.join(', '))} className="block text-muted">
            and {followers.length} {followers.length === 1 ? 'other replica' : 'other replicas'}
          </span>
        )}
      </td>
      <td className={cn(cell, 'max-md:inline-block')}>
        <StateMark look={lookOf(location)} state={location.state} />
      </td>
      <td className={cn(cell, 'tabular text-right text-xs max-md:inline-block max-md:text-left')}>
        {updatedAt === null ? 'not yet' : `${durationText(Date.parse(at) - Date.parse(updatedAt))}`}
        <span className="md:hidden"> old</span>
      </td>
      <td className={cn(cell, 'tabular text-right text-xs max-md:text-left')}>
        {rate === null ? '–' : `${Math.floor(rate * 100)} %`}
        <span className="text-muted md:block">
          {' '}
          {countText(hits)} of {countText(hits + misses)}
          <span className="md:hidden"> from memory</span>
        </span>
      </td>
      <td className={cn(cell, 'text-right max-md:text-left')}>
        {onRefresh === undefined ? null : (
          <Button
            size="sm"
            disabled={isPending}
            onClick={onRefresh}
            aria-label={`Fetch ${visibleText(nameOf(location))} anew`}
          >
            <RefreshCw aria-hidden className="size-3.5" />
            {isPending ? 'Asking …' : 'Refresh'}
          </Button>
        )}
      </td>
    </tr>
  );
}
