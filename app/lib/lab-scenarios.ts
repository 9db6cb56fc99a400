/** The guided scenarios of the Lab page: what each does to the demo cluster, and what undoes it. */
import type { DemoFault, DemoState } from '../../proxy/control/contract.ts';

export type ScenarioName = 'serverDies' | 'zoneMerges' | 'leaderMoves' | 'regionCut';

export interface Scenario {
  readonly name: ScenarioName;
  /** What it is done to, as it is called in the texts. */
  readonly target: string;
  /** Where what was there goes. */
  readonly other: string;
  readonly begin: readonly DemoFault[];
  readonly undo: readonly DemoFault[];
  /** It is under way, whoever began it. */
  readonly isOn: boolean;
}

/** Those that the cluster has the servers and zones for. */
export function scenariosOf(state: DemoState): Scenario[] {
  const { servers, zones, faults } = state;
  const [first, second, third] = zones.filter(({ type }) => type === 'ReadWrite');
  const readOnly = zones.filter(({ type }) => type === 'ReadOnly');
  const [merging, spared] = readOnly;
  const dying = servers.find(({ zone }) => zone === second?.name);
  const lasts = (fault: string, target: string) =>
    faults.some((active) => active.fault === fault && active.target === target);
  const found: Scenario[] = [];
  if (dying !== undefined && first !== undefined && third !== undefined) {
    found.push({
      name: 'serverDies',
      target: dying.zone,
      other: `${first.name}, ${third.name}`,
      begin: [{ fault: 'stop', server: dying.address }],
      undo: [{ fault: 'start', server: dying.address }, { fault: 'spreadLeaders' }],
      isOn: lasts('stop', dying.address),
    });
  }
  if (merging !== undefined && spared !== undefined) {
    found.push({
      name: 'zoneMerges',
      target: merging.name,
      other: spared.name,
      begin: [{ fault: 'merge', zone: merging.name, merging: true }],
      undo: [{ fault: 'merge', zone: merging.name, merging: false }],
      isOn: lasts('merge', merging.name),
    });
  }
  if (first !== undefined && third !== undefined) {
    found.push({
      name: 'leaderMoves',
      target: first.name,
      other: third.name,
      begin: [{ fault: 'leader', server: first.name, to: third.name }],
      undo: [{ fault: 'spreadLeaders' }],
      isOn: servers.some(({ zone, leaders }) => zone === first.name && leaders === 0),
    });
  }
  if (merging !== undefined && first !== undefined && merging.region !== first.region) {
    found.push({
      name: 'regionCut',
      target: merging.region,
      other: first.region,
      begin: [{ fault: 'partition', region: merging.region, cut: true }],
      undo: [{ fault: 'partition', region: merging.region, cut: false }],
      isOn: lasts('partition', merging.region),
    });
  }
  return found;
}
