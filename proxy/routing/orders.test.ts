/**
 * Every policy over every kind of server, compared with the orders of the requirements: typed here anew from their
 * text, not taken from the code. A, B, C: same IDC, same region, another region. N, M: not merging, merging. R, W:
 * read-only, read-write zone. F, L: follower, leader. P, T: holds the table, only serves the tenant.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterTopology, TableLocation } from '../cluster/topology.ts';
import { BlocklistView } from '../congestion/blocklist-view.ts';
import { planRoute } from './plan.ts';
import {
  addressesOf,
  clusterOf,
  locationOf,
  plainInput,
  plainSettings,
  planWeak,
  type TestZone,
  type WeakOptions,
} from './testing/cluster-of.ts';

interface Expected {
  readonly id: string;
  readonly policy: string;
  /** The cluster has read-only zones: only then `ob_route_policy` counts. */
  readonly readOnlyZones: boolean;
  /** As the requirement lists them. */
  readonly required: string;
  /** With what the requirement leaves open. */
  readonly whole: string;
}

const tenantOnly = 'ANT BNT AMT BMT CNT CMT';
const table: readonly Expected[] = [
  {
    id: 'R13',
    policy: '',
    readOnlyZones: false,
    required: 'ANP BNP AMP BMP CNP CMP',
    whole: `ANP BNP AMP BMP CNP CMP ${tenantOnly}`,
  },
  {
    id: 'R14',
    policy: 'follower_first',
    readOnlyZones: false,
    required: 'ANF BNF AMF BMF ANL BNL CNF CMF CNL CML',
    whole: `ANF BNF AMF BMF ANL BNL AML BML CNF CMF CNL CML ${tenantOnly}`,
  },
  {
    id: 'R15',
    policy: 'unmerge_follower_first',
    readOnlyZones: false,
    required: 'ANF BNF ANL BNL AMF BMF CNF CNL CMF CML',
    whole: `ANF BNF ANL BNL AMF BMF AML BML CNF CNL CMF CML ${tenantOnly}`,
  },
  {
    id: 'R5',
    policy: 'follower_only',
    readOnlyZones: false,
    required: 'ANF BNF AMF BMF CNF CMF',
    whole: `ANF BNF AMF BMF CNF CMF ${tenantOnly}`,
  },
  {
    id: 'R16',
    policy: 'readonly_zone_first',
    readOnlyZones: false,
    required: 'ANP BNP AMP BMP CNP CMP',
    whole: `ANP BNP AMP BMP CNP CMP ${tenantOnly}`,
  },
  {
    id: 'R17',
    policy: 'readonly_zone_first',
    readOnlyZones: true,
    required: 'ANRP BNRP AMRP BMRP',
    whole:
      'ANRP BNRP AMRP BMRP ANWP BNWP AMWP BMWP CNRP CMRP CNWP CMWP ' +
      'ANRT BNRT AMRT BMRT ANWT BNWT AMWT BMWT CNRT CMRT CNWT CMWT',
  },
  {
    id: 'R18',
    policy: 'only_readonly_zone',
    readOnlyZones: true,
    required: 'ANRP BNRP AMRP BMRP ANRT',
    whole: 'ANRP BNRP AMRP BMRP ANRT BNRT AMRT BMRT CNRP CMRP CNRT CMRT',
  },
  {
    id: 'R19',
    policy: 'unmerge_zone_first',
    readOnlyZones: true,
    required: 'ANRP BNRP ANWP BNWP',
    whole:
      'ANRP BNRP ANWP BNWP AMRP BMRP AMWP BMWP CNRP CNWP CMRP CMWP ' +
      'ANRT BNRT ANWT BNWT AMRT BMRT AMWT BMWT CNRT CNWT CMRT CMWT',
  },
];

const places = ['A', 'B', 'C'].flatMap((near) => ['N', 'M'].map((merge) => near + merge));
const layout = {
  A: { idc: 'near', region: 'here', prefix: 'near' },
  B: { idc: 'other', region: 'here', prefix: 'beside' },
  C: { idc: 'far', region: 'there', prefix: 'far' },
} as const;

/**
 * A zone for each place and type; in each, two servers with a replica and one without. The leader, if any, is at
 * `leader`. A server's name is its code: `ANWF1`, `ANWT`.
 */
function clusterWith(types: readonly ('R' | 'W')[], leader: string | null) {
  const zones = places.flatMap((place) =>
    types.map((type): TestZone => {
      const { idc, region, prefix } = layout[place[0] as 'A' | 'B' | 'C'];
      const code = place + type;
      const servers = [code === leader ? `${code}L1` : `${code}F1`, `${code}F2`, `${code}T`];
      const kind = type === 'R' ? 'ReadOnly' : 'ReadWrite';
      return { name: `${prefix}-${code}`, idc, region, type: kind, merging: place[1] === 'M', servers };
    }),
  );
  const topology = clusterOf(zones);
  const replicas = topology.servers.map(({ address }) => address).filter((address) => !address.endsWith('T'));
  const location = locationOf(
    ...replicas.map((address) => [address, address.includes('L') ? 'leader' : 'follower'] as const),
  );
  return { topology, location };
}

/** Whether a server, by its name, is of a class like `ANF` or `ANRP`. Without LDC all count as near. */
function isOf(code: string, server: string, isLdcOn: boolean): boolean {
  const seen = isLdcOn ? server : `A${server.slice(1)}`;
  const [near, merge, type, role] = [seen[0], seen[1], seen[2], seen[3]];
  const precision = role === 'T' ? 'T' : 'P';
  return [...code].every((letter) => [near, merge, type, role, precision].includes(letter));
}

/** The servers as a list of classes foretells them, class by class; equals in alphabetical order. */
function foretold(list: string, servers: readonly string[], isLdcOn: boolean): string[][] {
  const taken = new Set<string>();
  return list
    .split(' ')
    .map((code) => {
      const found = servers.filter((server) => !taken.has(server) && isOf(code, server, isLdcOn)).sort();
      for (const server of found) taken.add(server);
      return found;
    })
    .filter((group) => group.length > 0);
}

/** Cuts a list of servers into parts as long as the groups, each sorted: equals may come in any order. */
function inGroups(order: readonly string[], groups: readonly string[][]): string[][] {
  const left = [...order];
  const cut = groups.map((group) => left.splice(0, group.length).sort());
  return left.length > 0 ? [...cut, left] : cut;
}

const ldcSettings = [
  { ldc: 'by IDC', idc: 'NEAR', isLdcOn: true },
  { ldc: 'by the beginning of zone names', idc: 'near-', isLdcOn: true },
  { ldc: 'off', idc: '', isLdcOn: false },
  { ldc: 'of an unknown IDC', idc: 'nowhere', isLdcOn: false },
];
const matrix = table.flatMap((row) => ldcSettings.map((setting) => ({ ...row, ...setting })));

function optionsOf({ policy, readOnlyZones, idc }: Expected & { idc: string }, random: number): WeakOptions {
  return readOnlyZones
    ? { idc, zonePolicy: policy.toUpperCase(), policy: 'follower_first', random }
    : { idc, policy: policy.toUpperCase(), zonePolicy: 'only_readonly_zone', random };
}

const listed = (view: BlocklistView, candidates: readonly { address: string }[]) =>
  addressesOf({ candidates: view.choose(candidates, 0)?.order ?? candidates });

describe('R13 R14 R15 R16 R17 R18 R19 every policy, role, zone type, merge state, LDC and listing', () => {
  it.each(matrix)('$id R5 "$policy" orders all servers, LDC $ldc', (row) => {
    const types = row.readOnlyZones ? (['R', 'W'] as const) : (['W'] as const);
    const leaderPlaces = [null, ...places.map((place) => `${place}W`)];
    for (const leader of leaderPlaces) {
      const { topology, location } = clusterWith(types, leader);
      const servers = topology.servers.map(({ address }) => address);
      for (const random of [0, 0.4, 0.99]) {
        const { candidates } = planWeak(topology, location, optionsOf(row, random));
        const order = addressesOf({ candidates });
        const whole = foretold(row.whole, servers, row.isLdcOn);
        expect(inGroups(order, whole)).toEqual(whole);
        const required = foretold(row.required, servers, row.isLdcOn);
        const named = new Set(required.flat());
        expect(
          inGroups(
            order.filter((server) => named.has(server)),
            required,
          ),
        ).toEqual(required);
        for (const group of whole) {
          const view = new BlocklistView();
          const verdicts = group.map((address) => ({ address, lists: ['alive' as const], retryAtMs: null }));
          view.update(verdicts, true);
          const left = whole.filter((other) => other !== group);
          if (left.length > 0) expect(inGroups(listed(view, candidates), left)).toEqual(left);
        }
      }
    }
  });

  it('R5 B14 keeps the order whichever servers hold the table and whichever are listed', () => {
    const codes = places.flatMap((place) => [`${place}R`, `${place}W`]);
    fc.assert(
      fc.property(
        fc.constantFrom(...matrix),
        fc.option(fc.constantFrom(...codes.filter((code) => code.endsWith('W')))),
        fc.infiniteStream(fc.boolean()),
        fc.infiniteStream(fc.boolean()),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (row, leader, holds, isListed, random) => {
          const made = clusterWith(row.readOnlyZones ? ['R', 'W'] : ['W'], leader);
          const replicas = made.location.replicas.filter(() => holds.next().value);
          fc.pre(replicas.length > 0);
          const location: TableLocation = { ...made.location, replicas };
          const named = asNamed(made.topology, location);
          const verdicts = made.topology.servers
            .filter(() => isListed.next().value)
            .map(({ address }) => ({ address, lists: ['detection' as const], retryAtMs: null }));
          const view = new BlocklistView();
          view.update(verdicts, true);
          const { candidates } = planWeak(made.topology, location, optionsOf(row, random));
          const isOut = new Set(verdicts.map(({ address }) => address));
          const used = foretold(row.whole, [...named.keys()], row.isLdcOn).map((group) =>
            group.map((name) => named.get(name) ?? '').sort(),
          );
          const free = used.map((group) => group.filter((server) => !isOut.has(server)));
          const expected = (free.flat().length > 0 ? free : [used.flat().sort()]).filter(({ length }) => length > 0);
          expect(inGroups(listed(view, candidates), expected)).toEqual(expected);
        },
      ),
    );
  });
});

/** What strong requests go by, and reads of duplicate tables: the leader first, then as the list says. */
const strongTable = [
  {
    id: 'R10 R11',
    readOnlyZones: false,
    isDuplicate: false,
    whole: `ANP BNP AMP BMP CNP CMP ${tenantOnly}`,
  },
  {
    id: 'R10',
    readOnlyZones: true,
    isDuplicate: false,
    whole: 'ANWP BNWP AMWP BMWP CNWP CMWP ANWT BNWT AMWT BMWT CNWT CMWT',
  },
  ...[false, true].map((readOnlyZones) => ({
    id: 'R5',
    readOnlyZones,
    isDuplicate: true,
    whole: `ANP BNP AMP BMP CNP CMP ${tenantOnly}`,
  })),
];
const strongMatrix = strongTable.flatMap((row) => ldcSettings.map((setting) => ({ ...row, ...setting })));

describe('R10 R11 strong requests over every role, zone type, merge state, LDC and listing', () => {
  it.each(strongMatrix)('$id read-only zones $readOnlyZones, duplicate $isDuplicate, LDC $ldc', (row) => {
    const types = row.readOnlyZones ? (['R', 'W'] as const) : (['W'] as const);
    const leaderPlaces = [null, ...places.map((place) => `${place}W`), ...(row.readOnlyZones ? ['ANR'] : [])];
    for (const leaderPlace of leaderPlaces) {
      const { topology, location } = clusterWith(types, leaderPlace);
      const marked: TableLocation = row.isDuplicate
        ? { ...location, replicas: location.replicas.map((replica) => ({ ...replica, isDuplicate: true as const })) }
        : location;
      const servers = topology.servers.map(({ address }) => address);
      const leader = servers.find((server) => server.includes('L')) ?? null;
      const isFirst = leader !== null && !row.isDuplicate && (leader[2] === 'W' || !row.readOnlyZones);
      const others = isFirst ? servers.filter((server) => server !== leader) : servers;
      const whole = [...(isFirst && leader !== null ? [[leader]] : []), ...foretold(row.whole, others, row.isLdcOn)];
      for (const random of [0, 0.4, 0.99]) {
        const settings = { ...plainSettings, idcName: row.idc, proxyRoutePolicy: 'follower_first', obRoutePolicy: '2' };
        const input = {
          ...plainInput,
          topology,
          location: marked,
          mayReadDuplicate: row.isDuplicate,
          settings,
          random,
        };
        const { candidates } = planRoute(input);
        expect(inGroups(addressesOf({ candidates }), whole)).toEqual(whole);
        for (const group of whole) {
          const view = new BlocklistView();
          view.update(
            group.map((address) => ({ address, lists: ['alive' as const], retryAtMs: null })),
            true,
          );
          const left = whole.filter((other) => other !== group);
          if (left.length > 0) expect(inGroups(listed(view, candidates), left)).toEqual(left);
        }
      }
    }
  });

  it('a duplicate table’s other replicas come behind those that are marked, and none is first beyond reads', () => {
    const { topology, location } = clusterWith(['W'], 'ANW');
    const replicas = location.replicas.map((replica) =>
      replica.address.startsWith('C') ? { ...replica, isDuplicate: true as const } : replica,
    );
    const input = {
      ...plainInput,
      topology,
      location: { ...location, replicas },
      settings: { ...plainSettings, idcName: 'near' },
    };
    const order = addressesOf(planRoute({ ...input, mayReadDuplicate: true }));
    const whole = foretold(`CNP CMP ANP BNP AMP BMP ${tenantOnly}`, order, true);
    expect(inGroups(order, whole)).toEqual(whole);
    expect(addressesOf(planRoute(input))[0]).toBe('ANWL1');
    expect(planRoute({ ...input, consistency: 'weak', mayReadDuplicate: true }).rule).toBe('weak-read');
  });
});

/** A small linear congruential generator: the same numbers every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** 99.9 % of fair draws stay below these, for one less than so many equals. */
const CHI_SQUARE_BOUND: Readonly<Record<number, number>> = { 2: 10.83, 3: 13.82, 4: 16.27, 5: 18.47 };

describe('R5 equals share the load', () => {
  const draws = 6000;
  it.each([2, 3, 4, 5])('of %i equals none is favoured, and what stands behind them gets nothing', (count) => {
    const equals = Array.from({ length: count }, (_, index) => `near${index}`);
    const topology = clusterOf([
      { name: 'z1', idc: 'a', region: 'x', servers: [...equals, 'noReplica'] },
      { name: 'z2', idc: 'b', region: 'y', servers: ['far'] },
    ]);
    const location = locationOf(...[...equals, 'far'].map((address) => [address, 'follower'] as const));
    const random = seeded(20_261_201);
    const counts = new Map<string, number>();
    for (let draw = 0; draw < draws; draw++) {
      const [first = ''] = addressesOf(planWeak(topology, location, { idc: 'a', random: random() }));
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(equals);
    const expected = draws / count;
    const chiSquare = [...counts.values()].reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
    expect(chiSquare).toBeLessThan(CHI_SQUARE_BOUND[count] ?? 0);
  });
});

/** Servers by what they are now: one whose replica was taken away is a `T`. */
function asNamed(topology: ClusterTopology, location: TableLocation): Map<string, string> {
  const holders = new Set(location.replicas.map(({ address }) => address));
  return new Map(
    topology.servers.map(({ address }) => [
      holders.has(address) ? address : `${address.slice(0, 3)}T${address.slice(3)}`,
      address,
    ]),
  );
}
