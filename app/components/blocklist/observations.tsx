import type { ReactNode } from 'react';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { countText } from '@/lib/numbers.ts';
import type { Probe, ServerFailure } from '../../../proxy/control/contract.ts';
import { kindWord, lengthText } from './words.ts';

/** Failed requests of applications, newest first: when, what, whose, which statement. */
export function FailureList({ failures }: { failures: readonly ServerFailure[] }) {
  const t = useText('blocklist');
  return (
    <ol
      aria-label={t('failuresNewest')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
      tabIndex={0}
      className="max-h-80 overflow-y-auto divide-y divide-line rounded-md border border-line bg-panel"
    >
      {failures.toReversed().map((failure, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike to the last letter
        <li key={`${failure.at} ${index}`} data-failure={failure.kind} className="grid gap-0.5 px-3 py-2 text-xs">
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
            <Time iso={failure.at} />
            <span className="font-medium text-bad">
              {kindWord(t, failure.kind)}
              {failure.errno === 0 ? null : <span className="font-mono"> {failure.errno}</span>}
            </span>
            <span className="text-muted">{t('after', { time: lengthText(failure.tookMs) })}</span>
            <span className="text-muted">
              {failure.sessionId === 0 ? t('noSession') : t('session', { id: String(failure.sessionId) })}
            </span>
          </p>
          {failure.digest === '' ? null : (
            <code className="font-mono [overflow-wrap:anywhere]">
              <PlainText text={failure.digest} />
            </code>
          )}
          {failure.detail === '' ? null : (
            <p className="text-muted [overflow-wrap:anywhere]">
              <PlainText text={failure.detail} lang="en" />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Probes, newest first: when, answered or not, how long it took. */
export function ProbeList({ probes }: { probes: readonly Probe[] }) {
  const t = useText('blocklist');
  return (
    <ol
      aria-label={t('probesNewest')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
      tabIndex={0}
      className="max-h-60 overflow-y-auto divide-y divide-line rounded-md border border-line bg-panel"
    >
      {probes.toReversed().map((probe) => (
        <li key={probe.at} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-3 py-1.5 text-xs">
          <Time iso={probe.at} />
          {probe.ok ? (
            <StateMark look={{ word: t('answered'), tone: 'ok', shape: 'disc' }} state="" />
          ) : (
            <StateMark look={{ word: t('failed'), tone: 'bad', shape: 'octagon' }} state="" />
          )}
          <span className="text-muted">{t('after', { time: lengthText(probe.tookMs) })}</span>
          <PlainText text={probe.detail} lang="en" className="text-muted [overflow-wrap:anywhere]" />
        </li>
      ))}
    </ol>
  );
}

/** A titled part of what is known, with how many there are. */
export function Observations({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid min-w-0 content-start gap-1.5">
      <h5 className="text-xs font-medium text-muted">
        {title}
        {count === undefined ? null : <span className="tabular text-subtle"> · {countText(count)}</span>}
      </h5>
      {children}
    </section>
  );
}
