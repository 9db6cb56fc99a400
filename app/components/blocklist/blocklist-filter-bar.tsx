'use client';

import { X } from 'lucide-react';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { type BlocklistView, choicesOf } from '@/lib/blocklist-filter.ts';
import { cn } from '@/lib/class-names.ts';
import { listWord } from '@/lib/list-words.ts';
import { visibleText } from '@/lib/visible-text.ts';
import type { BlocklistCluster } from '../../../proxy/control/contract.ts';

interface BlocklistFilterBarProps {
  view: BlocklistView;
  clusters: readonly BlocklistCluster[];
  onChange: (next: Partial<BlocklistView>) => void;
}

/** Cluster, zone, server and list: for the servers and for the timeline alike. */
export function BlocklistFilterBar({ view, clusters, onChange }: BlocklistFilterBarProps) {
  const t = useText('blocklist');
  const shell = useText('shell');
  const choices = choicesOf(clusters, view);
  const filtered = Object.values(view).some((value) => value !== '');
  return (
    <div className="z-10 grid grid-cols-2 gap-2 border-b border-line bg-bg px-4 py-2.5 sm:flex sm:flex-wrap sm:items-center lg:sticky lg:top-(--head) lg:px-6">
      {choices.cluster.length > 1 || view.cluster !== '' ? (
        <Choice
          label={t('cluster')}
          any={t('anyCluster')}
          value={view.cluster}
          options={choices.cluster}
          onChange={(cluster) => onChange({ cluster, zone: '', server: '' })}
        />
      ) : null}
      <Choice
        label={t('zone')}
        any={t('anyZone')}
        value={view.zone}
        options={choices.zone}
        onChange={(zone) => onChange({ zone, server: '' })}
      />
      <Choice
        label={t('server')}
        any={t('anyServer')}
        value={view.server}
        options={choices.server}
        onChange={(server) => onChange({ server })}
      />
      <Choice
        label={t('list')}
        any={t('anyList')}
        value={view.list}
        options={choices.list}
        word={(list) => t('listOf', { list: listWord(shell, list) })}
        onChange={(list) => onChange({ list })}
      />
      {filtered ? (
        <Button
          variant="ghost"
          onClick={() => onChange({ cluster: '', zone: '', server: '', list: '', change: '' })}
          className="max-sm:justify-start"
        >
          <X aria-hidden className="size-4" />
          {t('clear')}
        </Button>
      ) : null}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  value: string;
  options: readonly string[];
  word?: (option: string) => string;
  onChange: (value: string) => void;
}

function Choice({ label, any, value, options, word = visibleText, onChange }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={cn(inputClass, 'min-w-0 sm:w-auto', value !== '' && 'border-accent')}
    >
      <option value="">{any}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {word(option)}
        </option>
      ))}
    </select>
  );
}
