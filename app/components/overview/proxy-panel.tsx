import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { countText } from '@/lib/numbers.ts';
import type { Overview } from '../../../proxy/control/contract.ts';

/** The proxy itself: version, door, place, and how its workers share the load. */
export function ProxyPanel({ proxy }: { proxy: Overview['proxy'] }) {
  const t = useText('overview');
  const facts: [string, React.ReactNode][] = [
    [t('listensOn'), <PlainText key="listen" text={proxy.listen} className="font-mono" />],
    [
      t('idc'),
      proxy.idc === '' ? (
        <span key="idc" className="text-subtle">
          {t('notSet')}
        </span>
      ) : (
        <PlainText key="idc" text={proxy.idc} />
      ),
    ],
    [t('version'), <PlainText key="version" text={proxy.version} className="font-mono" />],
    [t('started'), <Time key="started" iso={proxy.startedAt} short />],
  ];
  return (
    <Panel title={t('proxy')}>
      <dl className="grid gap-1.5 px-4 py-3 text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-3">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 text-right [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      <table className="tabular w-full border-t border-line text-xs">
        <caption className="sr-only">{t('workers')}</caption>
        <thead>
          <tr className="text-muted">
            <th scope="col" className="py-2 pl-4 text-left font-medium">
              {t('worker')}
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              {t('clients')}
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              {t('servers')}
            </th>
            <th scope="col" className="py-2 pr-4 text-right font-medium">
              {t('requests')}
            </th>
          </tr>
        </thead>
        <tbody className="[&_td]:border-t [&_td]:border-line [&_td]:py-1.5 [&_th]:border-t [&_th]:border-line">
          {proxy.workers.map((worker) => (
            <tr key={worker.id}>
              <th scope="row" className="pl-4 text-left font-normal">
                {worker.id}
              </th>
              <td className="text-right">{countText(worker.clientSessions)}</td>
              <td className="text-right">{countText(worker.serverSessions)}</td>
              <td className="pr-4 text-right">{countText(worker.requests)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
