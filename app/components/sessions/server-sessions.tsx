import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { countText } from '@/lib/numbers.ts';
import type { SessionDetail, StateVersions } from '../../../proxy/control/contract.ts';
import type { SessionsText } from './words.ts';

type ServerSession = SessionDetail['servers'][number];

const busy = { word: 'busy', tone: 'ok', shape: 'disc' } as const;
const free = { word: 'free', tone: 'neutral', shape: 'ring' } as const;

const kinds: readonly (keyof StateVersions)[] = [
  'hotSystemVariables',
  'systemVariables',
  'userVariables',
  'lastInsertId',
  'database',
];

/** Which kinds of state a server session lacks, with their versions: it gets them before its next statement. */
function behindIn(server: StateVersions, session: StateVersions, t: SessionsText): string[] {
  return kinds
    .filter((kind) => server[kind] < session[kind])
    .map((kind) =>
      t('behindBy', { kind: t(`kind.${kind}`), has: String(server[kind]), wanted: String(session[kind]) }),
    );
}

/** The server sessions behind one client session, what ties the client to them, and how far their state has come. */
export function ServerSessions({ session: { servers, versions } }: { session: SessionDetail }) {
  const t = useText('sessions');
  const cell =
    'border-b border-line py-2 pr-4 align-top text-left max-md:block max-md:border-0 max-md:py-0.5 max-md:pl-4';
  const head = cn(cell, 'text-xs font-medium text-muted');
  return (
    <Panel title={t('serverSessions')} aside={<p className="tabular text-xs text-muted">{servers.length}</p>}>
      {servers.length === 0 ? (
        <p className="p-4 text-sm text-muted">{t('noServerSession')}</p>
      ) : (
        <table className="w-full border-separate border-spacing-0 text-sm [&_tbody_tr:last-child_td]:border-0 [&_tbody_tr:last-child_th]:border-0">
          <caption className="sr-only">{t('serverSessions')}</caption>
          <thead className="max-md:sr-only">
            <tr>
              <th scope="col" className={cn(head, 'pl-4')}>
                {t('server')}
              </th>
              <th scope="col" className={head}>
                {t('state')}
              </th>
              <th scope="col" className={head}>
                {t('tiedBy')}
              </th>
              <th scope="col" className={head}>
                {t('sessionState')}
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                {t('requests')}
              </th>
            </tr>
          </thead>
          <tbody>
            {servers.map((server) => (
              <tr key={server.id} data-server-session={server.address} className="max-md:block max-md:py-2">
                <th scope="row" className={cn(cell, 'pl-4 font-normal')}>
                  <span className="font-mono">{server.address}</span>
                  <span className="tabular block text-xs text-muted">
                    {t('connection', { connection: String(server.connectionId), id: String(server.id) })}
                  </span>
                </th>
                <td className={cell}>
                  <Busyness isBusy={server.isBusy} />
                </td>
                <td className={cn(cell, 'text-xs')}>
                  <Ties server={server} />
                </td>
                <td className={cn(cell, 'tabular text-xs')}>
                  <Versions server={server} session={versions} />
                </td>
                <td className={cn(cell, 'tabular text-xs md:text-right')}>
                  {countText(server.requests)}
                  <span className="md:hidden"> {t('requestsUnit')}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Busyness({ isBusy }: { isBusy: boolean }) {
  const t = useText('sessions');
  const look = isBusy ? busy : free;
  return <StateMark look={{ ...look, word: t(look.word) }} state={isBusy ? 'busy' : 'idle'} />;
}

function Ties({ server: { isBound, isLast, holds } }: { server: ServerSession }) {
  const t = useText('sessions');
  if (!isBound && !isLast && holds === null) return <span className="text-subtle">{t('tie.none')}</span>;
  return (
    <span className="flex flex-wrap gap-1.5">
      {isBound ? <Badge tone="warn">{t('tie.transaction')}</Badge> : null}
      {holds === null ? null : (
        <Badge tone="warn">
          <PlainText text={holds} lang="en" />
        </Badge>
      )}
      {isLast ? <Badge>{t('tie.last')}</Badge> : null}
    </span>
  );
}

function Versions({ server: { versions }, session }: { server: ServerSession; session: StateVersions }) {
  const t = useText('sessions');
  const behind = behindIn(versions, session, t).join(t.language === 'en' ? ', ' : '、');
  return behind === '' ? t('upToDate') : t('behindIn', { kinds: behind });
}
