import { describe, expect, it } from 'vitest';
import { classifyStatement } from './classify.ts';
import { routeAddressOf } from './route-address.ts';

const read = (sql: string) => classifyStatement(Buffer.from(sql)).routeAddress;

describe('@obproxy_route_addr', () => {
  it('knows the statements that are the proxy’s own', () => {
    expect(read(' SELECT  @obproxy_route_addr ; ')).toEqual({ verb: 'select' });
    expect(read('set @OBPROXY_ROUTE_ADDR = 42')).toEqual({ verb: 'set', value: '42' });
    expect(read("set @obproxy_route_addr := '127.0.0.1:2881';")).toEqual({ verb: 'set', value: '127.0.0.1:2881' });
  });

  it.each([
    'select @obproxy_route_address',
    'select @obproxy_route_addr from t',
    'select 1, @obproxy_route_addr',
    'set @obproxy_route_addr = 1, @a = 2',
    'set @obproxy_route_addr = @a',
    'set @obproxy_route_addr = 1; select 1',
  ])('leaves %s to the server', (sql) => {
    expect(read(sql)).toBeNull();
  });

  it('reads an address out of the number of the reference proxy', () => {
    // 127.0.0.11 and port 2881, each in network byte order, in one little-endian number.
    expect(routeAddressOf(String((0x410bn << 32n) | 0x0b00007fn))).toBe('127.0.0.11:2881');
    expect(routeAddressOf('0')).toBeNull();
    expect(routeAddressOf('')).toBeNull();
    expect(routeAddressOf(' [::1]:2881 ')).toBe('[::1]:2881');
    expect(routeAddressOf('99999999999999999999')).toMatch(/^\d+\.\d+\.\d+\.\d+:\d+$/);
  });
});
