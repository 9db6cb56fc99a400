import { ArrowDown, ArrowUp, Crown, ShieldBan } from 'lucide-react';
import { useText } from '@/components/texts.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { listWordWithin } from '@/lib/list-words.ts';
import type { Move, PlanMoves } from '@/lib/plan-moves.ts';
import type { RouteCandidate, RoutePlan } from '../../../proxy/control/contract.ts';

interface CandidateListProps {
  plan: RoutePlan;
  /** Against the plan before; null: there is none. */
  moves: PlanMoves | null;
  before: RoutePlan | null;
}

/** The servers in the order to be tried, each with why it stands there; beside them the order before. */
export function CandidateList({ plan, moves, before }: CandidateListProps) {
  const t = useText('routing');
  return (
    <Panel title={t('candidates')} aside={<p className="text-xs text-muted">{t('inOrder')}</p>}>
      {plan.candidates.length === 0 ? (
        <EmptyState icon={ShieldBan} title={t('noneMayBeUsed')}>
          {plan.refusal === null ? t('noneFits') : <PlainText text={plan.refusal} lang="en" />}
        </EmptyState>
      ) : (
        <div className={cn('grid', before !== null && 'lg:grid-cols-[minmax(0,1fr)_16rem]')}>
          <ol aria-label={t('candidatesInOrder')} className="divide-y divide-line">
            {plan.candidates.map((candidate, index) => (
              <Candidate
                key={candidate.address}
                candidate={candidate}
                place={index + 1}
                isTarget={plan.sharedBy.includes(candidate.address)}
                forced={plan.forced}
                move={moves?.byAddress.get(candidate.address) ?? null}
              />
            ))}
          </ol>
          {before === null ? null : <Before plan={before} />}
        </div>
      )}
    </Panel>
  );
}

interface CandidateProps {
  candidate: RouteCandidate;
  place: number;
  isTarget: boolean;
  forced: boolean;
  move: Move | null;
}

function Candidate({ candidate, place, isTarget, forced, move }: CandidateProps) {
  const t = useText('routing');
  const shell = useText('shell');
  const { address, role, zone, idc, region, reason, lists, isRetry, group } = candidate;
  const listNames = lists.map((list) => listWordWithin(shell, list)).join(', ');
  const isDropped = lists.length > 0 && !isRetry && !forced;
  return (
    <li data-candidate={address} className={cn('flex gap-3 px-4 py-2.5', isTarget && 'bg-accent-soft')}>
      <span
        className={cn(
          'tabular mt-0.5 grid size-6 shrink-0 place-items-center rounded-full border text-xs font-semibold',
          isTarget ? 'border-transparent bg-accent-fill text-white' : 'border-line-strong bg-inset',
        )}
      >
        {place}
      </span>
      <div className="min-w-0 flex-1 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <PlainText
            text={address}
            className={cn('font-mono [overflow-wrap:anywhere]', isDropped && 'text-muted line-through')}
          />
          {role === 'leader' ? (
            <Badge tone="warn">
              <Crown aria-hidden className="size-3" /> {t('leader')}
            </Badge>
          ) : role === 'follower' ? (
            <Badge>{t('follower')}</Badge>
          ) : null}
          {isTarget ? <Badge tone="accent">{t('goesHere')}</Badge> : null}
          {lists.length === 0 ? null : (
            <Badge tone="bad">
              <ShieldBan aria-hidden className="size-3" />
              {t(isRetry ? 'listRetry' : forced ? 'listForced' : 'listLeftOut', { lists: listNames })}
            </Badge>
          )}
          {move === null ? null : <Moved move={move} />}
        </p>
        <p className="mt-0.5 text-xs text-muted [overflow-wrap:anywhere]">
          <PlainText text={reason} lang="en" />
          <span className="text-muted">
            {' · '}
            <PlainText text={[zone, idc, region].filter((name) => name !== '').join(' · ') || t('placeNotKnown')} />
            {group === null ? '' : ` · ${t('class', { group: String(group) })}`}
          </span>
        </p>
      </div>
    </li>
  );
}

function Moved({ move }: { move: Move }) {
  const t = useText('routing');
  if (move.kind === 'same') return null;
  if (move.kind === 'new') return <Badge tone="info">{t('isNew')}</Badge>;
  const Arrow = move.kind === 'up' ? ArrowUp : ArrowDown;
  return (
    <Badge tone="info">
      <Arrow aria-hidden className="size-3" />
      {t(move.kind === 'up' ? 'movedUp' : 'movedDown', { from: move.from })}
    </Badge>
  );
}

function Before({ plan }: { plan: RoutePlan }) {
  const t = useText('routing');
  return (
    <section aria-label={t('planBefore')} className="border-line bg-inset px-4 py-3 max-lg:border-t lg:border-l">
      <h3 className="text-xs font-semibold text-muted">{t('before')}</h3>
      <ol className="mt-1.5 grid gap-1 text-xs">
        {plan.candidates.map(({ address }, index) => (
          <li key={address} className="flex gap-2">
            <span className="tabular w-4 text-right text-muted">{index + 1}</span>
            <PlainText
              text={address}
              className={cn('font-mono [overflow-wrap:anywhere]', plan.sharedBy.includes(address) && 'font-semibold')}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}
