import type { HistoryRow } from '../../../proxy/control/contract.ts';
import type { Text } from '../../lib/text.ts';
import type { Catalog } from '../../messages/catalog.ts';

type HistoryText = Text<Catalog['history']>;

/** What came of a row, with the workers that a change is in force in. */
export function outcomeText(t: HistoryText, { outcome, workers }: Pick<HistoryRow, 'outcome' | 'workers'>): string {
  const word = t(`outcome.${outcome}`);
  return workers === null ? word : t('outcomeIn', { outcome: word, applied: appliedText(t, workers) });
}

/** In how many workers a change is in force. */
export function appliedText(t: HistoryText, { applied, total }: NonNullable<HistoryRow['workers']>): string {
  return t('appliedIn', { applied, count: total });
}
