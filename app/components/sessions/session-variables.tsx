'use client';

import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import type { SessionDetail } from '../../../proxy/control/contract.ts';

type Variable = SessionDetail['variables'][number];

const groups: readonly Variable['kind'][] = ['changed-system', 'user', 'system'];

/** All variables that the proxy keeps for the session, by where they come from; a part of name or value finds them. */
export function SessionVariables({ variables }: { variables: readonly Variable[] }) {
  const t = useText('sessions');
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const shown = variables.filter(({ name, value }) => `${name} ${value ?? ''}`.toLowerCase().includes(wanted));
  return (
    <Panel
      title={t('variables')}
      aside={
        <div className="flex items-center gap-3">
          <p role="status" className="tabular text-xs text-muted">
            {t('shownOf', { shown: shown.length, all: variables.length })}
          </p>
          <input
            data-search
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
            aria-label={t('searchVariables')}
            placeholder={t('nameOrValue')}
            className={cn(inputClass, 'w-40')}
          />
        </div>
      }
    >
      {shown.length === 0 ? (
        <p className="p-4 text-sm text-muted">{t(variables.length === 0 ? 'noVariables' : 'noVariableFits')}</p>
      ) : (
        groups.map((kind) => (
          <Group
            key={kind}
            word={t(`group.${kind}`)}
            // Hundreds that nobody has touched: there on request, or when they are searched for.
            isFolded={kind === 'system' && wanted === ''}
            variables={shown.filter((variable) => variable.kind === kind)}
          />
        ))
      )}
    </Panel>
  );
}

interface GroupProps {
  word: string;
  isFolded: boolean;
  variables: readonly Variable[];
}

function Group({ word, isFolded, variables }: GroupProps) {
  const t = useText('sessions');
  const [isOpen, setOpen] = useState(false);
  if (variables.length === 0) return null;
  return (
    <section className="border-b border-line px-4 py-3 last:border-0">
      <h3 className="text-xs font-medium text-muted">
        {isFolded ? (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="inline-flex items-center gap-1 rounded hover:text-fg"
          >
            <ChevronRight aria-hidden className={cn('size-3.5 transition-transform', isOpen && 'rotate-90')} />
            {t('groupCount', { group: word, count: variables.length })}
          </button>
        ) : (
          word
        )}
      </h3>
      {isFolded && !isOpen ? null : <VariableList variables={variables} />}
    </section>
  );
}

function VariableList({ variables }: { variables: readonly Variable[] }) {
  const t = useText('sessions');
  return (
    <dl className="mt-1.5 grid gap-x-6 gap-y-1 text-xs md:grid-cols-2 xl:grid-cols-3">
      {[...variables]
        .sort((left, right) => left.name.localeCompare(right.name))
        .map(({ name, value, group }) => (
          <div key={name} data-variable={name} className="flex min-w-0 items-baseline gap-2">
            <dt title={group === 'hot' ? t('comparedBefore') : undefined} className="shrink-0 font-mono text-muted">
              <PlainText text={name} />
            </dt>
            <dd className="min-w-0 truncate font-mono" title={value ?? undefined}>
              {value === null ? <span className="text-subtle">{t('hidden')}</span> : <PlainText text={value} />}
            </dd>
          </div>
        ))}
    </dl>
  );
}
