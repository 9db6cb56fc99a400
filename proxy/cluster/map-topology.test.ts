import { describe, expect, it } from 'vitest';
import { parseRsList } from '../config/rs-list.ts';
import { mapServers, mapZones, serversOfList } from './map-topology.ts';

const zoneRow = {
  zone: 'zone1',
  status: 'ACTIVE',
  is_merging: '0',
  region: 'SHANGHAI',
  spare4: 'idc1',
  spare5: 'ReadWrite',
};
const serverRow = {
  svr_ip: '10.0.0.1',
  svr_port: '2881',
  rpc_port: '2882',
  zone: 'zone1',
  status: 'ACTIVE',
  start_service_time: '1',
  stop_time: '0',
};

describe('mapZones', () => {
  it.each([
    ['ACTIVE', '0', 'ACTIVE'],
    ['active', '0', 'ACTIVE'],
    ['ACTIVE', '1', 'MERGE'],
    ['INACTIVE', '0', 'UPGRADE'],
    ['INACTIVE', '1', 'UPGRADE'],
  ])('maps status %s with is_merging %s to %s', (status, merging, state) => {
    const { items } = mapZones([{ ...zoneRow, status, is_merging: merging }]);
    expect(items).toEqual([{ name: 'zone1', region: 'SHANGHAI', idc: 'idc1', type: 'ReadWrite', state }]);
  });

  it.each([
    ['ReadWrite', 'ReadWrite'],
    ['READONLY', 'ReadOnly'],
    ['Encryption', 'Encryption'],
    ['', 'ReadWrite'],
    [null, 'ReadWrite'],
  ])('R6 reads zone type %j as %s', (spare5, type) => {
    expect(mapZones([{ ...zoneRow, spare5 }]).items[0]?.type).toBe(type);
  });

  it('gives up the whole answer for one unusable row, and names it', () => {
    const rows = [
      zoneRow,
      { ...zoneRow, zone: 'zone2', status: 'LOST' },
      { ...zoneRow, zone: 'z3', spare5: 'Odd' },
      {},
    ];
    expect(mapZones(rows)).toEqual({
      items: [],
      problems: [
        "zone zone2 has the unknown status 'LOST'",
        "zone z3 has the unknown type 'Odd'",
        'a zone without a name',
      ],
    });
  });
});

describe('mapServers', () => {
  it.each([
    ['B1 in service', { status: 'ACTIVE' }, 'ACTIVE', 'in service'],
    ['B1 in service since', { status: 'active', start_service_time: '1700000000000000' }, 'ACTIVE', 'in service'],
    ['B2 down', { status: 'INACTIVE' }, 'INACTIVE', 'finds it inactive'],
    ['B2 down', { status: 'INACTIVE', start_service_time: '0' }, 'INACTIVE', 'not in service'],
    ['B2 replaying', { status: 'ACTIVE', start_service_time: '0' }, 'REPLAY', 'replays its log'],
    ['B2 replaying', { status: 'ACTIVE', start_service_time: null }, 'REPLAY', 'replays its log'],
    ['B3 being removed', { status: 'DELETING' }, 'DELETING', 'being removed'],
    ['B4 stopped', { stop_time: '1' }, 'UPGRADE', 'stop_time is set'],
    ['B4 stopped', { stop_time: '1700000000000000', start_service_time: '0' }, 'UPGRADE', 'stop_time is set'],
    ['of unknown status', { status: 'PONDERING' }, 'INACTIVE', "'pondering'"],
  ])('%s: %j is %s', (_id, columns, state, reason) => {
    const [server] = mapServers([{ ...serverRow, ...columns }]).items;
    expect(server).toMatchObject({ address: '10.0.0.1:2881', host: '10.0.0.1', port: 2881, zone: 'zone1', state });
    expect(server?.reason).toContain(reason);
  });

  it('reads a time text as set and its absence as not', () => {
    const state = (columns: object) => mapServers([{ ...serverRow, ...columns }]).items[0]?.state;
    expect(state({ start_service_time: '2026-01-02 03:04:05', stop_time: null })).toBe('ACTIVE');
    expect(state({ stop_time: '2026-01-02 03:04:05.000000' })).toBe('UPGRADE');
    expect(state({ stop_time: '0.000000' })).toBe('ACTIVE');
  });

  it('leaves out rows without a usable address and tells of them; the order of the view does not matter', () => {
    const rows = [
      { ...serverRow, svr_ip: 'fd00::11' },
      { ...serverRow, svr_ip: '0.0.0.0' },
      { ...serverRow, svr_port: null },
      serverRow,
    ];
    const { items, problems } = mapServers(rows);
    expect(items.map((server) => server.address)).toEqual(['10.0.0.1:2881', '[fd00::11]:2881']);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain("'0.0.0.0'");
    expect(mapServers(rows.toReversed()).items).toEqual(items);
  });
});

it('counts configured servers as active with the given reason', () => {
  expect(serversOfList(parseRsList('10.0.0.1:2881'), 'why')).toEqual([
    { address: '10.0.0.1:2881', host: '10.0.0.1', port: 2881, zone: '', state: 'ACTIVE', reason: 'why' },
  ]);
});
