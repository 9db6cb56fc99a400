import { setFlagsFromString } from 'node:v8';

/** Megabytes of one half of a worker's young generation. More is hardly faster, and a worker is to be small (R1). */
const SEMI_SPACE_MB = 4;

/**
 * The heaps of threads that are started from now on have room for what requests and log-ins leave behind: with the little
 * that the coordinator needs for itself (supervisor/child.ts), a collection every few dozen log-ins took a fifth of the
 * time. That little is said by a flag of V8, which counts before the limits of a `Worker`; the heap that runs keeps its own.
 */
export function makeRoomInNewHeaps(): void {
  setFlagsFromString(`--min-semi-space-size=${SEMI_SPACE_MB}`);
  setFlagsFromString(`--max-semi-space-size=${SEMI_SPACE_MB}`);
}
