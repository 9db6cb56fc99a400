import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { isModified, valueText } from '@/lib/parameter-value.ts';
import type { Parameter } from '../../../proxy/control/contract.ts';

/** Everything that is known of a parameter, in a few lines. */
export function ParameterFacts({ parameter }: { parameter: Parameter }) {
  const t = useText('shell');
  const { name, type, unit, range, choices, defaultValue, needReboot, readOnly, info, changedAt, changedBy } =
    parameter;
  const allowed = choices.length > 0 ? choices.map((choice) => valueText(t, choice)).join(', ') : range;
  return (
    <section
      aria-label={t('aboutParameter', { name })}
      className="grid gap-1.5 border-t border-line bg-inset px-4 py-3 text-xs"
    >
      <p lang="en" className="text-sm [overflow-wrap:anywhere]">
        {info}
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <span>{unit === '' ? type : t('typeInUnit', { type, unit })}</span>
        {allowed === '' ? null : <span className="font-mono">{allowed}</span>}
        <span>
          {t.rich('defaultIs', { value: <PlainText text={valueText(t, defaultValue)} className="font-mono" /> })}
        </span>
        {isModified(parameter) ? <Badge tone="accent">{t('modified')}</Badge> : null}
        {readOnly ? <Badge>{t('startOptionOnly')}</Badge> : null}
        <Badge tone={needReboot ? 'warn' : 'neutral'}>{t(needReboot ? 'needsRestart' : 'worksAtOnce')}</Badge>
      </p>
      <p className="text-muted">
        {changedAt === null
          ? t('neverChanged')
          : t.rich('changedLastBy', {
              who: <PlainText text={changedBy ?? t('unknown')} className="text-fg" />,
              when: <Time iso={changedAt} />,
            })}
      </p>
    </section>
  );
}
