'use client';

import Link from 'next/link';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge, type Tone } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import type { Token } from '../../../proxy/control/contract.ts';

const cell =
  'border-b border-line py-2.5 pr-4 align-top text-left max-md:block max-md:border-0 max-md:py-0.5 max-md:pl-4';
const head = cn(cell, 'text-xs font-medium whitespace-nowrap text-muted');

const tones: Record<Token['state'], Tone> = { live: 'ok', expired: 'neutral', 'owner-disabled': 'warn' };

interface TokenTableProps {
  tokens: readonly Token[];
  showOwner: boolean;
  onRevoke: (id: number) => void;
}

/** Tokens: what each may do, until when, when and from where it was used last. On a phone each is one block. */
export function TokenTable({ tokens, showOwner, onRevoke }: TokenTableProps) {
  const t = useText('tokens');
  return (
    <table className="w-full border-separate border-spacing-0 text-sm max-md:block [&_tbody_tr:last-child>*]:border-0">
      <caption className="sr-only">{t('title')}</caption>
      <thead className="max-md:sr-only">
        <tr>
          {(['name', 'mayDo', 'expires', 'lastUsed', 'state'] as const).map((key) => (
            <th key={key} scope="col" className={cn(head, key === 'name' && 'pl-4')}>
              {t(key)}
            </th>
          ))}
          <th scope="col" className={head}>
            <span className="sr-only">{t('revokeWord')}</span>
          </th>
        </tr>
      </thead>
      <tbody className="max-md:block max-md:divide-y max-md:divide-line">
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} showOwner={showOwner} onRevoke={() => onRevoke(token.id)} />
        ))}
      </tbody>
    </table>
  );
}

interface TokenRowProps {
  token: Token;
  showOwner: boolean;
  onRevoke: () => void;
}

function TokenRow({ token, showOwner, onRevoke }: TokenRowProps) {
  const t = useText('tokens');
  const { name, owner, reason, role, rights, allowed, expiresAt, lastUsedAt, lastUsedFrom, state } = token;
  const query = `token:${/\s/.test(name) ? `"${name}"` : name} actor:${owner}`;
  return (
    <tr data-token={name} className="max-md:block max-md:py-2">
      <th scope="row" className={cn(cell, 'pl-4 font-normal')}>
        <PlainText text={name} className="font-medium [overflow-wrap:anywhere]" />
        {showOwner ? (
          <span className="block text-xs text-muted">{t.rich('owner', { name: <PlainText text={owner} /> })}</span>
        ) : null}
        <PlainText text={reason} className="block text-xs text-muted [overflow-wrap:anywhere]" />
        <Link href={`/history?q=${encodeURIComponent(query)}`} className="text-xs text-accent underline">
          {t('history')}
        </Link>
      </th>
      <td className={cell}>
        <span title={rights.join(', ')}>
          {role === null ? t('countRights', { count: rights.length }) : t('roleAtMost', { role })}
        </span>
        {state === 'live' && allowed.length < rights.length ? (
          <span className="block text-xs text-warn">{t('cutTo', { count: allowed.length })}</span>
        ) : null}
      </td>
      <td className={cell}>
        <Time iso={expiresAt} short />
      </td>
      <td className={cell}>
        {lastUsedAt === null ? <span className="text-muted">{t('never')}</span> : <Time iso={lastUsedAt} short />}
        {lastUsedFrom === '' ? null : (
          <span className="block text-xs text-muted">
            {t.rich('from', { address: <PlainText text={lastUsedFrom} /> })}
          </span>
        )}
      </td>
      <td className={cell}>
        <Badge tone={tones[state]}>{t(`state.${state}`)}</Badge>
      </td>
      <td className={cn(cell, 'md:text-right')}>
        <Button size="sm" aria-label={t('revokeOf', { name, owner })} onClick={onRevoke}>
          {t('revoke')}
        </Button>
      </td>
    </tr>
  );
}
