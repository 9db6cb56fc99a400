'use client';

import { FilterSelect } from '@/components/ui/filter-select.tsx';
import { SearchBox } from '@/components/ui/search-box.tsx';
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
      <SearchBox
        value={view.q}
        maxLength={400}
        onChange={(q) => onChange({ q })}
        label="Search the locations"
        placeholder={clusters > 1 ? 'database.table, or cluster:… tenant:…' : 'database.table, or tenant:… server:…'}
        helpId="locations-search-help"
        help="Part of database.table, or key:value with the keys cluster, tenant, database and server."
      />
      <FilterSelect label="Kind" value={view.kind} options={kinds} onChange={(kind) => onChange({ kind })} />
      <FilterSelect label="State" value={view.state} options={states} onChange={(state) => onChange({ state })} />
      <p role="status" className="tabular ml-auto text-xs text-muted">
        {countText(shown)} of {countText(matches)}
      </p>
    </div>
  );
}
