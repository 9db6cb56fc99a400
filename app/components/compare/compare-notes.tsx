import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { CompareResponse } from '../../../proxy/control/contract.ts';

interface CompareNotesProps {
  response: CompareResponse;
  showRefusal: boolean;
}

/** What is worth knowing of the two sides: which entries they are, what is missing, what was left aside. */
export function CompareNotes({ response, showRefusal }: CompareNotesProps) {
  const t = useText('compare');
  const sides = [
    [t('from'), response.from],
    [t('to'), response.to],
  ] as const;
  return (
    <>
      {sides.map(([side, { entry, at }]) =>
        entry === null ? null : (
          <p key={side} className="text-sm text-muted">
            {entry === 0
              ? t('beforeFirst', { side })
              : at === null
                ? t('afterEntry', { side, entry: String(entry) })
                : t.rich('afterEntryAt', { side, entry: String(entry), when: <Time iso={at} /> })}
          </p>
        ),
      )}
      {sides.some(([, { complete }]) => !complete) ? <Notice tone="warn">{t('incomplete')}</Notice> : null}
      {sides.map(([side, { skipped }]) =>
        skipped.length === 0 ? null : (
          <Notice key={side} tone="warn">
            <p>{t('notCompared', { side })}</p>
            <ul aria-label={t('notCompared', { side })} className="mt-1 list-disc pl-4 text-xs">
              {skipped.map(({ name, reason }) => (
                <li key={`${name} ${reason}`} className="[overflow-wrap:anywhere]">
                  <PlainText text={name} className="font-mono" />: <PlainText text={reason} lang="en" />
                </li>
              ))}
            </ul>
          </Notice>
        ),
      )}
      {showRefusal && response.refusal !== null ? (
        <Notice tone="bad">
          {t.rich('takingOverRefused', { why: <PlainText text={response.refusal} lang="en" /> })}
        </Notice>
      ) : null}
    </>
  );
}
