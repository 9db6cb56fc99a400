import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeState, encodeState, type SessionState } from './session-state.ts';

const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value));
const whole = fc.nat(0xffff_ffff);
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('\n\u00e4\u00ff'));
const index = fc.option(fc.nat(3), { nil: null });
const address = fc.record({ host: text, port: fc.nat(65_535) });
const versioned = fc.array(fc.tuple(text, text, whole), { maxLength: 4 });

const framing = fc.record({
  isNewExtraInfo: fc.boolean(),
  level: fc.nat(9),
  requestId: fc.nat(0xff_ffff),
  versions: fc.record({ offered: whole, current: whole, types: fc.array(fc.tuple(whole, whole), { maxLength: 3 }) }),
});

const server = fc.record({
  address: text,
  database: text,
  databaseVersion: whole,
  multiStatements: fc.boolean(),
  requestCount: whole,
  clientCapabilities: whole,
  serverCapabilities: whole,
  extraOk: fc.boolean(),
  connectionId: whole,
  synced: fc.record({
    version: fc.integer({ min: -1 }),
    values: fc.array(fc.tuple(text, text), { maxLength: 3 }),
    differing: fc.array(text, { maxLength: 3 }),
  }),
  framing: fc.option(framing, { nil: null }),
});

const statement = fc.record({
  id: whole,
  text: bytes,
  isTextWhole: fc.boolean(),
  dialect: fc.record({
    charset: fc.constantFrom('utf8mb4', 'gbk', 'gb18030', 'big5', 'latin1'),
    ansiQuotes: fc.boolean(),
    noBackslashEscapes: fc.boolean(),
  }),
  parameterCount: fc.nat(65_535),
  parameterTypes: fc.option(bytes, { nil: null }),
  serverIds: fc.array(fc.tuple(fc.nat(3), whole), { maxLength: 3 }),
  typedServers: fc.array(fc.nat(3), { maxLength: 3 }),
  holder: fc.oneof(index, text),
  hasCursor: fc.boolean(),
  longData: fc.array(bytes, { maxLength: 3 }),
});

const credentials = fc.record({
  serverUser: text,
  authAnswer: bytes,
  authPlugin: text,
  scramble: bytes,
  capabilities: whole,
  maxPacketBytes: whole,
  collation: fc.nat(255),
  database: text,
  clientAttributes: fc.array(fc.tuple(text, bytes), { maxLength: 3 }),
  cluster: text,
  tenant: text,
  idVersion: fc.constantFrom(1, 2),
  connectedAtMs: whole,
});

const state: fc.Arbitrary<SessionState> = fc.record({
  stateVersion: fc.constant(1),
  id: whole,
  host: text,
  port: fc.nat(65_535),
  vip: address,
  connectedAtMs: whole,
  idleMs: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs),
  identity: fc.constantFrom('proxysys', 'inspector', 'rootsys', 'ordinary'),
  user: text,
  tenant: text,
  clusterName: text,
  cluster: fc.option(text, { nil: null }),
  credentials: fc.option(credentials, { nil: null }),
  database: text,
  databaseVersion: whole,
  status: fc.nat(0xffff),
  multiStatements: fc.boolean(),
  isOceanBase: fc.boolean(),
  sharesIds: fc.boolean(),
  heldBegin: fc.option(bytes, { nil: null }),
  heldSets: fc.array(bytes, { maxLength: 3 }),
  transactionCount: whole,
  transactionBeganAtMs: whole,
  loss: fc.option(text, { nil: null }),
  variables: fc.record({
    version: whole,
    login: fc.array(fc.tuple(text, text), { maxLength: 4 }),
    system: versioned,
    user: versioned,
    changes: fc.record({ hot: whole, system: whole, user: whole, lastInsertId: whole }),
  }),
  imposed: fc.record({ isReadOnly: fc.boolean(), isWeak: fc.boolean(), maxStaleUs: fc.integer({ min: -1 }) }),
  prepared: fc.record({ lastId: whole, statements: fc.array(statement, { maxLength: 3 }) }),
  servers: fc.array(server, { maxLength: 4 }),
  last: index,
  lastInsertIdAt: index,
  bound: index,
  routesInside: fc.boolean(),
  pinned: index,
  pins: fc.array(text, { maxLength: 3 }),
  lockCount: whole,
  stayOnLast: fc.boolean(),
  routeAddress: fc.option(text, { nil: null }),
  blocks: fc.record({ version: whole, blocks: fc.array(fc.tuple(whole, bytes, whole), { maxLength: 3 }) }),
  unserved: bytes,
});

describe('the state of a session as it is sent', () => {
  it('C17 is the same when it has been read, and has no line break', () => {
    fc.assert(
      fc.property(state, (value) => {
        const sent = encodeState(value);
        expect(sent).not.toContain('\n');
        expect(decodeState(sent)).toEqual(value);
      }),
    );
  });

  it('C17 cut or changed it is refused with what is wrong, and nothing of it is told', () => {
    const [sample] = fc.sample(state, { numRuns: 1, seed: 1 });
    if (sample === undefined) throw new Error('no sample');
    const sent = encodeState({ ...sample, user: 'secret-user' });
    expect(() => decodeState(sent.slice(0, -1))).toThrow(/^state that is no JSON$/);
    expect(() => decodeState('null')).toThrow('state version undefined is not known, only 1');
    expect(() => decodeState(sent.replace('"stateVersion":1', '"stateVersion":7'))).toThrow('state version 7');
    const value = JSON.parse(sent) as Record<string, unknown>;
    expect(() => decodeState(JSON.stringify({ ...value, database: 5 }))).toThrow(
      'state of version 1: database invalid_type',
    );
    expect(() => decodeState(JSON.stringify({ ...value, somethingNew: 'secret' }))).toThrow(
      'state of version 1:  unrecognized_keys',
    );
  });
});
