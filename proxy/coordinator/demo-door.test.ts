import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { DemoFault } from '../control/contract.ts';
import { startDemoCluster } from '../demo/demo-cluster.ts';
import { openFaultDoor } from '../demo/fault-door.ts';
import { DemoLab } from '../demo/lab/demo-lab.ts';
import { demoDoor } from './demo-door.ts';

describe('the way to the demo cluster', () => {
  const home = mkdtempSync(join(tmpdir(), 'odp-demo-door-'));
  const socketPath = join(home, 'demo.sock');
  // Nobody listens there: the sample load's failures are counted, and that is all that is wanted of it.
  const options = { socketPath, proxy: { host: '0.0.0.0', port: 1 }, user: 'root@trade#obdemo' };
  const door = demoDoor(options);
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
    rmSync(home, { recursive: true });
  });

  it('carries every fault of the contract to the demo, and its state back', async () => {
    const cluster = await startDemoCluster({ port: 0 });
    const lab = new DemoLab(cluster.faults);
    const opened = await openFaultDoor(lab, socketPath);
    closing.push(
      async () => lab.close(),
      () => opened.close(),
      () => cluster.close(),
    );
    const atFirst = (await door.state()).servers.map(({ leaders }) => leaders);
    const faults: readonly [DemoFault, string[]][] = [
      [{ fault: 'freeze', server: 'zone1' }, ['freeze']],
      [{ fault: 'thaw', server: 'zone1' }, []],
      [{ fault: 'refuse', server: 'zone1' }, ['refuse']],
      [{ fault: 'accept', server: 'zone1' }, []],
      [{ fault: 'slow', server: 'zone1', delayMs: 20 }, ['slow']],
      [{ fault: 'error', server: 'zone1', errno: 4013 }, ['slow', 'error']],
      [{ fault: 'stop', server: 'zone1' }, ['stop']],
      [{ fault: 'start', server: 'zone1' }, []],
      [{ fault: 'merge', zone: 'zone4', merging: true }, ['merge']],
      [{ fault: 'partition', region: 'HANGZHOU', cut: true }, ['merge', 'partition']],
      [{ fault: 'rollingMerge', perZoneMs: 60_000 }, ['merge', 'partition', 'rollingMerge']],
      [{ fault: 'leader', server: 'zone2', to: 'zone3' }, ['merge', 'partition', 'rollingMerge']],
      [{ fault: 'spreadLeaders' }, ['merge', 'partition', 'rollingMerge']],
      [{ fault: 'leader', server: 'zone2', to: 'zone3' }, ['merge', 'partition', 'rollingMerge']],
      [{ fault: 'reset' }, []],
    ];
    for (const [fault, left] of faults) {
      const state = await door.inject(fault);
      expect(
        state.faults.map((one) => one.fault),
        JSON.stringify(fault),
      ).toEqual(left);
    }
    const state = await door.state();
    expect(state.servers.map(({ leaders }) => leaders)).toEqual(atFirst);
    expect(state.servers.every(({ listening, frozen }) => listening && !frozen)).toBe(true);
    expect((await door.load(60_000)).load).toMatchObject({ running: true });
    expect((await door.load(0)).load).toMatchObject({ running: false });
    await expect(door.inject({ fault: 'stop', server: 'zone9' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('says why there is no answer, and when it is none', async () => {
    const nowhere = demoDoor({ ...options, socketPath: join(home, 'nowhere.sock') });
    await expect(nowhere.state()).rejects.toMatchObject({ code: 'DEMO_FAILED' });
    const other = createServer((_request, response) => response.end('hello'));
    const otherPath = join(home, 'other.sock');
    await new Promise<void>((done) => other.listen(otherPath, done));
    closing.push(async () => void other.close());
    await expect(demoDoor({ ...options, socketPath: otherPath }).state()).rejects.toThrow(/200 hello/);
  });
});
