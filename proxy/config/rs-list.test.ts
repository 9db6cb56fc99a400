import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OdpError } from '../errors/odp-error.ts';
import { parseRsList, printRsList } from './rs-list.ts';
import { parseServerAddress, toServerAddress } from './server-address.ts';

describe('parseRsList', () => {
  it('R2 reads the list of a cluster, IPv4 and bracketed IPv6', () => {
    expect(parseRsList('10.0.0.1:2881; 10.0.0.2:2882 ;[fd00::11]:2881;')).toEqual([
      { text: '10.0.0.1:2881', host: '10.0.0.1', port: 2881 },
      { text: '10.0.0.2:2882', host: '10.0.0.2', port: 2882 },
      { text: '[fd00::11]:2881', host: 'fd00::11', port: 2881 },
    ]);
  });

  it('takes an empty text for an empty list and a repeated entry once', () => {
    expect(parseRsList(' ; ')).toEqual([]);
    expect(printRsList(parseRsList('10.0.0.1:2881;10.0.0.1:2881'))).toBe('10.0.0.1:2881');
  });

  it.each([
    ['10.0.0.1', "entry 1 '10.0.0.1' has no port"],
    ['10.0.0.1:', 'has no port'],
    ['10.0.0.2:2881;10.0.0.1:0', "entry 2 '10.0.0.1:0' has the port '0'"],
    ['10.0.0.1:65536', "has the port '65536'"],
    ['10.0.0.1:28x', "has the port '28x'"],
    ['10.0.0.1:2882:2881', 'more than one port'],
    ['10.0.0.1:2881,10.0.0.2:2881', "separated by ';'"],
    ['10.0.0.1:2881 10.0.0.2:2881', "separated by ';'"],
    ['fd00::11:2881', 'write [fd00::11]:2881'],
    ['db1.example:2881', "has the host 'db1.example'"],
    ['10.0.0.256:2881', "has the host '10.0.0.256'"],
    ['0.0.0.0:2881', "has the host '0.0.0.0'"],
    ['[fd00::zz]:2881', "has the host 'fd00::zz'"],
    ['[10.0.0.1]:2881', "has the host '10.0.0.1'"],
    ['[fd00::11]', 'has no port'],
  ])('refuses %s and says why', (text, reason) => {
    expect(() => parseRsList(text)).toThrow(OdpError);
    expect(() => parseRsList(text)).toThrow(reason);
    expect(() => parseRsList(text, 'rs')).toThrow(`Invalid config: rs = '${text}'`);
  });

  it('reads back what it prints', () => {
    const host = fc.oneof(fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(fc.array(fc.tuple(host, fc.integer({ min: 1, max: 65_535 }))), (pairs) => {
        const servers = pairs.flatMap(([ip, port]) => toServerAddress(ip, port) ?? []);
        const unique = [...new Map(servers.map((server) => [server.text, server])).values()];
        expect(parseRsList(printRsList(servers))).toEqual(unique);
      }),
    );
  });

  it('gives nothing but an INVALID_PARAMETER for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseRsList(text);
        } catch (error) {
          expect((error as OdpError).code).toBe('INVALID_PARAMETER');
        }
      }),
    );
  });
});

describe('server address', () => {
  it('case B100 prints IPv6 in brackets and in one spelling', () => {
    expect(toServerAddress('FD00:0:0::0011', 2881)?.text).toBe('[fd00::11]:2881');
    expect(parseServerAddress('[FD00::11]:2881')).toEqual({ text: '[fd00::11]:2881', host: 'fd00::11', port: 2881 });
  });

  it.each([
    ['', 2881],
    ['0.0.0.0', 2881],
    ['::', 2881],
    ['fe80::1%eth0', 2881],
    ['10.0.0.1', 0],
    ['10.0.0.1', Number.NaN],
    ['10.0.0.1', 1.5],
  ])('has none for host %j, port %d', (host, port) => {
    expect(toServerAddress(host, port)).toBeNull();
  });
});
