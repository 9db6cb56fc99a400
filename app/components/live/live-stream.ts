import type { QueryClient } from '@tanstack/react-query';
import type { Catalog } from '@/messages/catalog.ts';
import {
  type HistoryRow,
  type LiveEvent,
  liveEventSchema,
  type Overview,
  type Parameter,
} from '../../../proxy/control/contract.ts';
import { applyBlocklistEvent } from '../../lib/blocklist-live.ts';
import type { StreamHandlers } from '../../lib/live-connection.ts';
import { proposalsKey } from '../../lib/proposal-queries.ts';
import { compareKey, overviewQuery, parametersQuery, scheduledRevertsQuery } from '../../lib/queries.ts';
import type { Text } from '../../lib/text.ts';
import { newerState, upgradeQuery } from '../../lib/upgrade-queries.ts';
import { logInsKey, usersQuery } from '../../lib/user-queries.ts';

/** Opens `/api/events`; every event type of the contract is handed on. The answer closes it. */
export function openEventStream({ onData, onError }: StreamHandlers): () => void {
  const source = new EventSource('/api/events');
  const receive = (event: MessageEvent<string>): void => onData(event.data);
  for (const option of liveEventSchema.options) source.addEventListener(option.shape.type.value, receive);
  source.onmessage = receive;
  source.onerror = onError;
  return () => source.close();
}

/** The event in a stream's data, or null when it is none that this console knows. */
export function readEvent(data: string): LiveEvent | null {
  try {
    const event = liveEventSchema.safeParse(JSON.parse(data));
    return event.success ? event.data : null;
  } catch {
    return null;
  }
}

/** Put an event into the query cache, which is all that the pages read. `askHistoryAgain` may be called often. */
export function applyEvent(client: QueryClient, event: LiveEvent, askHistoryAgain: () => void): void {
  if (event.type === 'hello') {
    // Whatever happened while there was no stream is fetched now.
    void client.invalidateQueries();
  } else if (event.type === 'overview') {
    // An answer on its way is older than this.
    void client.cancelQueries({ queryKey: overviewQuery.queryKey });
    client.setQueryData(overviewQuery.queryKey, event.overview);
  } else if (event.type === 'parameter') {
    putParameters(client, [event.parameter]);
    void client.invalidateQueries({ queryKey: scheduledRevertsQuery.queryKey });
    void client.invalidateQueries({ queryKey: compareKey });
    // What was proposed may have moved by it.
    void client.invalidateQueries({ queryKey: proposalsKey });
    // It says of others whether they need a second person.
    if (event.parameter.name === 'four_eyes_parameters') {
      void client.invalidateQueries({ queryKey: parametersQuery.queryKey });
    }
  } else if (event.type === 'proposal') {
    void client.invalidateQueries({ queryKey: proposalsKey });
  } else if (event.type === 'history') {
    // Which open filters a row belongs to is the proxy's to say: those on screen ask again.
    askHistoryAgain();
    if (/^(user|login|logout|password)/.test(event.row.action)) {
      void client.invalidateQueries({ queryKey: usersQuery.queryKey });
      void client.invalidateQueries({ queryKey: logInsKey });
    }
  } else if (event.type === 'blocklist') {
    applyBlocklistEvent(client, event);
  } else if (event.type === 'upgrade') {
    client.setQueryData(upgradeQuery.queryKey, (old) => newerState(old, event.state));
  }
}

/** Replace parameters in the cache by newer ones; an older revision never overwrites a newer. */
export function putParameters(client: QueryClient, fresh: readonly Parameter[]): void {
  client.setQueryData(parametersQuery.queryKey, (old) => {
    if (old === undefined) return old;
    return {
      parameters: old.parameters.map((parameter) => {
        const candidate = fresh.find((one) => one.name === parameter.name);
        return candidate !== undefined && candidate.revision >= parameter.revision ? candidate : parameter;
      }),
    };
  });
  const congestion = fresh.find((one) => one.name === 'enable_congestion');
  if (congestion === undefined) return;
  client.setQueryData(overviewQuery.queryKey, (old: Overview | undefined) =>
    old === undefined
      ? old
      : { ...old, proxy: { ...old.proxy, enableCongestion: /^(true|on|yes|t|1)$/i.test(congestion.value) } },
  );
}

/** A change by somebody else, to be announced in one line; null for what needs no word. */
export function changeAnnouncement(
  event: LiveEvent,
  ownName: string,
  t: Text<Catalog['shell']>,
): { parameter: string; text: string } | null {
  if (event.type !== 'history') return null;
  const row: HistoryRow = event.row;
  if (row.action !== 'parameter.change' || row.outcome !== 'persisted') return null;
  if (row.source === 'console' && row.actor === ownName) return null;
  const { actor, parameter, oldValue, newValue } = row;
  const change = `${oldValue ?? '–'} → ${newValue ?? '–'}`;
  return { parameter, text: t('changedByOther', { who: actor, parameter, change }) };
}
