import { describe, expect, it } from 'vitest';
import type { TableLocation } from '../cluster/topology.ts';
import { ConfigView } from '../config/config-view.ts';
import type { ToldPlaces } from '../routing/location/location-cache.ts';
import { newEntry } from '../routing/location/location-entry.ts';
import { classifyStatement } from '../sql/classify.ts';
import { recallPlaces, rememberPlaces } from './route-memo.ts';
import type { RoutedSession } from './routed-session.ts';
import type { SessionCluster } from './session-context.ts';
import { dialectOf } from './session-dialect.ts';

const place: TableLocation = {
  tenant: 't',
  database: 'd',
  table: 'x',
  tableId: '1',
  partitionCount: 1,
  schemaVersion: '1',
  replicas: [],
};
const entry = newEntry({ ...place, tabletId: '0' }, null, 0);
const told: ToldPlaces = { slice: 0, whole: place, place, ofWhole: entry, ofPlace: entry };
const config = new ConfigView({});
const plain = { context: { config }, tenant: 't', database: 'd', dialect: dialectOf({ value: () => undefined }) };
const session = (changes: object = {}): RoutedSession => ({ ...plain, ...changes }) as unknown as RoutedSession;
const clusterThat = (isFresh: boolean): SessionCluster =>
  ({ told: () => (isFresh ? told : null), tellAgain: () => isFresh }) as unknown as SessionCluster;

describe('what is remembered of where a text went', () => {
  it('is told to every session that reads it alike, and to no other', () => {
    const info = classifyStatement(Buffer.from('SELECT 1 FROM x WHERE id = 1'));
    const cluster = clusterThat(true);
    expect(recallPlaces(session(), cluster, info)).toBeNull();
    rememberPlaces(session(), cluster, info, place, place);
    expect(recallPlaces(session(), cluster, info)).toMatchObject({ whole: place, place });
    const gbk = dialectOf({ value: (name) => (name === 'character_set_client' ? 'gbk' : undefined) });
    const byTable = { config: new ConfigView({ enable_partition_table_route: 'false' }) };
    const others = [{ tenant: 'u' }, { database: 'e' }, { dialect: gbk }, { context: byTable }];
    for (const other of others) expect(recallPlaces(session(other), cluster, info)).toBeNull();
    expect(recallPlaces(session(), clusterThat(true), info)).toBeNull();
  });

  it('is told only while the cache would tell the same', () => {
    const info = classifyStatement(Buffer.from('SELECT 1 FROM x WHERE id = 1'));
    let isFresh = true;
    const cluster = { told: () => told, tellAgain: () => isFresh } as unknown as SessionCluster;
    rememberPlaces(session(), cluster, info, place, place);
    isFresh = false;
    expect(recallPlaces(session(), cluster, info)).toBeNull();
    const unknown = classifyStatement(Buffer.from('SELECT 2 FROM x'));
    rememberPlaces(session(), clusterThat(false), unknown, place, place);
    expect(unknown.routed).toBeNull();
  });

  it('two sessions of one character set and sql_mode have one dialect: what is remembered fits both', () => {
    const latin1 = { value: (name: string) => (name === 'character_set_client' ? 'latin1' : undefined) };
    expect(dialectOf(latin1)).toBe(dialectOf({ ...latin1 }));
    expect(dialectOf(latin1)).not.toBe(plain.dialect);
  });
});
