import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Location } from './contract.ts';
import { ControlBench } from './testing.ts';

let bench: ControlBench;
let viewer: string;
let operator: string;
beforeAll(async () => {
  bench = await ControlBench.start();
  viewer = await bench.userToken('vera', 'viewer');
  operator = await bench.userToken('otto', 'operator');
  for (let index = 0; index < 120; index += 1) bench.locations.add(`t${String(index).padStart(3, '0')}`);
  const [shaky] = bench.locations.add('shaky', 0);
  if (shaky !== undefined) shaky.state = 'DIRTY';
  const [gone] = bench.locations.add('gone', 1).slice(1);
  if (gone !== undefined) gone.location = null;
});
afterAll(() => bench.stop());

const get = async (search = '') => (await bench.call('GET', `/v1/locations${search}`, { token: viewer })).json;
const namesOf = ({ locations }: { locations: Location[] }): string[] => locations.map(({ table }) => table);

describe('GET /v1/locations', () => {
  it('goes through all of them page by page, each once, in the order of their names, over all workers', async () => {
    const seen: string[] = [];
    let after: string | null = '';
    while (after !== null) {
      const page = await get(`?limit=50${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`);
      expect(page.matches).toBe(121);
      seen.push(...namesOf(page));
      after = page.nextAfter;
    }
    expect(seen).toHaveLength(122);
    expect(seen).toEqual([...new Set(seen)].sort());
  });

  it('tells leader, followers, and uses by all workers', async () => {
    const { locations } = await get('?text=D.T007');
    expect(locations).toMatchObject([
      {
        cluster: 'obtest',
        table: 't007',
        kind: 'table',
        state: 'AVAIL',
        leader: '10.0.0.1:2881',
        followers: ['10.0.0.2:2881'],
        hits: 6,
        misses: 2,
        workers: 2,
        updatedAt: null,
      },
    ]);
  });

  it('filters by state, server, tenant and kind', async () => {
    expect(namesOf(await get('?state=doubt'))).toEqual(['shaky']);
    expect(namesOf(await get('?state=missing'))).toEqual(['gone']);
    expect(namesOf(await get('?state=known&text=gone'))).toEqual([]);
    expect((await get('?server=10.0.0.9:2881')).matches).toBe(0);
    expect((await get('?server=10.0.0.2:2881')).matches).toBe(121);
    expect((await get('?tenant=other')).locations).toEqual([]);
    expect((await get('?kind=partition')).locations).toEqual([]);
  });

  it('names the field that is wrong', async () => {
    for (const after of ['x', '[1]', '["c"]']) {
      const answer = await bench.call('GET', `/v1/locations?after=${encodeURIComponent(after)}`, { token: viewer });
      expect(answer.status).toBe(400);
      expect(answer.json.invalid[0].field).toBe('after');
    }
    expect((await bench.call('GET', '/v1/locations?limit=5000', { token: viewer })).status).toBe(400);
  });
});

describe('POST /v1/locations/refresh', () => {
  const name = { cluster: 'obtest', tenant: 't', database: 'd', table: 't001', tabletId: '0' };

  it('fetches one anew, and the history says who wanted it', async () => {
    const answer = await bench.call('POST', '/v1/locations/refresh', { token: operator, body: name });
    expect(answer.status).toBe(200);
    expect(answer.json.location).toMatchObject({ table: 't001', leader: '10.0.0.1:2881' });
    expect(bench.locations.refreshed).toEqual([name]);
    const { rows } = await bench.history.log.page({ action: 'location.refresh' }, 10);
    expect(rows).toMatchObject([{ actor: 'otto', source: 'console', newValue: 'obtest t d.t001' }]);
  });

  it('says that no worker has it any more', async () => {
    const body = { ...name, table: 'unheard-of' };
    const answer = await bench.call('POST', '/v1/locations/refresh', { token: operator, body });
    expect(answer.json).toEqual({ location: null });
  });

  it('is not for those who may only look', async () => {
    const before = bench.locations.refreshed.length;
    const answer = await bench.call('POST', '/v1/locations/refresh', { token: viewer, body: name });
    expect(answer.status).toBe(403);
    expect(bench.locations.refreshed).toHaveLength(before);
  });
});
