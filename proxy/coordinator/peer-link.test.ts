import { describe, expect, it } from 'vitest';
import { OdpError } from '../errors/odp-error.ts';
import { Bench } from '../upgrade/testing-bench.ts';
import { viewOf } from '../upgrade/view.ts';
import { type PeerCalls, PeerLink } from './peer-link.ts';

/** Two generations whose supervisor passes everything on, as JSON. */
function twoGenerations() {
  const bench = Bench.moving();
  const view = () => ({
    ...viewOf(bench.state, bench.at()),
    generations: viewOf(bench.state, bench.at()).generations.map((one) => ({ ...one, workers: 2 })),
  });
  const asked: string[] = [];
  const warnings: string[] = [];
  const links = new Map<number, PeerLink>();
  const link = (own: number, answers: Partial<PeerCalls>): PeerLink => {
    const made = new PeerLink({
      own,
      tell: (message) => {
        if (message.type !== 'peer') throw new Error(message.type);
        const text = JSON.stringify(message.message);
        setImmediate(() => links.get(message.to)?.receive(own, JSON.parse(text)));
      },
      answers: {
        askWorker: () => null,
        configChanged: () => asked.push(`changed ${own}`),
        giveLists: async () => null,
        ...answers,
      },
      warn: (_fields, text) => warnings.push(text),
    });
    links.set(own, made);
    made.onState(view());
    return made;
  };
  return { bench, view, asked, warnings, link };
}

describe('generations side by side', () => {
  it('C19: what is asked of sessions reaches each worker of the other one', async () => {
    const { link, asked } = twoGenerations();
    link(1, {
      askWorker: ({ worker, name, argument }) => {
        asked.push(`${name} ${String(argument)} of worker ${worker}`);
        return worker === 1;
      },
    });
    const workers = link(2, {}).workers();
    expect(await Promise.all(workers.map((worker) => worker.call('holdsSession', 7)))).toEqual([false, true]);
    expect(asked).toEqual(['holdsSession 7 of worker 0', 'holdsSession 7 of worker 1']);
  });

  it('an error of the other one comes as what it is', async () => {
    const { link } = twoGenerations();
    link(1, {
      askWorker: () => {
        throw new OdpError('UNKNOWN_THREAD', { id: 7 });
      },
    });
    await expect(link(2, {}).workers()[0]?.call('killSession', 7)).rejects.toMatchObject({ code: 'UNKNOWN_THREAD' });
  });

  it('case B93: a change is told to the others, and not to oneself', async () => {
    const { link, asked } = twoGenerations();
    link(1, {});
    link(2, {}).tellChanged();
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(['changed 1']);
  });

  it('whoever waits for one that ends is told', async () => {
    const { bench, link, view } = twoGenerations();
    const fresh = link(2, {});
    const answer = fresh.workers()[0]?.call('holdsSession', 7);
    bench.tell({ type: 'ended', generation: 1, how: 'SIGKILL' });
    fresh.onState(view());
    await expect(answer).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    expect(fresh.workers()).toEqual([]);
  });
});
