import { describe, expect, it } from 'vitest';
import { parseLoginName } from './login-name.ts';

const rules = { separators: [':', '-', '.'], defaultTenant: '', defaultCluster: 'c0' };
const parse = (name: string) => {
  const { user, tenant, cluster, clusterId } = parseLoginName(name, rules);
  return [user, tenant, cluster, clusterId];
};

describe('login names', () => {
  it.each([
    ['u1@t1#c1', ['u1', 't1', 'c1', '']],
    ['u1@t1#c1:7', ['u1', 't1', 'c1', '7']],
    ['c1:t1:u1', ['u1', 't1', 'c1', '']],
    ['c1-t1-u1', ['u1', 't1', 'c1', '']],
    ['c1.t1.u1', ['u1', 't1', 'c1', '']],
    ['c1:t1:u1:7', ['u1', 't1', 'c1', '7']],
    ['u1@t1', ['u1', 't1', 'c0', '']],
    ['u1', ['u1', 'sys', 'c0', '']],
    ['u1#c1', ['u1', 'sys', 'c1', '']],
    ['u1@#c1', ['u1', 'sys', 'c1', '']],
    ['@t1#c1', ['', 't1', 'c1', '']],
    ['u1@t1#', ['u1', 't1', 'c0', '']],
    ['u1#c1@t1', ['u1', 't1', 'c1', '']],
    ['U1@T1#C1', ['U1', 'T1', 'C1', '']],
    ['a@b@t1#c1', ['a@b', 't1', 'c1', '']],
  ])('case B22 %s', (name, expected) => {
    expect(parse(name)).toEqual(expected);
  });

  it.each([
    ['u.1@t-1#c_1', ['u.1', 't-1', 'c_1', '']],
    ['c_1:t-1:u.1', ['u.1', 't-1', 'c_1', '']],
    ['my-app', ['my-app', 'sys', 'c0', '']],
    ['c_1-t.1-u:1', ['u:1', 't.1', 'c_1', '']],
    ['a-b-c-d-e', ['a-b-c-d-e', 'sys', 'c0', '']],
    ['a.b-c:d', ['a.b-c:d', 'sys', 'c0', '']],
    ['c:t:u-1-2', ['u-1-2', 't', 'c', '']],
    ['u-1-2@t:1:2#c.1', ['u-1-2', 't:1:2', 'c.1', '']],
  ])('case B23 separators inside names: %s', (name, expected) => {
    expect(parse(name)).toEqual(expected);
  });

  it('C2 names without tenant take the configured one', () => {
    const login = parseLoginName('u1', { ...rules, defaultTenant: 't9' });
    expect(login).toMatchObject({ tenant: 't9', cluster: 'c0', isFull: false });
  });

  it.each([
    ['u1@t1#c1', true],
    ['c1:t1:u1', true],
    ['u1@t1', false],
    ['u1#c1', false],
    ['u1@#c1', false],
    ['u1', false],
  ])('case B22 %s says all: %s', (name, isFull) => {
    expect(parseLoginName(name, rules).isFull).toBe(isFull);
  });
});
