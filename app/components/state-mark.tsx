'use client';

import { useText } from '@/components/texts.tsx';
import { cn } from '@/lib/class-names.ts';
import { type ServerState, type StateLook, serverLooks, type ZoneState, zoneLooks } from '@/lib/server-state.ts';
import type { Tone } from './ui/badge.tsx';

const colours: Record<Tone, string> = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  info: 'text-info',
  neutral: 'text-subtle',
  accent: 'text-accent',
};

const shapes: Record<StateLook['shape'], string> = {
  disc: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11z',
  triangle: 'M8 1.8 14.8 13.6H1.2z',
  // With a bar across, since eight corners look round when small.
  octagon: 'M4.9.5h6.2l4.4 4.4v6.2l-4.4 4.4H4.9L.5 11.1V4.9zM3.8 6.7v2.6h8.4V6.7z',
  ring: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 2.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7z',
  arrow: 'M8 1.5 14 8h-3.6v6.5H5.6V8H2z',
  turn: 'M8 1.5a6.5 6.5 0 1 1-6.2 4.6l2.3.7A4.1 4.1 0 1 0 8 3.9z',
};

interface MarkProps {
  /** Beside the word: how many are in this state. */
  count?: number;
  className?: string;
}

interface StateMarkProps extends MarkProps {
  look: StateLook;
  /** The name that SHOW PROXYCONGESTION prints. */
  state: string;
}

/** The state of a server, in the reader's language. */
export function ServerMark({ state, ...rest }: MarkProps & { state: ServerState }) {
  const t = useText('common');
  return <StateMark look={{ ...serverLooks[state], word: t(`server.${state}`) }} state={state} {...rest} />;
}

/** The state of a zone, in the reader's language. */
export function ZoneMark({ state, ...rest }: MarkProps & { state: ZoneState }) {
  const t = useText('common');
  return <StateMark look={{ ...zoneLooks[state], word: t(`zone.${state}`) }} state={state} {...rest} />;
}

/** A state told by shape, word and colour at once. */
export function StateMark({ look, state, count, className }: StateMarkProps) {
  return (
    <span
      title={state}
      className={cn(
        'inline-flex items-center gap-1.5 whitespace-nowrap text-xs font-medium',
        colours[look.tone],
        className,
      )}
    >
      <MarkShape look={look} className="size-3" />
      {count === undefined ? null : <span className="tabular">{count}</span>}
      {count === undefined ? look.word : look.word.toLowerCase()}
    </span>
  );
}

/** The shape of a state alone, where its word stands elsewhere. */
export function MarkShape({ look, className }: { look: StateLook; className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className={cn('shrink-0', colours[look.tone], className)}>
      <path d={shapes[look.shape]} fill="currentColor" fillRule="evenodd" />
    </svg>
  );
}
