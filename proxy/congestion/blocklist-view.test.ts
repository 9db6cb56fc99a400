import { describe, expect, it } from 'vitest';
import { BlocklistView } from './blocklist-view.ts';
import type { BlocklistName, ServerVerdict } from './types.ts';

const [a, b, c] = ['10.0.0.1:2881', '10.0.0.2:2881', '10.0.0.3:2881'].map((address) => ({ address })) as [
  { address: string },
  { address: string },
  { address: string },
];
const all = [a, b, c];

const verdict = (
  server: { address: string },
  lists: BlocklistName[],
  retryAtMs: number | null = null,
): ServerVerdict => ({
  address: server.address,
  lists,
  retryAtMs,
});

function viewOf(...verdicts: ServerVerdict[]): BlocklistView {
  const view = new BlocklistView();
  view.update(verdicts, true);
  return view;
}

describe('BlocklistView', () => {
  it('has nothing to say when no candidate is listed', () => {
    expect(new BlocklistView().choose(all, 0)).toBeNull();
    expect(viewOf(verdict(a, []), verdict(b, []), verdict(c, ['status'])).choose([a, b], 0)).toBeNull();
    expect(viewOf(verdict(a, ['status'])).choose([], 0)).toBeNull();
  });

  it.each<BlocklistName[][]>([[['status']], [['detection']], [['alive']], [['status', 'alive']]])(
    'B14 drops a candidate on %j and keeps the order of the others',
    (lists) => {
      expect(viewOf(verdict(b, lists)).choose(all, 0)).toEqual({
        order: [a, c],
        skipped: [{ address: b.address, lists }],
        forced: false,
        retry: null,
      });
    },
  );

  it('B16 drops nobody when the mechanism is off', () => {
    const view = new BlocklistView();
    view.update([verdict(a, ['detection']), verdict(b, ['alive'], 0)], false);
    expect(view.choose(all, 10)).toBeNull();
    expect(view.listsOf(a.address)).toEqual([]);
  });

  it('B15 uses listed servers when there is no other, each first in its turn', () => {
    const view = viewOf(verdict(a, ['status']), verdict(b, ['detection']), verdict(c, ['alive'], 50));
    const choices = [0, 1, 2, 3].map((nowMs) => view.choose(all, nowMs));
    expect(choices.map((choice) => choice?.order)).toEqual([all, [b, c, a], [c, a, b], all]);
    expect(choices.every((choice) => choice?.forced && choice.retry === null)).toBe(true);
    expect(choices[0]?.skipped.map(({ address }) => address)).toEqual(all.map(({ address }) => address));
  });

  it('B15 does so for a single server', () => {
    expect(viewOf(verdict(a, ['detection'])).choose([a], 0)).toMatchObject({ order: [a], forced: true });
  });

  it('B12 gives a due retry to one request', () => {
    const view = viewOf(verdict(a, ['alive'], 50));
    expect(view.choose(all, 49)).toMatchObject({ order: [b, c], retry: null });
    expect(view.choose(all, 50)).toEqual({ order: [a, b, c], skipped: [], forced: false, retry: a.address });
    expect(view.choose(all, 51)).toMatchObject({ order: [b, c], retry: null });
  });

  it('B12 prefers a request that loses nothing should the server fail; after a second any one tries', () => {
    const view = viewOf(verdict(a, ['alive'], 50));
    expect(view.choose(all, 1049, false)).toMatchObject({ order: [b, c], retry: null });
    expect(view.preview(all, 1049)).toMatchObject({ retry: a.address });
    expect(view.choose(all, 1050, false)).toMatchObject({ order: [a, b, c], retry: a.address });
    expect(view.choose(all, 1051)).toMatchObject({ retry: null });
  });

  it('B12 gives the next one when the coordinator has set its time, not when it tells of another server', () => {
    const view = viewOf(verdict(a, ['alive'], 50));
    view.choose(all, 50);
    view.update([verdict(a, ['alive'], 50), verdict(b, ['status'])], true);
    expect(view.choose(all, 60)).toMatchObject({ order: [c], retry: null });
    view.update([verdict(a, ['alive'], 70)], true);
    expect(view.choose(all, 69)).toMatchObject({ retry: null });
    expect(view.choose(all, 70)).toMatchObject({ order: [a, b, c], retry: a.address });
  });

  it('B12 tries a server only where it would be the first choice but for listed ones', () => {
    const view = viewOf(verdict(a, ['status']), verdict(b, ['alive'], 0));
    expect(view.choose([c, b], 10)).toMatchObject({ order: [c], retry: null });
    expect(view.choose(all, 10)).toMatchObject({ order: [b, c], retry: b.address });
  });

  it('B12 B15 a due retry comes first among listed ones, and a released server is forgotten', () => {
    const view = viewOf(verdict(a, ['status']), verdict(b, ['alive'], 0));
    expect(view.choose([a, b], 10)).toMatchObject({ order: [b, a], forced: true, retry: b.address });
    view.update([], true);
    view.update([verdict(b, ['alive'], 0)], true);
    expect(view.choose([b, c], 10)).toMatchObject({ retry: b.address });
  });

  it('a preview takes nobody’s retry', () => {
    const view = viewOf(verdict(a, ['alive'], 0));
    expect(view.preview(all, 10)).toEqual(view.preview(all, 10));
    expect(view.choose(all, 10)).toMatchObject({ retry: a.address });
  });

  it('case B88: loopback addresses are servers like any other', () => {
    const local = { address: '127.0.0.1:2881' };
    expect(viewOf(verdict(local, ['alive'])).choose([local, a], 0)).toMatchObject({ order: [a] });
  });
});
