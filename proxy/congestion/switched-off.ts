import type { CongestionParameters } from './types.ts';

/**
 * B17: a failure threshold below 0 takes every server off all lists and keeps them off; 0, which no count of failures can
 * be meant by, does the same. Observing goes on. (`enable_congestion` is another thing: the lists stay, routing ignores them.)
 */
export function isOff(parameters: CongestionParameters): boolean {
  return parameters.failureThreshold <= 0;
}
