import type { z } from 'zod';
import type { Traffic, trafficQuerySchema } from './contract.ts';

export type TrafficQuery = z.output<typeof trafficQuerySchema>;

/** Where the control API gets what the zones did. */
export interface TrafficService {
  window(query: TrafficQuery): Traffic;
}
