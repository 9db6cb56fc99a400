import type { DemoFault, DemoState } from './contract.ts';

/** What the control API needs of the embedded demo cluster; the coordinator supplies it. All reject with DEMO_FAILED. */
export interface DemoService {
  state(): Promise<Omit<DemoState, 'at'>>;
  /** Does it; rejects with NOT_FOUND or BAD_REQUEST for what is not there. @returns the state that it brought about */
  inject(fault: DemoFault): Promise<Omit<DemoState, 'at'>>;
  /** Starts the sample load anew; ends it for 0. */
  load(forMs: number): Promise<Omit<DemoState, 'at'>>;
}
