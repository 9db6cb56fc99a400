import type { APIRequestContext } from '@playwright/test';
import { product } from './product.ts';

/** Lets everything stay that is to go back by itself: the next test begins without. */
export async function cancelReverts(request: APIRequestContext): Promise<void> {
  const headers = { origin: product().url };
  const answer = await request.get('/api/parameters/reverts');
  for (const { id } of ((await answer.json()) as { reverts: { id: number }[] }).reverts) {
    await request.post(`/api/parameters/reverts/${id}/cancel`, { headers, data: { reason: 'end of the test' } });
  }
}
