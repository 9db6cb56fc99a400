import { expect, it } from 'vitest';
import { identityOf, isLoopbackAddress, isPrivateAddress } from './identity.ts';

it.each([
  ['root', 'proxysys', 'proxysys'],
  ['inspector', 'proxysys', 'inspector'],
  ['someone', 'proxysys', null],
  ['root', 'sys', 'rootsys'],
  ['root', 'trade', 'ordinary'],
  ['u1', 'sys', 'ordinary'],
])('%s@%s is %s', (user, tenant, identity) => {
  expect(identityOf(user, tenant)).toBe(identity);
});

it.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['172.16.0.1', true],
  ['172.32.0.1', false],
  ['192.168.3.4', true],
  ['169.254.1.1', true],
  ['8.8.8.8', false],
  ['::1', true],
  ['fd00::1', true],
  ['fe80::1', true],
  ['2001:db8::1', false],
  ['', false],
])('%s is a private address: %s', (host, expected) => {
  expect(isPrivateAddress(host)).toBe(expected);
});

it('loopback', () => {
  expect(['::1', '127.8.8.8', '10.0.0.1', ''].map(isLoopbackAddress)).toEqual([true, true, false, false]);
});
