/** What the Lab page asks for, and does to the demo cluster. */
import { queryOptions } from '@tanstack/react-query';
import { type DemoFault, type DemoState, demoStateSchema } from '../../proxy/control/contract.ts';
import { getJson, postJson } from './api.ts';

/** The demo tells no changes by itself: whoever looks asks. */
const lookMs = 1_000;

export const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: ({ signal }) => getJson('/api/demo', demoStateSchema, signal),
  refetchInterval: lookMs,
});

/** @throws ApiError */
export async function injectFault(fault: DemoFault, reason: string): Promise<DemoState> {
  return demoStateSchema.parse(await postJson('/api/demo/faults', { fault, reason }));
}

/** Starts the sample load anew, or ends it with 0 minutes. @throws ApiError */
export async function orderLoad(minutes: number): Promise<DemoState> {
  return demoStateSchema.parse(await postJson('/api/demo/load', { minutes }));
}
