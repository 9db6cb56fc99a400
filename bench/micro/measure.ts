/**
 * Times of operations so short that the machine's noise is larger: processor time of this thread, in slices that are long
 * enough for the system's count of it, all operations in turns, medians. A yardstick that nobody changes takes its turns among them: by it the
 * figures of another moment, or another machine, are compared.
 */
import { median } from '../median.ts';
import type { MicroOperation } from './operation.ts';

export interface MicroResult {
  readonly name: string;
  /** Nanoseconds of processor time for one. */
  readonly ns: number;
  /** How many times as long as the yardstick. */
  readonly toYardstick: number;
}

export interface MeasureOptions {
  readonly rounds: number;
  /** Length of a turn. */
  readonly sliceMs: number;
  /** Processor time of this thread, microseconds. */
  readonly cpuUs: () => number;
}

const bytes = new Uint8Array(1024).map((_, at) => at * 7);
/** What comes out is looked at, so that the compiler cannot leave the work away. */
const hashed = new Int32Array(1);

/** A kilobyte hashed: nothing but arithmetic on what the nearest cache holds. */
const yardstick: MicroOperation = {
  name: 'yardstick: 1 KiB hashed',
  run: () => {
    let hash = 0x811c9dc5;
    for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    hashed[0] = hash;
  },
};

interface Turn {
  readonly operation: MicroOperation;
  readonly repeats: number;
  readonly samples: number[];
}

/** The yardstick first, then the operations as they were given. */
export function measureInTurns(operations: readonly MicroOperation[], options: MeasureOptions): MicroResult[] {
  const turns = [yardstick, ...operations].map((operation) => turnOf(operation, options));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { operation, repeats, samples } of turns) samples.push(slice(operation, repeats, options) / repeats);
  }
  const [first] = turns;
  const base = median(first?.samples ?? []);
  return turns.map(({ operation, samples }) => {
    const us = median(samples);
    return { name: operation.name, ns: us * 1000, toYardstick: us / base };
  });
}

/** Warms up while it finds out how many fit into a slice. */
function turnOf(operation: MicroOperation, options: MeasureOptions): Turn {
  let repeats = 1;
  const wantedUs = options.sliceMs * 1000;
  for (let us = 0; us < wantedUs; ) {
    us = slice(operation, repeats, options);
    if (us < wantedUs) repeats *= 2;
  }
  return { operation, repeats, samples: [] };
}

function slice({ run }: MicroOperation, repeats: number, { cpuUs }: MeasureOptions): number {
  const began = cpuUs();
  for (let count = 0; count < repeats; count += 1) run();
  return cpuUs() - began;
}
