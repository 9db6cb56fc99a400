import { describe, expect, it } from 'vitest';
import type { Replica, TableLocation } from '../cluster/topology.ts';
import { BlocklistView } from '../congestion/blocklist-view.ts';
import { classifyStatement } from '../sql/classify.ts';
import { COM } from '../wire/constants.ts';
import { type ClientRequest, UNROUTED } from './request.ts';
import { takeFeedback } from './route-feedback.ts';
import type { SessionCluster } from './session-context.ts';

const placeOf = (...replicas: Replica[]): TableLocation => ({
  tenant: 't',
  database: 'd',
  table: 'x',
  tableId: '1',
  partitionCount: 1,
  schemaVersion: '1',
  replicas,
});
const leader: Replica = { address: 'leader', role: 'leader' };
const follower: Replica = { address: 'follower', role: 'follower' };
const led = placeOf(leader, follower);

interface Case {
  readonly sql?: string;
  readonly place?: TableLocation | null;
  readonly from: string;
  readonly hit?: boolean | null;
  readonly weak?: boolean;
  readonly feedback?: string;
  readonly errno?: number;
  readonly listed?: readonly string[];
}

/** What becomes of the place: in doubt, confirmed, or nothing. */
function verdict({ sql = 'select * from x', place = led, from, hit = null, weak, feedback, errno, listed }: Case) {
  const said: string[] = [];
  const blocklist = new BlocklistView();
  const verdicts = (listed ?? []).map((address) => ({ address, lists: ['alive' as const], retryAtMs: null }));
  blocklist.update(verdicts as never, true);
  const cluster = { blocklist, doubt: () => said.push('doubt'), confirm: () => said.push('confirm') };
  const request: ClientRequest = {
    command: COM.QUERY,
    bytes: Buffer.alloc(0),
    complete: true,
    info: classifyStatement(Buffer.from(sql)),
    replyKind: 'result',
    statement: null,
    ...UNROUTED,
    place,
    isWeak: weak ?? false,
    partitionHit: hit,
    weakReadFeedback: feedback ?? null,
  };
  takeFeedback(cluster as never as SessionCluster, request, from, errno ?? 0);
  return said.join();
}

describe('R22 what an answer says of a place', () => {
  it.each<[string, Case, string]>([
    ['the leader was right', { from: 'leader', hit: true }, 'confirm'],
    ['the leader says nothing', { from: 'leader' }, 'confirm'],
    ['the leader was wrong', { from: 'leader', hit: false }, 'doubt'],
    ['a follower was wrong', { from: 'follower', hit: false }, ''],
    ['a follower was right: it leads now', { from: 'follower', hit: true }, 'doubt'],
    ['another server was right', { from: 'other', hit: true }, 'doubt'],
    ['another server was wrong', { from: 'other', hit: false }, ''],
    ['no leader is known', { from: 'follower', hit: false, place: placeOf(follower) }, 'doubt'],
    ['the leader is listed: it may have been replaced', { from: 'follower', hit: false, listed: ['leader'] }, 'doubt'],
    ['another one is listed', { from: 'follower', hit: false, listed: ['other'] }, ''],
    ['it went by no place', { from: 'leader', hit: false, place: null }, ''],
  ])('strong, %s', (_, given, expected) => expect(verdict(given)).toBe(expected));

  it.each<[string, Case, string]>([
    ['a follower was right', { from: 'follower', hit: true }, 'confirm'],
    ['the leader was right', { from: 'leader', hit: true }, 'confirm'],
    ['a replica was wrong', { from: 'follower', hit: false }, 'doubt'],
    ['another server was right: it has a replica', { from: 'other', hit: true }, 'doubt'],
    ['another server was wrong', { from: 'other', hit: false }, ''],
    ['a follower leads all that was read', { from: 'follower', hit: true, feedback: '2' }, 'doubt'],
    ['a follower leads some of what was read', { from: 'follower', hit: true, feedback: '3' }, 'confirm'],
    ['the leader leads all that was read', { from: 'leader', hit: true, feedback: '2' }, 'confirm'],
  ])('weak, %s', (_, given, expected) => expect(verdict({ ...given, weak: true })).toBe(expected));

  it.each([
    [4038, 'doubt'],
    [4654, 'doubt'],
    [4719, 'doubt'],
    [4725, 'doubt'],
    [1146, 'doubt'],
    [5150, 'doubt'],
    [1064, ''],
    [1062, ''],
  ])('case B76 error %i', (errno, expected) => expect(verdict({ from: 'leader', errno })).toBe(expected));

  it.each([
    ['R23', 'begin; select * from x; commit;', 'doubt'],
    ['R23', 'set @@autocommit = 1; insert into x values(); set @@autocommit = 0;', 'doubt'],
    ['R23', 'select * from x; insert into t2 values;', 'doubt'],
    ['R23', 'set @@ob_trx_timeout = 10000000; begin; select * from x; commit;', 'doubt'],
    ['R25', "select '1'; select * from x;", ''],
    ['R25', "select '1' from dual; select * from x;", ''],
    ['R26', 'create table x (a int); insert into x values();', 'doubt'],
  ])('%s %s: a miss of the first DML', (_, sql, expected) => {
    expect(verdict({ sql, from: 'leader', hit: false })).toBe(expected);
  });
});
