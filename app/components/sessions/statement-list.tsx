import { Route } from 'lucide-react';
import Link from 'next/link';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { SessionDetail, SessionStatement } from '../../../proxy/control/contract.ts';
import { statementText, tookText } from './words.ts';

interface StatementListProps {
  session: SessionDetail;
  /** Nothing can be asked about it any more. */
  isGone: boolean;
}

/** The last statements, newest first: what, where it went, how long it took, what came of it. */
export function StatementList({ session: { id, statements }, isGone }: StatementListProps) {
  const t = useText('sessions');
  const mayExplain = useMay('routing.explain');
  return (
    <Panel title={t('lastStatements')} aside={<p className="text-xs text-muted">{t('newestFirst')}</p>}>
      {statements.length === 0 ? (
        <p className="p-4 text-sm text-muted">{t('noStatement')}</p>
      ) : (
        <ol className="divide-y divide-line">
          {statements.map((statement) => (
            <li
              key={`${statement.beganAt} ${statement.digest}`}
              data-statement
              className="grid gap-1 px-4 py-2.5 text-sm md:grid-cols-[minmax(0,1fr)_auto] md:gap-x-4"
            >
              <code className="line-clamp-3 font-mono text-xs [overflow-wrap:anywhere]">
                <PlainText text={statementText(statement)} />
              </code>
              {mayExplain && !isGone && statement.digest !== '' ? (
                <Link
                  href={`/routing?${new URLSearchParams({ sql: statement.text ?? statement.digest, session: String(id) })}`}
                  className="inline-flex items-center gap-1.5 self-start text-xs text-accent hover:underline"
                >
                  <Route aria-hidden className="size-3.5" />
                  {t('whereNow')}
                </Link>
              ) : null}
              <Outcome statement={statement} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Outcome({
  statement: { command, kind, table, server, durationMs, isRunning, errno },
}: {
  statement: SessionStatement;
}) {
  const t = useText('sessions');
  const took = tookText(durationMs, t);
  return (
    <p className="tabular flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted md:col-span-2">
      <Badge>{kind === null || command !== 'query' ? command : kind}</Badge>
      {isRunning ? <Badge tone="ok">{t('running')}</Badge> : null}
      {errno === 0 ? null : <Badge tone="bad">{t('errorNumber', { errno: String(errno) })}</Badge>}
      <span>{isRunning ? t('runningFor', { time: took }) : took}</span>
      <span>{t.rich('atServer', { server: <span className="font-mono">{server ?? t('noServer')}</span> })}</span>
      {table === null ? null : (
        <span>{t.rich('byTable', { table: <PlainText text={table} className="font-mono" /> })}</span>
      )}
    </p>
  );
}
