import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ControlBench } from './testing.ts';

let bench: ControlBench;
beforeAll(async () => {
  bench = await ControlBench.start();
});
afterAll(async () => bench.stop());

describe('GET /v1/traffic', () => {
  it('asks for fifteen minutes up to now unless told otherwise, and refuses what cannot be kept (case B108)', async () => {
    const token = await bench.userToken('vera', 'viewer');
    const usual = await bench.call('GET', '/v1/traffic', { token });
    expect(usual.json).toMatchObject({ stepMs: 900_000, from: '2026-03-01T09:45:00.000Z' });
    const asked = await bench.call('GET', '/v1/traffic?minutes=60&to=2026-03-01T09:30:00.000Z', { token });
    expect(asked.json).toMatchObject({ stepMs: 3_600_000, from: '2026-03-01T08:30:00.000Z' });
    for (const bad of ['minutes=0', 'minutes=241', 'minutes=abc', 'to=yesterday']) {
      expect((await bench.call('GET', `/v1/traffic?${bad}`, { token })).status, bad).toBe(400);
    }
    expect((await bench.call('GET', '/v1/traffic')).status).toBe(401);
  });
});
