import { Time } from '@/components/time-zone.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { countText } from '@/lib/numbers.ts';
import type { Overview } from '../../../proxy/control/contract.ts';

/** The proxy itself: version, door, place, and how its workers share the load. */
export function ProxyPanel({ proxy }: { proxy: Overview['proxy'] }) {
  const facts: [string, React.ReactNode][] = [
    ['Listens on', <PlainText key="listen" text={proxy.listen} className="font-mono" />],
    [
      'IDC',
      proxy.idc === '' ? (
        <span key="idc" className="text-subtle">
          not set
        </span>
      ) : (
        <PlainText key="idc" text={proxy.idc} />
      ),
    ],
    ['Version', <PlainText key="version" text={proxy.version} className="font-mono" />],
    ['Started', <Time key="started" iso={proxy.startedAt} short />],
  ];
  return (
    <Panel title="Proxy">
      <dl className="grid gap-1.5 px-4 py-3 text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-3">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 text-right [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      <table className="tabular w-full border-t border-line text-xs">
        <caption className="sr-only">Workers</caption>
        <thead>
          <tr className="text-muted">
            <th scope="col" className="py-2 pl-4 text-left font-medium">
              Worker
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Clients
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Servers
            </th>
            <th scope="col" className="py-2 pr-4 text-right font-medium">
              Requests
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
