import { describe, expect, it } from 'vitest';
import type { DemoServer, DemoState } from '../../proxy/control/contract.ts';
import { shownPages } from '../components/shell/pages.ts';
import { activeOn, endOf, leadersMoved, serverFaults, toggled } from './lab-faults.ts';
import { scenariosOf } from './lab-scenarios.ts';

const zones = [
  { name: 'zone1', region: 'SHANGHAI', idc: 'idc1', type: 'ReadWrite', merging: false },
  { name: 'zone2', region: 'SHANGHAI', idc: 'idc1', type: 'ReadWrite', merging: false },
  { name: 'zone3', region: 'SHANGHAI', idc: 'idc2', type: 'ReadWrite', merging: false },
  { name: 'zone4', region: 'HANGZHOU', idc: 'idc3', type: 'ReadOnly', merging: false },
  { name: 'zone5', region: 'HANGZHOU', idc: 'idc3', type: 'ReadOnly', merging: false },
] as const;

function stateWith(
  faults: readonly (readonly [fault: string, target: string])[],
  leaders = [6, 6, 6, 0, 0],
): DemoState {
  const servers = zones.map(
    ({ name, region, idc }, index): DemoServer => ({
      address: `127.0.0.1${index + 1}:2881`,
      zone: name,
      region,
      idc,
      hostName: `obdemo-${name}-1`,
      listening: true,
      frozen: false,
      slowMs: 0,
      errorCode: 0,
      connections: 1,
      leaders: leaders[index] ?? 0,
    }),
  );
  const since = '2026-03-01T10:00:00.000Z';
  const active = faults.map(([fault, target]) => ({ fault, target, detail: '', since }));
  return { at: since, servers, zones: [...zones], faults: active, load: null };
}

const first = stateWith([]).servers[0] as DemoServer;
const fourth = stateWith([]).servers[3] as DemoServer;

describe('faults of the Lab page (issue 9)', () => {
  it('each switch begins its fault and ends the one that lasts', () => {
    const { faults } = stateWith(serverFaults.map((kind) => [kind, first.address]));
    expect(serverFaults.map((kind) => toggled(kind, first, undefined))).toEqual([
      { fault: 'stop', server: first.address },
      { fault: 'freeze', server: first.address },
      { fault: 'slow', server: first.address, delayMs: 500 },
      { fault: 'refuse', server: first.address },
      { fault: 'error', server: first.address, errno: 4013 },
      { fault: 'partition', server: first.address, cut: true },
    ]);
    expect(serverFaults.map((kind) => toggled(kind, first, activeOn(kind, first, faults)))).toEqual([
      { fault: 'start', server: first.address },
      { fault: 'thaw', server: first.address },
      { fault: 'slow', server: first.address, delayMs: 0 },
      { fault: 'accept', server: first.address },
      { fault: 'error', server: first.address, errno: 0 },
      { fault: 'partition', server: first.address, cut: false },
    ]);
  });

  it('a region that is cut off is mended as a whole, from whichever of its servers', () => {
    const { faults } = stateWith([['partition', 'HANGZHOU']]);
    expect(activeOn('partition', first, faults)).toBeUndefined();
    expect(toggled('partition', fourth, activeOn('partition', fourth, faults))).toEqual({
      fault: 'partition',
      region: 'HANGZHOU',
      cut: false,
    });
  });

  it('everything in the list can be ended there, but what only the demo’s own door knows', () => {
    const state = stateWith([
      ['merge', 'zone4'],
      ['rollingMerge', 'zone2'],
      ['partition', 'HANGZHOU'],
      ['stop', first.address],
      ['inService', first.address],
    ]);
    expect(state.faults.map((fault) => endOf(fault, state))).toEqual([
      { fault: 'merge', zone: 'zone4', merging: false },
      { fault: 'rollingMerge', perZoneMs: 0 },
      { fault: 'partition', region: 'HANGZHOU', cut: false },
      { fault: 'start', server: first.address },
      null,
    ]);
  });

  it('leaders have moved when a zone that may lead has none', () => {
    expect(leadersMoved(stateWith([]))).toBe(false);
    expect(leadersMoved(stateWith([], [0, 6, 12, 0, 0]))).toBe(true);
  });
});

describe('scenarios of the Lab page (issue 9)', () => {
  const on = (state: DemoState) =>
    scenariosOf(state)
      .filter(({ isOn }) => isOn)
      .map(({ name }) => name);

  it('are of the servers and zones that there are', () => {
    expect(scenariosOf(stateWith([])).map(({ name, target, other }) => [name, target, other])).toEqual([
      ['serverDies', 'zone2', 'zone1, zone3'],
      ['zoneMerges', 'zone4', 'zone5'],
      ['leaderMoves', 'zone1', 'zone3'],
      ['regionCut', 'HANGZHOU', 'SHANGHAI'],
    ]);
    expect(scenariosOf({ ...stateWith([]), zones: zones.slice(0, 2) })).toEqual([]);
  });

  it('are under way while what they did lasts, whoever did it', () => {
    expect(on(stateWith([]))).toEqual([]);
    expect(on(stateWith([['stop', '127.0.0.12:2881']], [9, 0, 9, 0, 0]))).toEqual(['serverDies']);
    expect(on(stateWith([['merge', 'zone4']]))).toEqual(['zoneMerges']);
    expect(on(stateWith([], [0, 6, 12, 0, 0]))).toEqual(['leaderMoves']);
    expect(on(stateWith([['partition', 'HANGZHOU']]))).toEqual(['regionCut']);
  });
});

describe('navigation', () => {
  it('has the Lab only where the proxy runs with its embedded demo (issue 9)', () => {
    expect(shownPages(true, []).map(({ href }) => href)).toContain('/lab');
    expect(shownPages(false, []).map(({ href }) => href)).not.toContain('/lab');
    expect(shownPages(false, [])).toHaveLength(shownPages(true, []).length - 1);
  });
});
