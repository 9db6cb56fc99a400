import { Undo2 } from 'lucide-react';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { PlanMoves } from '@/lib/plan-moves.ts';
import type { RouteQuestion } from '@/lib/route-question.ts';
import type { RoutePlan } from '../../../proxy/control/contract.ts';

interface WhatMovedProps {
  before: RoutePlan;
  now: RoutePlan;
  moves: PlanMoves;
  changes: readonly { key: keyof RouteQuestion; from: string; to: string }[];
  onBack: () => void;
}

/** What was changed last, and what that did to the plan. */
export function WhatMoved({ before, now, moves, changes, onBack }: WhatMovedProps) {
  const t = useText('routing');
  const server = now.goesTo ?? t('noServer');
  const target =
    now.goesTo === before.goesTo
      ? t('stillGoes', { server })
      : t('goesInstead', { server, before: before.goesTo ?? t('noServer') });
  const moved = moves.count === 0 ? t('noneMoved') : t('someMoved', { count: moves.count });
  return (
    <section
      aria-label={t('whatMoved')}
      className="flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-lg border border-line bg-info-soft px-4 py-2.5 text-sm text-info"
    >
      <p role="status" className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {changes.map(({ key, from, to }) => (
          <span key={key} className="mr-2">
            {t(`field.${key}`)}:{' '}
            {key === 'sql' ? (
              t('another')
            ) : (
              <>
                <s>
                  <PlainText text={from || t('default')} />
                </s>{' '}
                → <PlainText text={to || t('default')} />
              </>
            )}
          </span>
        ))}
        <b className="font-semibold">
          {moved}; <PlainText text={target} />
        </b>
      </p>
      <Button size="sm" onClick={onBack}>
        <Undo2 aria-hidden className="size-3.5" />
        {t('back')}
      </Button>
    </section>
  );
}
