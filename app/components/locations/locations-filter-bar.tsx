'use client';

import { useText } from '@/components/texts.tsx';
import { FilterSelect } from '@/components/ui/filter-select.tsx';
import { SearchBox } from '@/components/ui/search-box.tsx';
import type { LocationsView } from '@/lib/locations-filter.ts';

interface LocationsFilterBarProps {
  view: LocationsView;
  onChange: (next: Partial<LocationsView>) => void;
  shown: number;
  matches: number;
  clusters: number;
}

const kinds = [
  ['', 'anyKind'],
  ['table', 'tables'],
  ['partition', 'partitions'],
  ['tenant', 'tenants'],
] as const;

const states = [
  ['', 'anyState'],
  ['known', 'known'],
  ['doubt', 'inDoubtOrFetched'],
  ['missing', 'notFound'],
] as const;

/** Search box, kind and state; how many there are. */
export function LocationsFilterBar({ view, onChange, shown, matches, clusters }: LocationsFilterBarProps) {
  const t = useText('locations');
  return (
    <div className="z-10 flex flex-wrap items-center gap-2 border-b border-line bg-bg px-4 py-2.5 lg:sticky lg:top-(--head) lg:px-6">
      <SearchBox
        value={view.q}
        maxLength={400}
        onChange={(q) => onChange({ q })}
        label={t('search')}
        placeholder={t(clusters > 1 ? 'searchExampleOfMany' : 'searchExample')}
        helpId="locations-search-help"
        help={t('searchHelp')}
      />
      <FilterSelect
        label={t('kind')}
        value={view.kind}
        options={kinds.map(([value, text]) => [value, t(text)])}
        onChange={(kind) => onChange({ kind })}
      />
      <FilterSelect
        label={t('state')}
        value={view.state}
        options={states.map(([value, text]) => [value, t(text)])}
        onChange={(state) => onChange({ state })}
      />
      <p role="status" className="tabular ml-auto text-xs text-muted">
        {t('shownOf', { shown, all: matches })}
      </p>
    </div>
  );
}
