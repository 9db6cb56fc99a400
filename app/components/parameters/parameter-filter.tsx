'use client';

import Link from 'next/link';
import { useText } from '@/components/texts.tsx';
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
  const t = useText('parameters');
  const { count } = useDrafts();
  const mark = pairValue(text, 'is');
  const group = pairValue(text, 'group');
  const marks = parameterMarks.map((one) => `${one} (${t(`mark.${one}`)})`).join(', ');
  const groups = [...new Set(parameters.map((parameter) => parameter.group))].sort();
  const quick = [
    { mark: null, word: t('all'), number: parameters.length },
    { mark: 'modified', word: t('modified'), number: parameters.filter(isModified).length },
    { mark: 'edited', word: t('edited'), number: count },
    {
      mark: 'pending',
      word: t('pendingRestart'),
      number: parameters.filter((one) => one.pendingValue !== null).length,
    },
  ];
  return (
    <div className="z-10 flex flex-wrap items-center gap-2 border-b border-line bg-bg px-4 py-2.5 lg:sticky lg:top-(--head) lg:px-6">
      <SearchBox
        value={text}
        onChange={onChange}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
        label={t('search')}
        placeholder={t('searchHint')}
        helpId="parameter-search-help"
        help={t('searchHelp', { marks })}
        className="basis-64 lg:max-w-md"
      />
      <FilterSelect
        label={t('group')}
        value={groups.find((one) => one.toLowerCase() === group?.toLowerCase()) ?? ''}
        options={[
          ['', t('allGroups')],
          ...groups.map((one) => [one, one.charAt(0).toUpperCase() + one.slice(1)] as const),
        ]}
        onChange={(value) => onChange(withPair(text, 'group', value || null))}
        className="max-w-40"
      />
      <fieldset className="flex max-w-full items-center gap-0.5 overflow-x-auto rounded-md bg-inset p-0.5">
        <legend className="sr-only">{t('quickFilters')}</legend>
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
        {t('shownOf', { shown, total: parameters.length })}
      </p>
      <span className="flex items-center gap-1">
        <a href="/api/parameters/file" download className={buttonClass('ghost', 'sm')}>
          {t('exportFile')}
        </a>
        <Link href="/configuration/compare" className={buttonClass('ghost', 'sm')}>
          {t('compareOrImport')}
        </Link>
      </span>
    </div>
  );
}
