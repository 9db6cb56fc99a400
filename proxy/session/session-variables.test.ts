import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeVariableBlock } from '../wire/ob-variables.ts';
import { SessionVariables, SyncedState, sqlLiteral } from './session-variables.ts';

/** The state entries of an OK packet with these changes. */
function block(system: Record<string, string>, user: Record<string, string> = {}): Buffer {
  const pairs = (values: Record<string, string>) =>
    Object.entries(values).map(([name, value]): [string, Buffer] => [name, Buffer.from(value)]);
  // An empty message's length and the length of the entries stand before them.
  const encoded = encodeVariableBlock({ system: pairs(system), user: pairs(user) });
  return encoded.subarray(encoded[1] === 0xfc ? 4 : encoded[1] === 0xfd ? 5 : 2);
}

const apply = (variables: SessionVariables, server: SyncedState, state: Buffer) =>
  variables.apply(state, 0, state.length, server);

describe('session variables', () => {
  it('C11 a server session gets what changed since it was brought up to date, and nothing twice', () => {
    const variables = new SessionVariables();
    const [one, two] = [new SyncedState(), new SyncedState()];
    apply(variables, one, block({ sql_mode: 'ANSI' }, { a: '5' }));
    expect(variables.missing(one)).toEqual([]);
    expect(variables.missing(two)).toEqual([["@@session.sql_mode = 'ANSI'"], ['@`a` = 5']]);
    variables.markSynced(two);
    expect(variables.missing(two)).toEqual([]);
    apply(variables, two, block({ time_zone: '+01:00' }));
    expect(variables.missing(one)).toEqual([["@@session.time_zone = '+01:00'"]]);
  });

  it('C11 a server session that began with newer global values gets those of the client’s log-in', () => {
    const variables = new SessionVariables();
    const atLogin = {
      ob_proxy_global_variables_version: '1',
      sql_mode: 'STRICT',
      time_zone: '+01:00',
      autocommit: '1',
    };
    variables.begin(block(atLogin));
    const [alike, newer] = [new SyncedState(), new SyncedState()];
    variables.noteLogin(block({ ...atLogin, identity: '7' }), alike);
    expect([variables.missing(alike), alike.version]).toEqual([[], variables.version]);
    apply(variables, new SyncedState(), block({ time_zone: '+02:00' }));
    const changed = { ob_proxy_global_variables_version: '2', sql_mode: 'ANSI', time_zone: '+09:00', autocommit: '0' };
    variables.noteLogin(block({ ...atLogin, ...changed }), newer);
    expect(variables.missing(newer).flat()).toEqual([
      "@@session.sql_mode = 'STRICT'",
      '@@session.autocommit = 1',
      "@@session.time_zone = '+02:00'",
    ]);
    variables.markSynced(newer);
    expect([variables.missing(newer), newer.version]).toEqual([[], variables.version]);
  });

  it('C11 C12 each kind of variable has a version of its own, last_insert_id among them', () => {
    const variables = new SessionVariables();
    const [one, two] = [new SyncedState(), new SyncedState()];
    const none = { hot: 0, system: 0, user: 0, lastInsertId: 0 };
    expect([variables.versions, variables.versionsAt(one)]).toEqual([none, none]);
    apply(variables, one, block({ sql_mode: 'ANSI' }, { a: '5' }));
    variables.markSynced(two);
    expect(apply(variables, one, block({ last_insert_id: '7' })).tellsLastInsertId).toBe(true);
    const now = { hot: 0, system: 1, user: 2, lastInsertId: 3 };
    expect([variables.versions, variables.versionsAt(one)]).toEqual([now, now]);
    expect(variables.versionsAt(two)).toEqual({ ...now, lastInsertId: 2 });
    expect(variables.missing(two)).toEqual([['@@session.last_insert_id = 7']]);
    variables.markSynced(two);
    expect(variables.versionsAt(two)).toEqual(now);
  });

  it('C12 a server session is behind in often-set variables only while their values differ', () => {
    const variables = new SessionVariables();
    const [one, two] = [new SyncedState(), new SyncedState()];
    variables.begin(block({ autocommit: '1' }));
    apply(variables, one, block({ autocommit: '0' }));
    expect(variables.versionsAt(two)).toMatchObject({ hot: 0 });
    apply(variables, one, block({ autocommit: '1' }));
    expect(variables.versions.hot).toBe(2);
    expect(variables.versionsAt(two)).toMatchObject({ hot: 2 });
  });

  it('C11 a server session with other global values is behind from its beginning', () => {
    const variables = new SessionVariables();
    const atLogin = { ob_proxy_global_variables_version: '1', sql_mode: 'STRICT' };
    variables.begin(block(atLogin));
    const server = new SyncedState();
    variables.noteLogin(block({ ob_proxy_global_variables_version: '2', sql_mode: 'ANSI' }), server);
    expect(variables.versionsAt(server).system).toBeLessThan(variables.versions.system);
    variables.markSynced(server);
    expect(variables.versionsAt(server)).toEqual(variables.versions);
  });

  it('C11 user variables go along with the system variables unless those decide how they are read', () => {
    const variables = new SessionVariables();
    apply(variables, new SyncedState(), block({ time_zone: '+01:00' }, { a: '1' }));
    const server = new SyncedState();
    expect(variables.missing(server)).toEqual([["@@session.time_zone = '+01:00'", '@`a` = 1']]);
    apply(variables, new SyncedState(), block({ character_set_client: 'gbk' }));
    expect(variables.missing(server)).toHaveLength(2);
  });

  it('C12 often-set variables are compared by value', () => {
    const variables = new SessionVariables();
    const [one, two] = [new SyncedState(), new SyncedState()];
    apply(variables, one, block({ autocommit: '0' }));
    variables.markSynced(two);
    apply(variables, one, block({ autocommit: '1' }));
    expect(variables.missing(two).flat()).toEqual(['@@session.autocommit = 1']);
    apply(variables, one, block({ autocommit: '0' }));
    expect(variables.missing(two).flat()).toEqual([]);
  });

  it('values of the log-in are no changes, and COM_RESET_CONNECTION goes back to them', () => {
    const variables = new SessionVariables();
    variables.begin(block({ sql_mode: 'STRICT', ob_query_timeout: '10' }));
    const server = new SyncedState();
    apply(variables, server, block({ sql_mode: 'STRICT' }));
    expect(variables.version).toBe(0);
    apply(variables, server, block({ sql_mode: 'ANSI' }));
    expect(variables.value('sql_mode')).toBe('ANSI');
    variables.reset();
    expect([variables.value('sql_mode'), variables.value('ob_query_timeout')]).toEqual(['STRICT', '10']);
    variables.begin(null);
    expect(variables.value('sql_mode')).toBeUndefined();
  });

  it('what only one server can mean is kept to it, but for the hit of a partition, which is told', () => {
    const variables = new SessionVariables();
    const server = new SyncedState();
    const told = apply(
      variables,
      server,
      block({ ob_proxy_partition_hit: '0', ob_statement_trace_id: 'Y', _current_default_catalog: '0' }),
    );
    expect(told).toMatchObject({ database: null, partitionHit: false, weakReadFeedback: null });
    expect(variables.changedSystem()).toEqual([]);
  });

  it('case B34 names of user variables know no case, and any bytes come out as they went in', () => {
    const variables = new SessionVariables();
    const [one, two] = [new SyncedState(), new SyncedState()];
    apply(variables, one, block({}, { A: '1' }));
    apply(variables, one, block({}, { a: '2', 日: "'本'", 'c``d': '3', 'x`y': '4' }));
    const sent = variables
      .missing(two)
      .flat()
      .map((text) => Buffer.from(text, 'latin1').toString('utf8'));
    expect(sent).toEqual(['@`a` = 2', "@`日` = '本'", '@`c``d` = 3', '@`x``y` = 4']);
  });

  it('case B36 values in a character set that is no UTF-8 are not touched', () => {
    const variables = new SessionVariables();
    const [one, two] = [new SyncedState(), new SyncedState()];
    const value = Buffer.from([0x27, 0xd5, 0x5c, 0x81, 0x60, 0x27]);
    const encoded = encodeVariableBlock({ user: [['g', value]] });
    apply(variables, one, encoded.subarray(2));
    const [text = ''] = variables.missing(two).flat();
    expect(Buffer.from(text, 'latin1').subarray(-6).equals(value)).toBe(true);
  });

  it('literals: numbers bare, all else quoted', () => {
    expect(['5', '-1', '1.5', '1e5', '', "it's", 'a\\b', '+01:00', '00012'].map(sqlLiteral)).toEqual([
      '5',
      '-1',
      '1.5',
      "'1e5'",
      "''",
      "'it''s'",
      "'a\\\\b'",
      "'+01:00'",
      '00012',
    ]);
  });

  it('C1 whatever happens in whatever order, a server session that was synced has the session’s values', () => {
    const change = fc.record({
      server: fc.nat({ max: 2 }),
      system: fc.dictionary(
        fc.constantFrom('autocommit', 'sql_mode', 'time_zone', 'ob_query_timeout'),
        fc.constantFrom('0', '1', 'x'),
      ),
      user: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2', "'q'")),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const variables = new SessionVariables();
        const servers = [0, 1, 2].map(() => ({ synced: new SyncedState(), values: new Map<string, string>() }));
        const model = new Map<string, string>();
        const sync = (server: (typeof servers)[number]): void => {
          for (const text of variables.missing(server.synced).flat()) {
            const [, isSystem, name = '', value = ''] = /^@(@session\.)?`?(\w+)`? = (.*)$/.exec(text) ?? [];
            if (isSystem === undefined) server.values.set(`@${name}`, value);
            else server.values.set(name, value.replaceAll("'", ''));
          }
          variables.markSynced(server.synced);
        };
        for (const { server: index, system, user } of changes) {
          const server = servers[index];
          if (server === undefined) continue;
          sync(server);
          for (const [name, value] of Object.entries(system)) {
            server.values.set(name, value);
            model.set(name, value);
          }
          for (const [name, value] of Object.entries(user)) {
            server.values.set(`@${name}`, value);
            model.set(`@${name}`, value);
          }
          apply(variables, server.synced, block(system, user));
        }
        for (const server of servers) {
          sync(server);
          expect(Object.fromEntries(server.values)).toEqual(Object.fromEntries(model));
        }
      }),
    );
  });
});
