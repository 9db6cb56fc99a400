import { describe, expect, it } from 'vitest';
import type { Parameter } from '../../proxy/control/contract.ts';
import { checkStart, startOrder } from './upgrade-order.ts';
import { workerChanges } from './worker-changes.ts';

const fields = { directory: '', md5: '', hold: false, watchSeconds: '10' };

describe('the order for an upgrade', () => {
  it('is of the same tree, watched for a while, unless said otherwise', () => {
    expect(checkStart(fields)).toEqual({});
    expect(startOrder('upgrade', fields, 'new version')).toEqual({
      kind: 'upgrade',
      directory: null,
      md5: null,
      hold: false,
      watchMs: 10_000,
      reason: 'new version',
    });
  });

  it('takes a directory, a checksum in any case, and somebody who decides', () => {
    const md5 = 'ABCDEF0123456789abcdef0123456789';
    const order = startOrder('upgrade', { directory: ' /opt/odp-2 ', md5, hold: true, watchSeconds: 'x' }, 'r');
    expect(order).toMatchObject({ directory: '/opt/odp-2', md5: md5.toLowerCase(), hold: true });
    // A restart is of the tree that runs.
    expect(startOrder('restart', { ...fields, directory: '/opt/odp-2' }, 'r').directory).toBeNull();
  });

  it('is refused while it is typed, with what is wrong', () => {
    const wrong = checkStart({ directory: 'opt', md5: '12', hold: false, watchSeconds: '1.5' });
    expect(Object.keys(wrong)).toEqual(['directory', 'md5', 'watchSeconds']);
    expect(checkStart({ ...fields, watchSeconds: '86401' }).watchSeconds).toBe(true);
    expect(checkStart({ ...fields, hold: true, watchSeconds: '' })).toEqual({});
  });
});

describe('another number of workers', () => {
  const parameter = (name: string, type: 'int' | 'bool', value: string, pendingValue: string | null = null) =>
    ({ name, type, value, pendingValue, revision: 4 }) as Parameter;
  const now = {
    most: parameter('work_thread_num', 'int', '128', '3'),
    byCores: parameter('automatic_match_work_thread', 'bool', 'True'),
  };

  it('changes what differs from what is stored, and nothing else', () => {
    expect(workerChanges(now, { most: '2', byCores: 'False' })).toEqual([
      { name: 'work_thread_num', value: '2', baseRevision: 4 },
      { name: 'automatic_match_work_thread', value: 'False', baseRevision: 4 },
    ]);
    expect(workerChanges(now, { most: '3', byCores: 'true' })).toEqual([]);
  });
});
