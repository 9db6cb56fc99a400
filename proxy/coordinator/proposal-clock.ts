/** Writes down which proposals nobody has decided in time. Whether one may still be approved does not hang on it. */
import type { Proposals } from '../config/proposals.ts';
import type { Logger } from '../log/logger.ts';

/** The history may tell of it so much later. */
const LOOK_MS = 30_000;

/**
 * @param isInCharge only the generation that people talk to does it: the others' pages would not hear of it
 * @returns the function that ends it and waits for what is under way
 */
export function watchProposals(
  proposals: Pick<Proposals, 'expire'>,
  isInCharge: () => boolean,
  log: Pick<Logger, 'warn'>,
  every: (ms: number, run: () => void) => () => void = realEvery,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    try {
      await proposals.expire();
    } catch (error) {
      log.warn({ err: error }, 'proposals that are over could not be written down; tried again soon');
    }
    running = null;
  };
  const end = every(LOOK_MS, () => {
    if (running === null && isInCharge()) running = look();
  });
  return async () => {
    end();
    await running;
  };
}

function realEvery(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
}
