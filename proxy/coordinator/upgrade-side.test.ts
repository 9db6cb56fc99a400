import { expect, it } from 'vitest';
import type { HistoryLog } from '../history/history-log.ts';
import type { Logger } from '../log/logger.ts';
import { UpgradeSide } from './upgrade-side.ts';

it('case B104: a step is kept with the role, token and address of whoever ordered it, if there are any', async () => {
  const kept: unknown[] = [];
  const history = { addOnce: async (actor: unknown) => void kept.push(actor) } as unknown as HistoryLog;
  const log = { warn: (_fields: object, text: string) => expect.unreachable(text) } as unknown as Logger;
  const side = new UpgradeSide({ tell: () => undefined, history, log });
  const step = { number: 1, at: { nowMs: 0, wallMs: 0 }, phase: 'prepare', text: 't', by: 'ada' } as const;
  const who = { role: 'administrator', token: 'nightly', source: 'api', origin: '192.0.2.7' } as const;
  await side.onRecord({ key: 'k1', run: 1, step: { ...step, ...who }, reason: '' });
  await side.onRecord({ key: 'k2', run: 1, step: { ...step, source: 'start' }, reason: '' });
  expect(kept).toEqual([
    { actor: 'ada', ...who, requestId: 'k1' },
    { actor: 'ada', role: '', token: '', source: 'start', origin: '', requestId: 'k2' },
  ]);
});
