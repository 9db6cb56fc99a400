'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Equal, GitCompareArrows } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { parseAsString, useQueryStates } from 'nuqs';
import { useState } from 'react';
import { useDrafts } from '@/components/parameters/draft-provider.tsx';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { readSide, sideOf, writeSide } from '@/lib/compare-side.ts';
import { compareQuery, parametersQuery } from '@/lib/queries.ts';
import type { CompareDifference, ConfigFile } from '../../../proxy/control/contract.ts';
import { CompareNotes } from './compare-notes.tsx';
import { DifferenceList } from './difference-list.tsx';
import { SidePicker } from './side-picker.tsx';
import { TakeOverDialog } from './take-over-dialog.tsx';

const view = { from: parseAsString.withDefault('now'), to: parseAsString.withDefault('file') };

/** Two configurations side by side – now, a point in time, a file of this proxy or another – and the way to take one over. */
export function ComparePage() {
  const t = useText('compare');
  const [state, setState] = useQueryStates(view, { history: 'replace' });
  const [files, setFiles] = useState<{ from: ConfigFile | null; to: ConfigFile | null }>({ from: null, to: null });
  const [takingOver, setTakingOver] = useState(false);
  const [from, to] = [readSide(state.from), readSide(state.to)];
  const [left, right] = [sideOf(from, files.from), sideOf(to, files.to)];
  const request = left === null || right === null ? null : { from: left, to: right };
  const query = useQuery({ ...compareQuery(request), placeholderData: keepPreviousData });
  const data = request === null ? undefined : query.data;
  const fromNow = from.kind === 'now';
  const usable = data?.differences.filter(({ problem }) => problem === null) ?? [];
  const mayWrite = useMay('parameters.write');
  const edit = useEdit();
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line px-4 py-2.5 lg:px-6">
        <SidePicker
          label={t('from')}
          side={from}
          onChange={(side) => void setState({ from: writeSide(side) })}
          onFile={(file) => setFiles((old) => ({ ...old, from: file }))}
        />
        <SidePicker
          label={t('to')}
          side={to}
          onChange={(side) => void setState({ to: writeSide(side) })}
          onFile={(file) => setFiles((old) => ({ ...old, to: file }))}
        />
      </div>
      <div className="grid gap-4 p-4 lg:p-6">
        {request === null ? (
          <EmptyState icon={GitCompareArrows} title={t('choose')}>
            {t('chooseAbout')}
          </EmptyState>
        ) : query.isError ? (
          <QueryFailure query={query} what={t('theComparison')} />
        ) : data === undefined ? (
          <TableSkeleton rows={6} />
        ) : (
          <>
            <CompareNotes response={data} showRefusal={fromNow} />
            {data.differences.length === 0 ? (
              <EmptyState icon={Equal} title={t('noDifference')}>
                {t('noDifferenceAbout')}
              </EmptyState>
            ) : (
              <>
                <div className="flex flex-wrap items-center gap-2">
                  <p role="status" className="mr-auto text-sm">
                    {t.rich('differenceCount', {
                      count: data.differences.length,
                      number: <b className="tabular font-semibold">{data.differences.length}</b>,
                    })}
                  </p>
                  {mayWrite && fromNow && usable.length > 0 ? (
                    <>
                      <Button onClick={() => edit(usable)}>{t('editFrom')}</Button>
                      <Button variant="primary" disabled={data.refusal !== null} onClick={() => setTakingOver(true)}>
                        {t('takeOverMore')}
                      </Button>
                    </>
                  ) : null}
                </div>
                <DifferenceList differences={data.differences} showProblems={fromNow} />
              </>
            )}
          </>
        )}
      </div>
      {takingOver && data !== undefined ? (
        <TakeOverDialog
          title={t('takeOverTitle', { count: usable.length })}
          differences={data.differences}
          refusal={data.refusal}
          onClose={() => setTakingOver(false)}
        />
      ) : null}
    </>
  );
}

/** Puts the values for everybody into the reader's own draft, and goes there; those for parts of the sessions are no part of it. */
function useEdit(): (differences: readonly CompareDifference[]) => void {
  const router = useRouter();
  const { edit } = useDrafts();
  const { data } = useQuery({ ...parametersQuery, enabled: useMay('parameters.read') });
  return (differences) => {
    for (const { name, scope, to } of differences) {
      const parameter = data?.parameters.find((one) => one.name === name);
      if (parameter !== undefined && scope === null && to !== null) edit(parameter, to);
    }
    router.push('/configuration?q=is:edited');
  };
}
