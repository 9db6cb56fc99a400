'use client';

import { Search } from 'lucide-react';
import { inputClass } from '@/components/ui/field.tsx';
import { cn } from '@/lib/class-names.ts';
import type { LocationsView } from '@/lib/locations-filter.ts';
import { countText } from '@/lib/numbers.ts';

interface LocationsFilterBarProps {
  view: LocationsView;
  onChange: (next: Partial<LocationsView>) => void;
  shown: number;
  matches: number;
  clusters: number;
}

const kinds = [
  ['', 'Any kind'],
  ['table', 'Tables'],
  ['partition', 'Partitions'],
  ['tenant', 'Tenants'],
] as const;

const states = [
  ['', 'Any state'],
  ['known', 'Known'],
  ['doubt', 'In doubt or being fetched'],
  ['missing', 'Not found'],
] as const;

/** Search box, kind and state; how many there are. */
export function LocationsFilterBar({ view, onChange, shown, matches, clusters }: LocationsFilterBarProps) {
  return (
    <div className="z-10 flex flex-wrap items-center gap-2 border-b border-line bg-bg px-4 py-2.5 lg:sticky lg:top-(--head) lg:px-6">
      <div className="relative min-w-0 flex-1 basis-60 xl:max-w-sm">
        <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-subtle" />
        <input
          data-search
          type="search"
          value={view.q}
          maxLength={400}
          onChange={(event) => onChange({ q: event.target.value })}
          aria-label="Search the locations"
          aria-describedby="locations-search-help"
          placeholder={clusters > 1 ? 'database.table, or cluster:… tenant:…' : 'database.table, or tenant:… server:…'}
          className={cn(inputClass, 'pl-8')}
        />
        <p id="locations-search-help" className="sr-only">
          Part of database.table, or key:value with the keys cluster, tenant, database and server.
        </p>
      </div>
      <select
        aria-label="Kind"
        value={view.kind}
        onChange={(event) => onChange({ kind: event.target.value })}
        className={cn(inputClass, 'w-auto')}
      >
        {kinds.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
      <select
        aria-label="State"
        value={view.state}
        onChange={(event) => onChange({ state: event.target.value })}
        className={cn(inputClass, 'w-auto')}
      >
        {states.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
      <p role="status" className="tabular ml-auto text-xs text-muted">
        {countText(shown)} of {countText(matches)}
      </p>
    </div>
  );
}
