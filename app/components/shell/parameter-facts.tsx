import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { isModified, valueText } from '@/lib/parameter-value.ts';
import type { Parameter } from '../../../proxy/control/contract.ts';

/** Everything that is known of a parameter, in a few lines. */
export function ParameterFacts({ parameter }: { parameter: Parameter }) {
  const { name, type, unit, range, choices, defaultValue, needReboot, readOnly, info, changedAt, changedBy } =
    parameter;
  const allowed = choices.length > 0 ? choices.map(valueText).join(', ') : range;
  return (
    <section aria-label={`About ${name}`} className="grid gap-1.5 border-t border-line bg-inset px-4 py-3 text-xs">
      <p className="text-sm [overflow-wrap:anywhere]">{info}</p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <span>
          {type}
          {unit === '' ? null : ` in ${unit}`}
        </span>
        {allowed === '' ? null : <span className="font-mono">{allowed}</span>}
        <span>
          default <PlainText text={valueText(defaultValue)} className="font-mono" />
        </span>
        {isModified(parameter) ? <Badge tone="accent">modified</Badge> : null}
        {readOnly ? <Badge>start option only</Badge> : null}
        <Badge tone={needReboot ? 'warn' : 'neutral'}>{needReboot ? 'needs a restart' : 'works at once'}</Badge>
      </p>
      <p className="text-muted">
        {changedAt === null ? (
          'Never changed'
        ) : (
          <>
            Changed last by <PlainText text={changedBy ?? 'unknown'} className="text-fg" /> at <Time iso={changedAt} />
          </>
        )}
      </p>
    </section>
  );
}
