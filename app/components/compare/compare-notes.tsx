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
  const sides = [
    ['From', response.from],
    ['To', response.to],
  ] as const;
  return (
    <>
      {sides.map(([word, { entry, at }]) =>
        entry === null ? null : (
          <p key={word} className="text-sm text-muted">
            {word}: {entry === 0 ? 'before the first entry of the history' : `after entry ${entry}`}
            {at === null ? null : (
              <>
                {' '}
                of <Time iso={at} />
              </>
            )}
          </p>
        ),
      )}
      {sides.some(([, { complete }]) => !complete) ? (
        <Notice tone="warn">
          The history of that time is not whole any more: some values may be those of a later time.
        </Notice>
      ) : null}
      {sides.map(([word, { skipped }]) =>
        skipped.length === 0 ? null : (
          <Notice key={word} tone="warn">
            <p>{word}: not compared.</p>
            <ul aria-label={`${word}: not compared`} className="mt-1 list-disc pl-4 text-xs">
              {skipped.map(({ name, reason }) => (
                <li key={`${name} ${reason}`} className="[overflow-wrap:anywhere]">
                  <PlainText text={name} className="font-mono" />: <PlainText text={reason} />
                </li>
              ))}
            </ul>
          </Notice>
        ),
      )}
      {showRefusal && response.refusal !== null ? (
        <Notice tone="bad">
          Taking it over would be refused: <PlainText text={response.refusal} />
        </Notice>
      ) : null}
    </>
  );
}
