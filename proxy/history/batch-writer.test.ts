import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchWriter, type BatchWriterOptions } from './batch-writer.ts';

function setUp(options: Partial<BatchWriterOptions<number>> = {}) {
  const written: number[][] = [];
  const errors: unknown[] = [];
  const dropped: number[] = [];
  const writer = new BatchWriter<number>({
    write: async (batch) => void written.push([...batch]),
    onError: (error) => errors.push(error),
    onDropped: (rows) => dropped.push(rows),
    batchRows: 3,
    maxWaiting: 10,
    pauseMs: 0,
    retryMs: 0,
    ...options,
  });
  return { writer, written, errors, dropped };
}

/** A write that ends when it is told to. */
function gate() {
  const waiting: ((error?: Error) => void)[] = [];
  return {
    write: () =>
      new Promise<void>((resolve, reject) =>
        waiting.push((error) => (error === undefined ? resolve() : reject(error))),
      ),
    open: async (error?: Error) => {
      while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
      waiting.shift()?.(error);
    },
  };
}

describe('BatchWriter', () => {
  it('writes what comes at one moment in batches, in order', async () => {
    const { writer, written } = setUp();
    for (let row = 0; row < 7; row += 1) writer.push(row);
    expect(written).toEqual([]);
    await writer.idle();
    expect(written).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
  });

  it('case B107: drops the oldest when the disk is slow, counts them and says so once it goes on', async () => {
    const { write, open } = gate();
    const { writer, dropped } = setUp({ write });
    for (let row = 0; row < 3; row += 1) writer.push(row);
    await new Promise((resolve) => setImmediate(resolve));
    for (let row = 3; row < 1_000; row += 1) writer.push(row);
    expect(writer.waiting).toBeLessThanOrEqual(13);
    expect(writer.dropped).toBe(997 - writer.waiting);
    expect(dropped).toEqual([]);
    const lost = writer.dropped;
    await open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(dropped).toEqual([lost]);
    for (let rest = writer.waiting; rest > -3; rest -= 3) await open();
    await writer.idle();
    expect(writer.waiting).toBe(0);
  });

  it('case B107: tries a failed batch again, before newer rows', async () => {
    const written: number[][] = [];
    let failures = 2;
    const { writer, errors } = setUp({
      write: async (batch) => {
        failures -= 1;
        if (failures >= 0) throw new Error('disk full');
        written.push([...batch]);
      },
    });
    for (let row = 0; row < 5; row += 1) writer.push(row);
    await writer.idle();
    expect(errors).toHaveLength(2);
    expect(written).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
  });

  it('close writes what waits without pauses and takes nothing more', async () => {
    const { writer, written } = setUp({ pauseMs: 3_600_000 });
    for (let row = 0; row < 7; row += 1) writer.push(row);
    await writer.close();
    writer.push(99);
    await writer.idle();
    expect(written.flat()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('close gives up what cannot be written', async () => {
    const { writer, dropped } = setUp({
      write: () => Promise.reject(new Error('disk full')),
      retryMs: 3_600_000,
    });
    for (let row = 0; row < 7; row += 1) writer.push(row);
    await writer.close();
    expect(dropped).toEqual([7]);
  });

  it('whatever fails and however much comes: in order, each row once, written or dropped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.boolean()), { maxLength: 30 }),
        async (steps) => {
          const outcomes = steps.map(([, fails]) => fails);
          const written: number[] = [];
          const { writer } = setUp({
            write: async (batch) => {
              if (outcomes.shift()) throw new Error('no');
              written.push(...batch);
            },
          });
          let next = 0;
          for (const [count] of steps) {
            for (let row = 0; row < count; row += 1) writer.push(next++);
            await new Promise((resolve) => setImmediate(resolve));
          }
          await writer.idle();
          expect(written).toEqual([...new Set(written)].sort((a, b) => a - b));
          expect(written.length + writer.dropped).toBe(next);
        },
      ),
      { numRuns: 50 },
    );
  });
});
