'use client';

import { useQuery } from '@tanstack/react-query';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { isOn, storedValue } from '@/lib/parameter-value.ts';
import { parametersQuery } from '@/lib/queries.ts';
import type { Parameter, UpgradeState } from '../../../proxy/control/contract.ts';
import type { OrderName } from './upgrade-page.tsx';

/** Names of the parameters that the number of workers comes from. */
const workerNames = { most: 'work_thread_num', byCores: 'automatic_match_work_thread' } as const;

/** The two parameters that the number of workers comes from; null: they are not known (yet). */
export function workerParameters(
  parameters: readonly Parameter[] | undefined,
): { most: Parameter; byCores: Parameter } | null {
  const most = parameters?.find(({ name }) => name === workerNames.most);
  const byCores = parameters?.find(({ name }) => name === workerNames.byCores);
  return most === undefined || byCores === undefined ? null : { most, byCores };
}

interface WorkersPanelProps {
  state: UpgradeState;
  mayStart: boolean;
  /** Undefined: the reader may order nothing. */
  onOrder: ((order: OrderName) => void) | undefined;
}

/** How many workers carry the traffic, and a new number, which a restart puts in force. */
export function WorkersPanel({ state, mayStart, onOrder }: WorkersPanelProps) {
  const t = useText('upgrade');
  const { data } = useQuery({ ...parametersQuery, enabled: useMay('parameters.read') });
  const known = workerParameters(data?.parameters);
  const active = state.generations.find(({ role }) => role === 'active');
  return (
    <Panel
      title={t('workers')}
      aside={<p className="tabular text-xs text-muted">{t('workersNow', { count: active?.workers ?? 0 })}</p>}
    >
      {known === null ? null : (
        <p className="px-4 py-3 text-sm text-muted">
          {t(isOn(storedValue(known.byCores)) ? 'asCoresAtMost' : 'whateverCores', { most: storedValue(known.most) })}{' '}
          {t('workersAbout')}
        </p>
      )}
      {onOrder === undefined ? null : (
        <div className="grid border-t border-line px-4 py-3">
          <Button disabled={!mayStart || known === null} onClick={() => onOrder('workers')}>
            {t('changeWorkersButton')}
          </Button>
        </div>
      )}
    </Panel>
  );
}
