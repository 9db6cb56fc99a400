import { describe, expect, it } from 'vitest';
import { createLogger } from '../log/logger.ts';
import type { UpgradeView } from '../upgrade/view.ts';
import { BlocklistHandover, type HandedCluster, type HandedLists } from './blocklist-handover.ts';

const handed: HandedCluster = { name: 'obdemo', id: '', servers: [] };
const lists: HandedLists = { format: 1, clusters: [handed] };
const answered = (value: HandedLists | null) => [{ status: 'fulfilled', value } as const];
const ended = [{ status: 'rejected', reason: new Error('generation 1 has ended') } as const];

/** One generation, and what it does, in order. */
function generation(own: number, answers: Awaited<ReturnType<BlocklistHandover['take']>> | unknown = answered(lists)) {
  const done: string[] = [];
  const note = (text: string): void => void done.push(text);
  let phase: UpgradeView['phase'] = 'idle';
  const handover = new BlocklistHandover({
    own,
    lists: {
      handOut: () => [handed],
      openAll: async (clusters) => note(`opens ${clusters.length}`),
      goOn: (clusters) => note(`goes on with ${clusters.length}`),
      listed: () => [],
      look: () => note('looks'),
    },
    records: {
      takeOver: async () => note('records'),
      giveAway: async () => note('records no more'),
    },
    ask: () => answers as never,
    phase: () => phase,
    log: createLogger('test'),
    patienceMs: 1,
  });
  const giveIn = async (now: UpgradeView['phase'], asker: number) => {
    phase = now;
    return (await handover.give(asker)) !== null;
  };
  return { handover, done, giveIn };
}

describe('blocklists from generation to generation', () => {
  it('C17 who takes over goes on with the lists of the other one, and only then records', async () => {
    const { handover, done } = generation(2, Promise.resolve(answered(lists)));
    await handover.take();
    expect(done).toEqual(['opens 1', 'goes on with 1', 'records', 'looks']);
  });

  it('C17 one that goes on serving gives nothing, and the other one leaves the records to it', async () => {
    const { handover, done } = generation(2, Promise.resolve(answered(null)));
    await handover.take();
    expect(done).toEqual([]);
  });

  it.each([
    ['has ended', Promise.resolve(ended)],
    ['is not there', Promise.resolve([])],
    ['hangs', new Promise(() => undefined)],
    ['is of a version with other lists', Promise.resolve(answered({ ...lists, format: 2 }))],
  ])('C17 when the other one %s the own lists count, and the records follow them', async (_, answers) => {
    const { handover, done } = generation(2, answers);
    await handover.take();
    expect(done).toEqual(['records', 'looks']);
  });

  it('C17 they are given forwards at the switch and backwards in a rollback, and at no other time', async () => {
    const { done, giveIn } = generation(2);
    const phases = ['idle', 'prepare', 'switch', 'move', 'watch', 'commit', 'rollback'] as const;
    const given: string[] = [];
    for (const phase of phases) {
      for (const asker of [1, 3]) if (await giveIn(phase, asker)) given.push(`${phase} to ${asker}`);
    }
    expect(given).toEqual(['switch to 3', 'rollback to 1']);
    expect(done).toEqual(['records no more', 'records no more']);
  });
});
