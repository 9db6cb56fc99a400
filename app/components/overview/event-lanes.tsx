'use client';

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { MarkShape } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { cn } from '@/lib/class-names.ts';
import { groupLook, groupMarks, lanes, type Mark, type MarkGroup } from '@/lib/timeline-marks.ts';
import { visibleText } from '@/lib/visible-text.ts';
import { laneGrid } from './lane-grid.ts';

interface EventLanesProps {
  /** Newest first. */
  marks: readonly Mark[];
  fromMs: number;
  toMs: number;
  chosen: Mark | null;
  /** Marks under the pointer or with the focus; empty: none. */
  onPoint: (marks: readonly Mark[]) => void;
  onChoose: (id: string) => void;
}

/** A mark has this width, so that a finger finds it; nearer ones become one. */
const markPx = 26;

/** A lane for each kind of event. One stop of the Tab key: arrow keys go from mark to mark. The list below has the same. */
export function EventLanes({ marks, fromMs, toMs, chosen, onPoint, onChoose }: EventLanesProps) {
  const t = useText('overview');
  const box = useRef<HTMLDivElement>(null);
  const [gapShare, setGapShare] = useState(0.1);
  const [current, setCurrent] = useState('');
  useEffect(() => {
    const lane = box.current?.querySelector('[data-lane-course]');
    if (!lane) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0)
        setGapShare(Math.min(0.5, markPx / entry.contentRect.width));
    });
    observer.observe(lane);
    return () => observer.disconnect();
  }, []);
  const groups = lanes.map((lane) => ({
    lane,
    groups: groupMarks(
      marks.filter((mark) => mark.lane === lane),
      fromMs,
      toMs,
      gapShare,
    ),
  }));
  const all = groups.flatMap((lane) => lane.groups);
  const stop = all.some(({ marks: [first] }) => first.id === current) ? current : (all[0]?.marks[0].id ?? '');
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const inTime = all.toSorted((one, other) => one.marks[0].atMs - other.marks[0].atMs);
    const index = inTime.findIndex(({ marks: [first] }) => first.id === stop);
    const next = inTime[Math.min(inTime.length - 1, Math.max(0, index + step))]?.marks[0].id;
    if (next !== undefined) box.current?.querySelector<HTMLElement>(`[data-mark="${next}"]`)?.focus();
  };
  const chosenShare = chosen === null ? null : (chosen.atMs - fromMs) / (toMs - fromMs);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a toolbar of marks, not a set of fields.
    <div ref={box} role="group" aria-label={t('marks')} onKeyDown={onKeyDown} className="grid gap-px">
      {groups.map(({ lane, groups: own }) => (
        <div key={lane} data-lane={lane} className={laneGrid}>
          <span className="truncate text-xs text-muted">{t(`lane.${lane}`)}</span>
          <div data-lane-course className="relative h-7 border-b border-line bg-inset">
            {chosenShare === null ? null : (
              <span aria-hidden className="absolute inset-y-0 w-px bg-fg" style={{ left: `${chosenShare * 100}%` }} />
            )}
            {own.map((group) => (
              <GroupButton
                key={group.marks[0].id}
                group={group}
                isStop={group.marks[0].id === stop}
                isChosen={group.marks.some(({ id }) => id === chosen?.id)}
                onPoint={(isPointed) => {
                  if (isPointed) setCurrent(group.marks[0].id);
                  onPoint(isPointed ? group.marks : []);
                }}
                onChoose={() => onChoose(group.marks[0].id)}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

interface GroupButtonProps {
  group: MarkGroup;
  isStop: boolean;
  isChosen: boolean;
  onPoint: (isPointed: boolean) => void;
  onChoose: () => void;
}

function GroupButton({ group, isStop, isChosen, onPoint, onChoose }: GroupButtonProps) {
  const t = useText('overview');
  const [first] = group.marks;
  const count = group.marks.length;
  const look = groupLook(group);
  const more = count === 1 ? '' : `, ${t('andMore', { count: count - 1 })}`;
  return (
    <button
      type="button"
      data-mark={first.id}
      data-count={count}
      tabIndex={isStop ? 0 : -1}
      aria-pressed={isChosen}
      // Mostly the title, which is what has to be read out well.
      lang={first.titleLang}
      aria-label={visibleText(`${look.word}: ${first.title}${more}`)}
      onPointerEnter={() => onPoint(true)}
      onPointerLeave={() => onPoint(false)}
      onFocus={() => onPoint(true)}
      onBlur={() => onPoint(false)}
      onClick={onChoose}
      style={{ left: `${group.share * 100}%` }}
      className={cn(
        'absolute top-0.5 grid size-6 -translate-x-1/2 place-items-center rounded-md hover:bg-hover',
        isChosen && 'bg-hover ring-2 ring-accent',
      )}
    >
      <MarkShape look={look} className="size-3.5" />
      {count === 1 ? null : (
        <span
          aria-hidden
          className="tabular absolute -top-1 -right-1 rounded-full bg-panel px-1 text-[10px] leading-3.5 font-semibold"
        >
          {count > 99 ? '99+' : count}
        </span>
      )}
    </button>
  );
}
