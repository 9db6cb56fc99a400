import { describe, expect, it } from 'vitest';
import type { UpgradeState, Zone } from '../../proxy/control/contract.ts';
import { listedNow } from './listed-rows.ts';
import { aBlocklist, aListing, anOverview, aServer, at, t } from './overview-samples.ts';
import { type VerdictFacts, verdictOf } from './verdict.ts';
import type { ZoneRates } from './zone-rates.ts';

const nowMs = Date.parse(at) + 1_000;

function facts(
  parts: Partial<VerdictFacts> = {},
  servers = [aServer('a'), aServer('b')],
  enabled = true,
): VerdictFacts {
  const blocklists = [aBlocklist(servers, enabled)];
  return {
    listed: listedNow(blocklists, nowMs),
    rates: [],
    serverCount: servers.length,
    now: { overview: anOverview(), blocklists, upgrade: null },
    ...parts,
  };
}
const titles = (given: VerdictFacts) => verdictOf(given, t).causes.map(({ level, title }) => `${level}: ${title}`);

describe('the verdict', () => {
  it('is well when nothing is wrong', () => {
    expect(verdictOf(facts(), t)).toEqual({ level: 'ok', causes: [] });
  });

  it('says how many are listed, where, since when and why', () => {
    const listed = aServer('a', { listings: [aListing('detection', at, '4 probes failed')] });
    const verdict = verdictOf(facts({}, [listed, aServer('b'), aServer('c')]), t);
    expect(verdict.level).toBe('bad');
    expect(verdict.causes).toEqual([
      {
        key: 'listed',
        level: 'bad',
        title: '1 of 3 servers is listed',
        since: at,
        why: 'in zone1',
        detail: '4 probes failed',
        href: '/blocklist',
      },
    ]);
  });

  it('is worse when all are listed, and no alarm while a server only comes back', () => {
    const down = (address: string) => aServer(address, { listings: [aListing('detection')] });
    expect(titles(facts({}, [down('a'), down('b')]))).toEqual(['bad: All 2 servers are listed']);
    const replaying = aServer('a', { listings: [aListing('status')], state: 'REPLAY' });
    expect(titles(facts({}, [replaying, aServer('b')]))).toEqual(['info: 1 of 2 servers is listed']);
  });

  it('tells zones, a cluster that is silent, and a ConfigServer without a good answer', () => {
    const zone = (name: string, state: Zone['state']): Zone => ({
      name,
      region: '',
      idc: '',
      type: 'ReadWrite',
      state,
    });
    const zones = [zone('z1', 'MERGE'), zone('z2', 'INACTIVE'), zone('z3', 'MERGE'), zone('z4', 'ACTIVE')];
    const overview = {
      ...anOverview({ zones, error: 'nobody answers' }),
      configServer: { url: '', version: '', source: 'copy', answeredAt: at, error: 'HTTP 500' } as const,
    };
    const given = facts({ now: { overview, blocklists: [], upgrade: null } });
    expect(titles(given)).toEqual([
      'bad: obdemo does not tell its state',
      'bad: Zone z2 is inactive',
      'warn: The ConfigServer gives no good answer',
      'info: 2 zones are merging',
    ]);
  });

  it('warns of errors, of servers that begin to fail, and of blocklists that are off', () => {
    const rates: ZoneRates[] = [
      {
        key: 'obdemo/zone2',
        cluster: 'obdemo',
        zone: 'zone2',
        points: [],
        last: { statements: 100, errors: 12.34 },
        trouble: { share: 0.1234, since: at },
      },
    ];
    const { failures } = aServer('x');
    const failing = aServer('a', { failedProbesInRow: 2, failures: { ...failures, inWindow: 3 } });
    const verdict = verdictOf(facts({ rates }, [failing, aServer('b')], false), t);
    expect(verdict.causes).toMatchObject([
      { title: '12% of the statements to zone2 fail', since: at, why: '12 errors a second over the last minute' },
      { title: 'The blocklists are off' },
      { title: '1 server with failures, not listed yet', why: 'a: 3 failed requests, 2 failed probes' },
    ]);
    expect(verdict.level).toBe('warn');
  });

  it('an upgrade is under way, one that goes back is a warning', () => {
    const run = { kind: 'upgrade', startedAt: at, failures: 0, failure: '', steps: [], outcome: null };
    const upgrade = { phase: 'move', run } as unknown as UpgradeState;
    const withUpgrade = (state: UpgradeState) =>
      titles(facts({ now: { overview: anOverview(), blocklists: [], upgrade: state } }));
    expect(withUpgrade(upgrade)).toEqual(['info: An upgrade is under way']);
    expect(withUpgrade({ ...upgrade, phase: 'rollback' })).toEqual(['warn: The new generation is being rolled back']);
  });

  it('of a moment that has passed goes by listings and traffic alone', () => {
    const listed = aServer('a', { listings: [aListing('detection')] });
    const given = facts({ now: null }, [listed, aServer('b')]);
    expect(titles(given)).toEqual(['bad: 1 of 2 servers is listed']);
  });

  it('is told for 500 servers that are all listed', () => {
    const servers = Array.from({ length: 500 }, (_, index) =>
      aServer(`10.0.${index >> 8}.${index & 255}:2881`, { zone: `zone${index % 3}`, listings: [aListing('status')] }),
    );
    const [cause] = verdictOf(facts({}, servers), t).causes;
    expect(cause).toMatchObject({ title: 'All 500 servers are listed', why: 'in 3 zones' });
  });
});
