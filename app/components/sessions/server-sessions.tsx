import { StateMark } from '@/components/state-mark.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { countText } from '@/lib/numbers.ts';
import type { StateLook } from '@/lib/server-state.ts';
import type { SessionDetail, StateVersions } from '../../../proxy/control/contract.ts';

type ServerSession = SessionDetail['servers'][number];

const busy: StateLook = { word: 'Busy', tone: 'ok', shape: 'disc' };
const free: StateLook = { word: 'Idle', tone: 'neutral', shape: 'ring' };

const versionWords: readonly (readonly [keyof StateVersions, string])[] = [
  ['hotSystemVariables', 'hot variables'],
  ['systemVariables', 'system variables'],
  ['userVariables', 'user variables'],
  ['lastInsertId', 'last insert id'],
  ['database', 'database'],
];

/** Which kinds of state a server session lacks, with their versions: it gets them before its next statement. */
function behindIn(server: StateVersions, session: StateVersions): string[] {
  return versionWords
    .filter(([kind]) => server[kind] < session[kind])
    .map(([kind, word]) => `${word} (${server[kind]} of ${session[kind]})`);
}

/** The server sessions behind one client session, what ties the client to them, and how far their state has come. */
export function ServerSessions({ session: { servers, versions } }: { session: SessionDetail }) {
  const cell =
    'border-b border-line py-2 pr-4 align-top text-left max-md:block max-md:border-0 max-md:py-0.5 max-md:pl-4';
  const head = cn(cell, 'text-xs font-medium text-muted');
  return (
    <Panel title="Server sessions" aside={<p className="tabular text-xs text-muted">{servers.length}</p>}>
      {servers.length === 0 ? (
        <p className="p-4 text-sm text-muted">No connection to a server is open.</p>
      ) : (
        <table className="w-full border-separate border-spacing-0 text-sm [&_tbody_tr:last-child_td]:border-0 [&_tbody_tr:last-child_th]:border-0">
          <caption className="sr-only">Server sessions</caption>
          <thead className="max-md:sr-only">
            <tr>
              <th scope="col" className={cn(head, 'pl-4')}>
                Server
              </th>
              <th scope="col" className={head}>
                State
              </th>
              <th scope="col" className={head}>
                Tied by
              </th>
              <th scope="col" className={head}>
                Session state
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                Requests
              </th>
            </tr>
          </thead>
          <tbody>
            {servers.map((server) => (
              <tr key={server.id} data-server-session={server.address} className="max-md:block max-md:py-2">
                <th scope="row" className={cn(cell, 'pl-4 font-normal')}>
                  <span className="font-mono">{server.address}</span>
                  <span className="tabular block text-xs text-muted">
                    connection {server.connectionId}, server session {server.id}
                  </span>
                </th>
                <td className={cell}>
                  <StateMark look={server.isBusy ? busy : free} state={server.isBusy ? 'busy' : 'idle'} />
                </td>
                <td className={cn(cell, 'text-xs')}>
                  <Ties server={server} />
                </td>
                <td className={cn(cell, 'tabular text-xs')}>
                  <Versions server={server} session={versions} />
                </td>
                <td className={cn(cell, 'tabular text-xs md:text-right')}>
                  {countText(server.requests)}
                  <span className="md:hidden"> requests</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Ties({ server: { isBound, isLast, holds } }: { server: ServerSession }) {
  if (!isBound && !isLast && holds === null) return <span className="text-subtle">nothing</span>;
  return (
    <span className="flex flex-wrap gap-1.5">
      {isBound ? <Badge tone="warn">transaction</Badge> : null}
      {holds === null ? null : (
        <Badge tone="warn">
          <PlainText text={holds} />
        </Badge>
      )}
      {isLast ? <Badge>last statement</Badge> : null}
    </span>
  );
}

function Versions({ server: { versions }, session }: { server: ServerSession; session: StateVersions }) {
  const behind = behindIn(versions, session);
  return behind.length === 0 ? <>up to date</> : <>behind in {behind.join(', ')}</>;
}
