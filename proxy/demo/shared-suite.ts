/**
 * Checks of the wire and of SQL that run against the demo cluster and against a genuine OceanBase kernel alike. Where
 * the two differ, the demo is wrong.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COM, STATUS } from '../wire/constants.ts';
import { PacketReader } from '../wire/reader.ts';
import { PacketWriter } from '../wire/writer.ts';
import { answeredQueries, refusedStatements } from './shared-cases.ts';
import { changesOf, columnType, textRow, WireClient, type WireReply } from './testing/wire-client.ts';

/** Where the suite runs. The account needs no password and may create users and databases. */
export interface SharedServer {
  readonly host: string;
  readonly port: number;
  /** `root@tenant`. */
  readonly user: string;
}

const SETUP = [
  'DROP DATABASE IF EXISTS shared_suite',
  'CREATE DATABASE shared_suite',
  `CREATE TABLE shared_suite.kinds (id BIGINT PRIMARY KEY AUTO_INCREMENT, n INT, d DECIMAL(10,2), v VARCHAR(20), x TEXT,
    b BLOB, dt DATETIME, ts TIMESTAMP NULL, da DATE, ti TIME, db DOUBLE, fl FLOAT, u BIGINT UNSIGNED, ty TINYINT,
    c CHAR(5), vb VARBINARY(7))`,
  'CREATE TABLE shared_suite.pairs (id INT PRIMARY KEY, v INT, s VARCHAR(10) NOT NULL, UNIQUE KEY uk_s (s))',
  `INSERT INTO shared_suite.kinds(n,d,v,x,b,dt,ts,da,ti,db,fl,u,ty,c,vb) VALUES(1,2.5,'abc','tx','bl',
    '2024-01-02 03:04:05','2024-01-02 03:04:05','2024-01-02','03:04:05',1.5,2.5,7,1,'cc','vb')`,
  "INSERT INTO shared_suite.pairs VALUES(1,10,'one'),(2,20,'Two'),(3,NULL,'three')",
  'DROP USER IF EXISTS shared1',
  "CREATE USER shared1 IDENTIFIED BY 'pw-1'",
  'GRANT ALL ON *.* TO shared1',
];

/** @param open starts or finds the server; called once before the tests */
export function sharedSuite(name: string, open: () => Promise<SharedServer> | SharedServer): void {
  describe(`${name}: shared wire suite`, () => {
    let server: SharedServer;
    const clients: WireClient[] = [];
    const connect = async (): Promise<WireClient> => {
      const client = await WireClient.open(server.host, server.port);
      clients.push(client);
      return client;
    };
    const session = async (proxied: boolean): Promise<WireClient> => {
      const client = await connect();
      const answer = await client.login({ user: server.user, proxied });
      expect(answer[0]).toBe(0);
      await client.request(COM.INIT_DB, 'shared_suite');
      return client;
    };
    const tenant = (): string => server.user.slice(server.user.indexOf('@') + 1);

    beforeAll(async () => {
      server = await open();
      const client = await connect();
      await client.login({ user: server.user });
      for (const sql of SETUP) {
        const { results } = await client.query(sql);
        expect(results[0]?.error ?? null, sql).toBeNull();
      }
    });
    afterAll(() => {
      for (const client of clients) client.close();
    });

    describe('login', () => {
      it('a plain login is answered by an OK without variables', async () => {
        const client = await connect();
        const answer = await client.login({ user: server.user });
        expect(answer.length).toBe(7);
      });

      it('C2 a proxied login is answered by every system variable', async () => {
        const client = await connect();
        const answer = client.parse(await client.login({ user: server.user, proxied: true }));
        const { system } = changesOf(answer);
        expect(answer.status & STATUS.SESSION_STATE_CHANGED).not.toBe(0);
        expect(system.size).toBeGreaterThan(700);
        expect(system.get('autocommit')).toBe('ON');
        expect(system.get('ob_query_timeout')).toMatch(/^\d+$/);
        expect(system.get('ob_read_consistency')).toBe('STRONG');
      });

      it('C2 a proxied login is checked against the scramble that the client got', async () => {
        const right = await connect();
        expect((await right.login({ user: `shared1@${tenant()}`, password: 'pw-1', proxied: true }))[0]).toBe(0);
        const wrong = await connect();
        expectDenied(await wrong.login({ user: `shared1@${tenant()}`, password: 'pw-2', proxied: true }));
        await wrong.closed();
        const unrelated = await connect();
        const login = { user: `shared1@${tenant()}`, password: 'pw-1', proxied: true, withoutProxyScramble: true };
        expectDenied(await unrelated.login(login));
      });

      it('refuses unknown users, unknown tenants and names that still carry the cluster', async () => {
        for (const user of [`nobody@${tenant()}`, 'root@no_such_tenant', `${server.user}#obdemo`]) {
          const client = await connect();
          expectDenied(await client.login({ user, proxied: true }));
        }
      });

      it('takes a password of a plain login', async () => {
        const client = await connect();
        expect((await client.login({ user: `shared1@${tenant()}`, password: 'pw-1' }))[0]).toBe(0);
      });
    });

    describe('answers', () => {
      it('a result is followed by an extra OK for a proxy only', async () => {
        const proxied = await session(true);
        const answer = await proxied.query('select 1');
        expect(answer.extra).not.toBeNull();
        expect(answer.sequences).toEqual([1, 2, 3, 4, 5, 6]);
        const plain = await session(false);
        const bare = await plain.query('select 1');
        expect(bare.sequences).toEqual([1, 2, 3, 4, 5]);
        expect(textRow(bare.results[0]?.rows[0])).toEqual(['1']);
      });

      it('C11 changed variables come in the OK', async () => {
        const client = await session(true);
        const changed = async (sql: string) => changesOf((await client.query(sql)).results[0]?.ok ?? null);
        expect((await changed('set @x=5')).user.get('x')).toBe('5');
        expect((await changed("set @a='q', @b=1.5, @c=null")).user).toEqual(
          new Map([
            ['a', "'q'"],
            ['b', '1.5'],
            ['c', 'NULL'],
          ]),
        );
        expect((await changed("set ob_read_consistency='weak'")).system.get('ob_read_consistency')).toBe('WEAK');
        expect((await changed('set ob_query_timeout=20000000')).system.get('ob_query_timeout')).toBe('20000000');
        expect((await changed('use shared_suite')).schema).toBe('shared_suite');
        const inserted = await changed('insert into kinds(n) values(2)');
        expect(inserted.system.get('last_insert_id')).toMatch(/^\d+$/);
        await client.query('delete from kinds where n=2');
      });

      it('the status tells of autocommit and an open transaction', async () => {
        const client = await session(true);
        const mask = STATUS.AUTOCOMMIT | STATUS.IN_TRANS;
        const status = async (sql: string) => ((await client.query(sql)).results[0]?.ok?.status ?? 0) & mask;
        expect(await status('begin')).toBe(STATUS.AUTOCOMMIT | STATUS.IN_TRANS);
        expect(await status('commit')).toBe(STATUS.AUTOCOMMIT);
        expect(await status('set autocommit=0')).toBe(0);
        const read = await client.query('select n from kinds');
        expect((read.results[0]?.endStatus ?? 0) & mask).toBe(0);
        expect(await status("insert into pairs values(50,1,'x')")).toBe(STATUS.IN_TRANS);
        expect(await status('rollback')).toBe(0);
        expect(await status('set autocommit=1')).toBe(STATUS.AUTOCOMMIT);
      });

      it('several results: MORE_RESULTS on all but the last, one extra OK at the end', async () => {
        const client = await session(true);
        const { results, extra, sequences } = await client.query('select 1; select 2');
        expect(results.map((result) => textRow(result.rows[0]))).toEqual([['1'], ['2']]);
        expect(results.map((result) => [result.columnStatus, result.endStatus].map((status) => status & 0x8))).toEqual([
          [8, 8],
          [0, 0],
        ]);
        expect(extra).not.toBeNull();
        expect(sequences).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
      });

      it('an error after a result ends the answer', async () => {
        const client = await session(true);
        const { results, extra } = await client.query('select 1; bogus');
        expect(results).toHaveLength(2);
        expect(results[1]?.error?.errno).toBe(1064);
        expect(changesOf(extra).system.get('ob_statement_trace_id')).toMatch(/^Y/);
      });

      it('an error is followed by an extra OK for a proxy only', async () => {
        const proxied = await session(true);
        const { results, extra } = await proxied.query('bogus');
        expect(results[0]?.error).toMatchObject({ errno: 1064, sqlState: '42000' });
        expect(changesOf(extra).system.has('ob_statement_trace_id')).toBe(true);
        const plain = await session(false);
        expect((await plain.query('bogus')).sequences).toEqual([1]);
        expect((await plain.query('select 1')).results[0]?.error).toBeNull();
      });

      it('PING, SET_OPTION and RESET_CONNECTION are answered by a plain OK', async () => {
        const client = await session(true);
        for (const [command, body] of [
          [COM.PING, ''],
          [COM.SET_OPTION, Buffer.alloc(2)],
          [COM.RESET_CONNECTION, ''],
        ] as const) {
          const reply = await client.request(command, body);
          expect(reply.results[0]?.ok?.state, String(command)).toBeNull();
          expect(reply.sequences).toEqual([1]);
        }
      });

      it('CHANGE_USER starts the session anew and lists every variable', async () => {
        const client = await session(true);
        await client.query('set @x=5');
        const body = new PacketWriter(64)
          .nullString(server.user)
          .u8(0)
          .nullString('')
          .u16(45)
          .nullString('mysql_native_password');
        const { results } = await client.request(COM.CHANGE_USER, body.finish());
        expect(changesOf(results[0]?.ok ?? null).system.size).toBeGreaterThan(700);
        expect(textRow((await client.query('select @x')).results[0]?.rows[0])).toEqual([null]);
      });

      it('an unknown command is answered by 1235', async () => {
        const client = await session(true);
        expect((await client.request(0x40)).results[0]?.error?.errno).toBe(1235);
        expect((await client.query('select 1')).results[0]?.error).toBeNull();
      });

      it('case B07 comments alone get an OK, nothing at all gets 1065', async () => {
        const client = await session(false);
        for (const sql of ['-- x', '/* x */', '#x'])
          expect((await client.query(sql)).results[0]?.ok, sql).not.toBeNull();
        for (const sql of ['', ';', ' ']) expect((await client.query(sql)).results[0]?.error?.errno, sql).toBe(1065);
      });
    });

    describe('prepared statements', () => {
      const statementId = (packet: Buffer): number => packet.readUInt32LE(1);
      const prepare = async (client: WireClient, sql: string): Promise<{ id: number; packets: Buffer[] }> => {
        client.write(Buffer.concat([Buffer.from([COM.STMT_PREPARE]), Buffer.from(sql)]));
        const head = (await client.next()).payload;
        const columns = head.readUInt16LE(5);
        const params = head.readUInt16LE(7);
        const packets: Buffer[] = [];
        const count = (params > 0 ? params + 1 : 0) + (columns > 0 ? columns + 1 : 0) + (client.proxied ? 1 : 0);
        while (packets.length < count) packets.push((await client.next()).payload);
        return { id: statementId(head), packets };
      };
      const execute = (id: number, flags: number, params?: PacketWriter): Buffer => {
        const head = new PacketWriter(64).u32(id).u8(flags).u32(1);
        return (params ? head.bytes(params.finish()) : head).finish();
      };

      it('PREPARE ends in an extra OK for a proxy', async () => {
        const client = await session(true);
        const { packets } = await prepare(client, 'select n+?, v from kinds where id=?');
        expect(packets).toHaveLength(7);
        expect(packets[6]?.[0]).toBe(0);
        expect(columnType(packets[3])).toBe('n+? 5 63 23 80 31');
        expect(columnType(packets[4])).toBe('v fd 45 80 0 0');
      });

      it('EXECUTE types its columns by the values bound', async () => {
        const client = await session(true);
        const { id } = await prepare(client, 'select n+?, v from kinds where id=?');
        const params = new PacketWriter(32).u8(0).u8(1).u16(8).u16(8).u64(5n).u64(1n);
        const { results, extra } = await client.request(COM.STMT_EXECUTE, execute(id, 0, params));
        expect(columnType(results[0]?.columns[0])).toBe('n+? 8 63 21 80 0');
        expect(results[0]?.rows[0]?.toString('hex')).toBe('0000060000000000000003616263');
        expect(extra).not.toBeNull();
      });

      it('rows of all types in the binary protocol', async () => {
        const client = await session(true);
        const { id } = await prepare(client, 'select * from kinds where id=1');
        const { results } = await client.request(COM.STMT_EXECUTE, execute(id, 0));
        expect(results[0]?.rows[0]?.toString('hex')).toBe(
          '000000000100000000000000' +
            '0100000004322e35300361626302747802626c07e807010203040507e807010203040504e80701020800000000000304' +
            '05000000000000f83f000020400700000000000000010263630276' +
            '62',
        );
      });

      it('case B04 a cursor answers with columns only; FETCH gives rows to the last', async () => {
        const client = await session(true);
        const { id } = await prepare(client, 'select id from pairs order by id');
        const opened = await client.request(COM.STMT_EXECUTE, execute(id, 1));
        expect((opened.results[0]?.endStatus ?? 0) & STATUS.CURSOR_EXISTS).not.toBe(0);
        expect(opened.extra).not.toBeNull();
        const fetched: number[] = [];
        for (let portion = 0; portion < 3; portion++) {
          client.write(new PacketWriter(16).u8(COM.STMT_FETCH).u32(id).u32(2).finish());
          let status = 0;
          for (;;) {
            const { payload } = await client.next();
            expect(payload[0]).not.toBe(0xff);
            if (payload[0] === 0xfe && payload.length < 9) {
              status = payload.readUInt16LE(3);
              break;
            }
            fetched.push(payload.readInt32LE(2));
          }
          expect(client.parse((await client.next()).payload)).not.toBeNull();
          if (status & STATUS.LAST_ROW_SENT) break;
        }
        expect(fetched).toEqual([1, 2, 3]);
      });

      it('a change of rows tells how many', async () => {
        const client = await session(true);
        const { id } = await prepare(client, 'update pairs set v=? where id=1');
        const run = (value: bigint) =>
          client.request(COM.STMT_EXECUTE, execute(id, 0, new PacketWriter(16).u8(0).u8(1).u16(8).u64(value)));
        expect((await run(11n)).results[0]?.ok?.affectedRows).toBe(1n);
        expect((await run(11n)).results[0]?.ok?.affectedRows).toBe(0n);
        expect((await run(10n)).results[0]?.ok?.affectedRows).toBe(1n);
      });

      it('long data make a parameter', async () => {
        const client = await session(true);
        const { id } = await prepare(client, 'select length(?)');
        for (const part of ['abc', 'defg']) {
          client.write(new PacketWriter(32).u8(COM.STMT_SEND_LONG_DATA).u32(id).u16(0).string(part).finish());
        }
        const { results } = await client.request(
          COM.STMT_EXECUTE,
          execute(id, 0, new PacketWriter(8).u8(0).u8(1).u16(0xfc)),
        );
        expect(new PacketReader(results[0]?.rows[0] ?? Buffer.alloc(0), 2).u64()).toBe(7n);
      });

      it('RESET is answered, a closed statement is unknown', async () => {
        const client = await session(true);
        const { id } = await prepare(client, 'select 1');
        const handle = new PacketWriter(4).u32(id).finish();
        expect((await client.request(COM.STMT_RESET, handle)).sequences).toEqual([1]);
        client.write(Buffer.concat([Buffer.from([COM.STMT_CLOSE]), handle]));
        expect((await client.request(COM.STMT_EXECUTE, execute(id, 0))).results[0]?.error).not.toBeNull();
        expect((await client.query('select 1')).results[0]?.error).toBeNull();
      });

      it('a statement that cannot be read is refused at once', async () => {
        const client = await session(true);
        expect((await client.request(COM.STMT_PREPARE, 'bogus')).results[0]?.error?.errno).toBe(1064);
      });
    });

    describe('SQL', () => {
      it('columns of all types in result metadata', async () => {
        const client = await session(false);
        const { results } = await client.query('select * from kinds');
        expect(results[0]?.columns.map(columnType)).toEqual([
          'id 8 63 20 4203 0',
          'n 3 63 11 0 0',
          'd f6 63 12 0 2',
          'v fd 45 80 0 0',
          'x fc 45 65535 10 0',
          'b fc 63 65535 90 0',
          'dt c 63 19 80 0',
          'ts 7 63 19 480 0',
          'da a 63 10 80 0',
          'ti b 63 10 80 0',
          'db 5 63 23 0 31',
          'fl 4 63 12 0 31',
          'u 8 63 20 20 0',
          'ty 1 63 4 0 0',
          'c fe 45 20 0 0',
          'vb fd 63 7 80 0',
        ]);
      });

      it.each(refusedStatements)('%s is refused with its own error', async (sql, errno) => {
        const client = await session(false);
        const { results } = await client.query(sql);
        expect(results[0]?.error, sql).toMatchObject({ errno });
      });

      it.each(answeredQueries)('%s', async (sql, row) => {
        const client = await session(false);
        const { results } = await client.query(sql);
        expect(results[0]?.error ?? null, sql).toBeNull();
        expect(textRow(results[0]?.rows[0])).toEqual(row);
      });

      it('affected rows count as MySQL counts them', async () => {
        const client = await session(false);
        const affected = async (sql: string) => {
          const { results } = await client.query(sql);
          expect(results[0]?.error ?? null, sql).toBeNull();
          return Number(results[0]?.ok?.affectedRows);
        };
        await affected('begin');
        expect(await affected("insert into pairs values(10,1,'a'),(11,2,'b')")).toBe(2);
        expect(await affected('update pairs set v=1 where id in (10,11)')).toBe(1);
        expect(await affected("insert into pairs values(10,1,'a') on duplicate key update v=5")).toBe(2);
        expect(await affected("insert into pairs values(10,1,'a') on duplicate key update v=5")).toBe(0);
        expect(await affected("insert into pairs values(12,1,'c') on duplicate key update v=values(v)+1")).toBe(1);
        expect(await affected("insert ignore into pairs values(10,1,'a'),(13,1,'d')")).toBe(1);
        expect(await affected("replace into pairs values(10,7,'a')")).toBe(2);
        expect(await affected("replace into pairs values(14,7,'e')")).toBe(1);
        expect(await affected("insert into pairs select id+100, v, concat(s,'!') from pairs where id=1")).toBe(1);
        expect(await affected('update pairs set v=v+1 order by id desc limit 2')).toBe(2);
        expect(await affected('delete from pairs where id>=10')).toBe(6);
        expect(await affected('delete from pairs where id=999')).toBe(0);
        await affected('rollback');
        expect(textRow((await client.query('select count(*) from pairs')).results[0]?.rows[0])).toEqual(['3']);
      });

      it('savepoints, and what others see', async () => {
        const writer = await session(false);
        const reader = await session(false);
        const value = async (client: WireClient) =>
          textRow((await client.query('select v from pairs where id=1')).results[0]?.rows[0])[0];
        const run = async (sql: string): Promise<WireReply> => {
          const reply = await writer.query(sql);
          expect(reply.results[0]?.error ?? null, sql).toBeNull();
          return reply;
        };
        await run('begin');
        await run('update pairs set v=100 where id=1');
        expect(await value(writer)).toBe('100');
        expect(await value(reader)).toBe('10');
        await run('savepoint a');
        await run('update pairs set v=200 where id=1');
        await run('rollback to a');
        expect(await value(writer)).toBe('100');
        await run('commit');
        expect(await value(reader)).toBe('100');
        await run('update pairs set v=10 where id=1');
      });

      it('AUTO_INCREMENT and LAST_INSERT_ID', async () => {
        const client = await session(false);
        await client.query('create table if not exists counted(id int primary key auto_increment, v int)');
        const insert = async (sql: string) => (await client.query(sql)).results[0]?.ok?.insertId;
        const first = await insert('insert into counted(v) values(1)');
        expect(textRow((await client.query('select last_insert_id()')).results[0]?.rows[0])).toEqual([String(first)]);
        expect(await insert('insert into counted(v) values(2),(3)')).toBe((first ?? 0n) + 1n);
        await client.query('drop table counted');
      });

      it('user variables and text PREPARE', async () => {
        const client = await session(false);
        await client.query("set @a=3, @s='x'");
        expect(textRow((await client.query("select @a+1, concat(@s,'y')")).results[0]?.rows[0])).toEqual(['4', 'xy']);
        await client.query("prepare p from 'select ?+1'");
        expect(textRow((await client.query('execute p using @a')).results[0]?.rows[0])).toEqual(['4']);
        expect((await client.query('deallocate prepare p')).results[0]?.ok).not.toBeNull();
        expect((await client.query('execute p')).results[0]?.error?.errno).toBe(1243);
      });
    });
  });
}

function expectDenied(packet: Buffer): void {
  expect(packet[0]).toBe(0xff);
  expect(packet.readUInt16LE(1)).toBe(1045);
  expect(packet.toString('latin1', 4, 9)).toBe('42000');
}
