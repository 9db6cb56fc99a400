import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OdpError } from '../errors/odp-error.ts';
import { type DemoFault, type DemoState, demoStateSchema } from './contract.ts';
import type { DemoService } from './demo-service.ts';
import { ControlBench } from './testing.ts';

const server = {
  address: '127.0.0.11:2881',
  zone: 'zone1',
  region: 'SHANGHAI',
  idc: 'idc1',
  hostName: 'obdemo-zone1-1',
  listening: true,
  frozen: false,
  slowMs: 0,
  errorCode: 0,
  connections: 3,
  leaders: 6,
};
const zone = { name: 'zone1', region: 'SHANGHAI', idc: 'idc1', type: 'ReadWrite', merging: false } as const;

/** A demo cluster that keeps what it was asked for. */
class TestDemo implements DemoService {
  readonly asked: (DemoFault | number)[] = [];
  failure: OdpError | null = null;

  async state(): Promise<Omit<DemoState, 'at'>> {
    return { servers: [server], zones: [zone], faults: [], load: null };
  }

  async inject(fault: DemoFault): Promise<Omit<DemoState, 'at'>> {
    if (this.failure !== null) throw this.failure;
    this.asked.push(fault);
    return this.state();
  }

  async load(forMs: number): Promise<Omit<DemoState, 'at'>> {
    this.asked.push(forMs);
    return this.state();
  }
}

describe('routes of the demo lab', () => {
  const demo = new TestDemo();
  let bench: ControlBench;
  let operator = '';
  let viewer = '';

  beforeAll(async () => {
    bench = await ControlBench.start(undefined, demo);
    operator = await bench.userToken('olga', 'operator');
    viewer = await bench.userToken('vera', 'viewer');
  });
  afterAll(() => bench.stop());

  const inject = (fault: unknown, more: object = {}, token = operator) =>
    bench.call('POST', '/v1/demo/faults', { token, body: { fault, ...more } });

  it('tell everybody how the demo cluster is', async () => {
    const { status, json } = await bench.call('GET', '/v1/demo', { token: viewer });
    expect(status).toBe(200);
    expect(demoStateSchema.parse(json)).toMatchObject({ at: '2026-03-01T10:00:00.000Z', servers: [server] });
  });

  it('break it for those who may, with a row that says who, what and why', async () => {
    const fault = { fault: 'stop', server: 'zone1' };
    expect((await inject(fault, {}, viewer)).status).toBe(403);
    expect((await inject(fault, { reason: 'to see who takes over' })).status).toBe(200);
    expect(demo.asked).toEqual([fault]);
    const { rows } = await bench.history.log.page({ action: 'demo.fault' }, 1);
    expect(rows).toMatchObject([
      {
        actor: 'olga',
        role: 'operator',
        source: 'console',
        newValue: 'stop zone1',
        reason: 'to see who takes over',
        outcome: 'done',
      },
    ]);
  });

  it('put a sample load on it, and take it off', async () => {
    const load = (minutes: number, token = operator) =>
      bench.call('POST', '/v1/demo/load', { token, body: { minutes } });
    expect((await load(5, viewer)).status).toBe(403);
    expect((await load(31)).status).toBe(400);
    expect((await load(5)).status).toBe(200);
    expect((await load(0)).status).toBe(200);
    expect(demo.asked.slice(-2)).toEqual([300_000, 0]);
    const { rows } = await bench.history.log.page({ action: 'demo.load', outcome: 'done' }, 10);
    expect(rows.map(({ newValue }) => newValue)).toEqual(['sample load ended', 'sample load begun for 5 min']);
  });

  it('name what is not there, and write down that it was refused', async () => {
    const asked = demo.asked.length;
    for (const [wrong, status] of [
      [{ fault: 'stop', server: 'zone9' }, 404],
      [{ fault: 'leader', server: 'zone1', to: 'zone9' }, 404],
      [{ fault: 'merge', zone: 'zone9', merging: true }, 404],
      [{ fault: 'partition', region: 'NOWHERE', cut: true }, 404],
      [{ fault: 'partition', cut: true }, 400],
      [{ fault: 'burn', server: 'zone1' }, 400],
    ] as const) {
      expect((await inject(wrong)).status, wrong.fault).toBe(status);
      const { rows } = await bench.history.log.page({ action: 'demo.fault' }, 1);
      expect(rows).toMatchObject([{ outcome: 'refused' }]);
    }
    expect(demo.asked).toHaveLength(asked);
  });

  it('say when the demo cluster does not answer', async () => {
    demo.failure = new OdpError('DEMO_FAILED', { detail: 'connect ENOENT' });
    expect(await inject({ fault: 'reset' })).toMatchObject({ status: 503, json: { code: 'DEMO_FAILED' } });
    demo.failure = null;
    const { rows } = await bench.history.log.page({ action: 'demo.fault' }, 1);
    expect(rows).toMatchObject([{ outcome: 'failed' }]);
  });
});

describe('a proxy without a demo', () => {
  it('has no lab, and says so', async () => {
    const bench = await ControlBench.start();
    try {
      const token = await bench.userToken('olga', 'operator');
      for (const [method, path, body] of [
        ['GET', '/v1/demo', undefined],
        ['POST', '/v1/demo/faults', { fault: { fault: 'reset' } }],
        ['POST', '/v1/demo/load', { minutes: 5 }],
      ] as const) {
        const answer = await bench.call(method, path, { token, body });
        expect(answer, path).toMatchObject({
          status: 404,
          json: { code: 'NO_DEMO', detail: expect.stringContaining('embedded demo') },
        });
      }
    } finally {
      await bench.stop();
    }
  });
});
