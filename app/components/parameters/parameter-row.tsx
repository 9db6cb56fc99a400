'use client';

import { KeyRound, Lock } from 'lucide-react';
import Link from 'next/link';
import { memo } from 'react';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { isModified, valueText } from '@/lib/parameter-value.ts';
import type { Parameter } from '../../../proxy/control/contract.ts';
import { ConflictNote } from './conflict-note.tsx';
import type { Draft } from './draft-provider.tsx';
import { ParameterEditor } from './parameter-editor.tsx';
import { ParameterLevels } from './parameter-levels.tsx';
import { pendingChange, shownValue } from './pending-change.ts';

interface ParameterRowProps {
  parameter: Parameter;
  draft: Draft | undefined;
}

/** One parameter: what it is, its value to edit, what is allowed, who changed it last. */
export const ParameterRow = memo(function ParameterRow({ parameter, draft }: ParameterRowProps) {
  const t = useText('parameters');
  const shell = useText('shell');
  const mayWrite = useMay('parameters.write');
  const change = draft === undefined ? null : pendingChange(t, parameter, draft);
  const modified = isModified(parameter);
  const cell = cn('border-b border-line py-2 align-top', change !== null && 'bg-accent-soft/60');
  return (
    <tr id={parameter.name} data-parameter={parameter.name} className="group/row hover:bg-hover/60">
      <th scope="row" className={cn(cell, 'pr-4 pl-4 text-left font-normal lg:pl-6')}>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-0.5">
          <code className="font-mono text-xs font-medium [overflow-wrap:anywhere] sm:text-sm">{parameter.name}</code>
          {modified ? <Badge tone="accent">{t('modifiedBadge')}</Badge> : null}
          {parameter.needReboot ? <Badge title={t('restartBadgeAbout')}>{t('restartBadge')}</Badge> : null}
          {parameter.honoured ? null : <Badge title={t('unusedBadgeAbout')}>{t('unusedBadge')}</Badge>}
          {parameter.readOnly ? <Mark icon={Lock} word={t('readOnly')} /> : null}
          {parameter.secret ? <Mark icon={KeyRound} word={t('secret')} /> : null}
        </div>
        <p lang="en" title={parameter.info} className="mt-0.5 line-clamp-1 text-xs text-muted max-sm:line-clamp-2">
          {parameter.info}
        </p>
      </th>
      <td className={cn(cell, 'pt-1 pr-4')}>
        <ParameterEditor parameter={parameter} change={change} disabled={parameter.readOnly || !mayWrite} />
        {parameter.pendingValue === null ? null : (
          <p className="mt-1 pl-2 text-xs text-warn [overflow-wrap:anywhere]">
            {t.rich('inForceUntil', {
              value: <PlainText text={shownValue(shell, parameter, parameter.value)} className="font-mono" />,
            })}{' '}
            {mayWrite ? (
              <Link href="/upgrade?order=restart" className="text-accent underline">
                {t('restartMore')}
              </Link>
            ) : null}
          </p>
        )}
        <ParameterLevels parameter={parameter} mayWrite={mayWrite} />
        {change?.conflict ? <ConflictNote change={change} /> : null}
      </td>
      <td className={cn(cell, 'pt-3 pr-4 max-lg:hidden')}>
        <PlainText
          text={valueText(shell, parameter.defaultValue)}
          className={cn(
            'block truncate font-mono text-xs',
            parameter.defaultValue === '' ? 'text-subtle' : 'text-muted',
          )}
        />
      </td>
      <td className={cn(cell, 'pt-3 pr-4 text-xs text-muted max-lg:hidden')}>
        <span>{parameter.type}</span>
        {parameter.range ? <Range text={parameter.range} /> : null}
      </td>
      <td className={cn(cell, 'pt-2.5 pr-6 text-xs text-muted max-xl:hidden')}>
        {parameter.changedAt === null ? (
          <span className="text-subtle">{t('never')}</span>
        ) : (
          <>
            <PlainText text={parameter.changedBy ?? t('unknown')} className="block truncate text-fg" />
            <Time iso={parameter.changedAt} short />
          </>
        )}
      </td>
    </tr>
  );
});

/** `[1s,1h]`, broken after the comma when it must be. */
function Range({ text }: { text: string }) {
  const [low, high] = text.split(/,(.*)/s);
  return (
    <span className="font-mono">
      {' '}
      {high === undefined ? low : `${low},`}
      <wbr />
      {high}
    </span>
  );
}

function Mark({ icon: Icon, word }: { icon: typeof Lock; word: string }) {
  return (
    <span title={word} className="text-subtle">
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">{word}</span>
    </span>
  );
}
