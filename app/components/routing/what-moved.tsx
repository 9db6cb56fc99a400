import { Undo2 } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { PlanMoves } from '@/lib/plan-moves.ts';
import type { RoutePlan } from '../../../proxy/control/contract.ts';

interface WhatMovedProps {
  before: RoutePlan;
  now: RoutePlan;
  moves: PlanMoves;
  changes: readonly { label: string; from: string; to: string }[];
  onBack: () => void;
}

/** What was changed last, and what that did to the plan. */
export function WhatMoved({ before, now, moves, changes, onBack }: WhatMovedProps) {
  const target = now.goesTo === before.goesTo ? `still goes to ${now.goesTo ?? 'no server'}` : targetText(before, now);
  const moved =
    moves.count === 0 ? 'no candidate moved' : `${moves.count} ${moves.count === 1 ? 'candidate' : 'candidates'} moved`;
  return (
    <section
      aria-label="What moved"
      className="flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-lg border border-line bg-info-soft px-4 py-2.5 text-sm text-info"
    >
      <p role="status" className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {changes.map(({ label, from, to }) => (
          <span key={label} className="mr-2">
            {label}:{' '}
            {label === 'Statement' ? (
              'another'
            ) : (
              <>
                <s>
                  <PlainText text={from || 'default'} />
                </s>{' '}
                → <PlainText text={to || 'default'} />
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
        Back
      </Button>
    </section>
  );
}

const targetText = (before: RoutePlan, now: RoutePlan): string =>
  `goes to ${now.goesTo ?? 'no server'} instead of ${before.goesTo ?? 'no server'}`;
