'use client';

import Link from 'next/link';
import { buttonClass } from '@/components/ui/button.tsx';
import { FilterSelect } from '@/components/ui/filter-select.tsx';
import { SearchBox } from '@/components/ui/search-box.tsx';
import { cn } from '@/lib/class-names.ts';
import { pairValue, withPair } from '@/lib/filter-text.ts';
import { parameterMarks } from '@/lib/parameter-filter.ts';
import { isModified } from '@/lib/parameter-value.ts';
import type { Parameter } from '../../../proxy/control/contract.ts';
import { useDrafts } from './draft-provider.tsx';

interface ParameterFilterProps {
  text: string;
  onChange: (text: string) => void;
  parameters: readonly Parameter[];
  /** How many parameters the text leaves. */
  shown: number;
}

/** The search box, its quick filters and its groups; all of them write one text, which the URL keeps. */
export function ParameterFilter({ text, onChange, parameters, shown }: ParameterFilterProps) {
  const { count } = useDrafts();
  const mark = pairValue(text, 'is');
  const group = pairValue(text, 'group');
  const marks = Object.entries(parameterMarks)
    .map(([word, meaning]) => `${word} (${meaning})`)
    .join(', ');
  const groups = [...new Set(parameters.map((parameter) => parameter.group))].sort();
  const quick = [
    { mark: null, word: 'All', number: parameters.length },
    { mark: 'modified', word: 'Modified', number: parameters.filter(isModified).length },
    { mark: 'edited', word: 'Edited', number: count },
    { mark: 'pending', word: 'Pending restart', number: parameters.filter((one) => one.pendingValue !== null).length },
  ];
  return (
    <div className="z-10 flex flex-wrap items-center gap-2 border-b border-line bg-bg px-4 py-2.5 lg:sticky lg:top-(--head) lg:px-6">
      <SearchBox
        value={text}
        onChange={onChange}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
        label="Search parameters"
        placeholder="Search, or is:modified type:time group:…"
        helpId="parameter-search-help"
        help={`Words, or key:value with the keys is, group, type, by, name and value. After is: ${marks}.`}
        className="basis-64 lg:max-w-md"
      />
      <FilterSelect
        label="Group"
        value={groups.find((one) => one.toLowerCase() === group?.toLowerCase()) ?? ''}
        options={[
          ['', 'All groups'],
          ...groups.map((one) => [one, one.charAt(0).toUpperCase() + one.slice(1)] as const),
        ]}
        onChange={(value) => onChange(withPair(text, 'group', value || null))}
        className="max-w-40"
      />
      <fieldset className="flex max-w-full items-center gap-0.5 overflow-x-auto rounded-md bg-inset p-0.5">
        <legend className="sr-only">Quick filters</legend>
        {quick.map(({ mark: one, word, number }) => (
          <button
            key={word}
            type="button"
            aria-pressed={mark === one}
            onClick={() => onChange(withPair(text, 'is', one))}
            className={cn(
              'flex h-7 items-center gap-1.5 whitespace-nowrap rounded px-2.5 text-xs text-muted hover:text-fg',
              mark === one && 'bg-raised font-medium text-fg shadow-sm',
            )}
          >
            {word}
            <span className="tabular text-subtle">{number}</span>
          </button>
        ))}
      </fieldset>
      <p role="status" className="tabular ml-auto text-xs text-muted max-sm:sr-only">
        {shown} of {parameters.length}
      </p>
      <span className="flex items-center gap-1">
        <a href="/api/parameters/file" download className={buttonClass('ghost', 'sm')}>
          Export
        </a>
        <Link href="/configuration/compare" className={buttonClass('ghost', 'sm')}>
          Compare or import
        </Link>
      </span>
    </div>
  );
}
