import type { Connection, RowDataPacket } from 'mysql2/promise';
import { expect, it } from 'vitest';
import { type ProxiedBackend, readAt, serverOf, testDatabase } from '../../testing/backends.ts';
import { until } from '../../testing/proxy.ts';
import { errorLine, textRows } from '../../testing/raw-client.ts';
import { nativePasswordAnswer } from '../../wire/auth.ts';
import { CAP, COM } from '../../wire/constants.ts';
import { PacketWriter } from '../../wire/writer.ts';

/** Log-in by relay (C2), its errors, COM_CHANGE_USER, COM_RESET_CONNECTION and KILL (C19). */
export function loginSuite(px: ProxiedBackend): void {
  const { user, password, clusterName, isOceanBase, setting } = px.backend;
  const [first, second] = px.tables;
  const [name = '', tenant = ''] = user.split('@');
  const log = async (login: string, secret = password) => {
    const client = await px.proxy.raw();
    await client.login({ user: login, password: secret });
    return client;
  };

  it.each([
    [`${name}@${tenant}#${clusterName}`],
    [`${name}@${tenant}#${clusterName}:7`],
    [`${clusterName}:${tenant}:${name}`],
    [`${clusterName}-${tenant}-${name}`],
    [`${clusterName}.${tenant}.${name}`],
    [`${name}@${tenant}`],
    [`${name}#${clusterName}@${tenant}`],
  ])('case B22 C2 the log-in name %s', async (login) => {
    const client = await log(login);
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    client.destroy();
  });

  it('case B22 an empty user name is for the server to refuse', async () => {
    await expect(log(`@${tenant}#${clusterName}`, '')).rejects.toThrow(/^1045 /);
  });

  it('case B25 an unknown cluster and a wrong password are different errors, and end the connection', async () => {
    const unknown = await px.proxy.raw();
    unknown.write(unknown.loginFrame({ user: `${name}@${tenant}#nosuch`, password }));
    expect(errorLine((await unknown.packet()).payload)).toBe("4669 cluster not exist: 'nosuch'");
    await unknown.closed;
    await expect(log(`nobody@${tenant}#${clusterName}`, 'x')).rejects.toThrow(/^1045 /);
    await expect(log(`${name}@${tenant}#${clusterName}`, 'wrong')).rejects.toThrow(/^1045 /);
  });

  it('case B24 names of any length and with any characters are refused clearly', async () => {
    for (const login of [
      `${'a'.repeat(128)}@${tenant}`,
      `${'b'.repeat(400)}@${tenant}`,
      'we\'ird\n"@sys',
      'a%00@sys',
    ]) {
      await expect(log(login)).rejects.toThrow(/^\d{4,5} /);
    }
  });

  it('case B24 a name that the client has cut: the error tells which tenant and cluster it was taken for', async () => {
    await expect(log('application_user@tenant_prod_0')).rejects.toThrow(
      new RegExp(`^1045 .*application_user.* \\(tenant 'tenant_prod_0' of cluster '${clusterName}'\\)$`),
    );
    await expect(log(`${name}@${tenant}#${clusterName.slice(0, -1)}`)).rejects.toThrow(
      `4669 cluster not exist: '${clusterName.slice(0, -1)}'`,
    );
    // Who does not exist is asked of one server, with the log-in itself: nothing is looked up that could be kept.
    const admin = await px.proxy.admin();
    const [kept] = await admin.query<RowDataPacket[]>('SHOW PROXYROUTE');
    expect(JSON.stringify(kept)).not.toContain('tenant_prod_0');
    await admin.end();
  });

  it.each([
    ['no answer', Buffer.from([0])],
    ['an answer of 128 bytes', Buffer.concat([Buffer.from([0x80]), Buffer.alloc(128, 1)])],
    ['an answer of 255 bytes', Buffer.concat([Buffer.from([0xfc, 0xff, 0]), Buffer.alloc(255, 1)])],
    ['an answer longer than the packet', Buffer.from([0xfd, 0xff, 0xff, 0xff])],
  ])('case B08 %s', async (_what, answer) => {
    const client = await px.proxy.raw();
    const capabilities = CAP.PROTOCOL_41 | CAP.SECURE_CONNECTION | CAP.PLUGIN_AUTH_LENENC | CAP.PLUGIN_AUTH;
    const payload = new PacketWriter(64)
      .u32(capabilities)
      .u32(1 << 24)
      .u8(45)
      .zeros(23)
      .nullString(`nobody@${tenant}#${clusterName}`)
      .bytes(answer)
      .nullString('mysql_native_password')
      .finish();
    const frame = Buffer.concat([new PacketWriter(4).u24(payload.length).u8(1).finish(), payload]);
    client.write(frame);
    expect(errorLine((await client.packet()).payload)).toMatch(/^(1045|1043) /);
    await client.closed;
  });

  it('case B27 a client that begins with another method is asked for the one that works', async () => {
    const client = await px.proxy.raw();
    client.write(client.loginFrame({ user: `${user}#${clusterName}`, authPlugin: 'caching_sha2_password' }));
    const { payload, sequence } = await client.packet();
    expect(payload.toString('latin1', 0, 22)).toBe('\xfemysql_native_password');
    const scramble = payload.subarray(23, 43);
    expect(scramble.equals(client.greeting?.scramble ?? Buffer.alloc(0))).toBe(true);
    const answer = password === '' ? Buffer.alloc(0) : nativePasswordAnswer(password, scramble);
    client.write(
      Buffer.concat([
        new PacketWriter(4)
          .u24(answer.length)
          .u8(sequence + 1)
          .finish(),
        answer,
      ]),
    );
    expect((await client.packet()).payload[0]).toBe(0x00);
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    client.destroy();
  });

  it('case B27 case B28 COM_CHANGE_USER, with another method named, drops all state of before', async () => {
    const connection = await px.connect();
    const { z: usual } = await readAt(px, connection, 0, `@@${setting.name} AS z`);
    expect(usual).not.toBe(setting.value);
    await connection.query(`SET ${setting.name} = ?, @a = 1`, [setting.value]);
    await connection.query(`BEGIN`);
    await connection.query(`UPDATE ${first} SET v = 'changed' WHERE id = 1`);
    await connection.changeUser({ user: `${user}#${clusterName}`, password, database: testDatabase });
    const what = `@a AS a, @@${setting.name} AS z`;
    expect(await readAt(px, connection, 0, what)).toEqual({ a: null, z: usual });
    expect(await readAt(px, connection, 1, what)).toEqual({ a: null, z: usual });
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT v FROM ${first} WHERE id = 1`);
    expect(rows).toEqual([{ v: 'one' }]);
    await connection.end();

    const client = await px.raw({
      capabilities: CAP.PROTOCOL_41 | CAP.SECURE_CONNECTION | CAP.PLUGIN_AUTH | CAP.CONNECT_WITH_DB,
    });
    client.command(COM.CHANGE_USER, changeUserBody(`${user}#${clusterName}`, Buffer.alloc(0), 'caching_sha2_password'));
    const asked = await client.packet();
    expect(asked.payload.toString('latin1', 0, 22)).toBe('\xfemysql_native_password');
    const answer = password === '' ? Buffer.alloc(0) : nativePasswordAnswer(password, asked.payload.subarray(23, 43));
    client.write(
      Buffer.concat([
        new PacketWriter(4)
          .u24(answer.length)
          .u8(asked.sequence + 1)
          .finish(),
        answer,
      ]),
    );
    expect((await client.packet()).payload[0]).toBe(0x00);
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    client.destroy();
  });

  it('case B27 case B28 COM_CHANGE_USER to a user without password and without a method’s name leaves nothing behind', async () => {
    const account = isOceanBase ? 'u2' : `u2@${tenant}`;
    for (const server of px.backend.sharesData ? [0] : [0, 1]) {
      const direct = await px.backend.direct(server);
      await direct.query(`CREATE USER IF NOT EXISTS '${account}'`);
      await direct.query(`GRANT ALL ON *.* TO '${account}'`);
      await direct.end();
    }
    const client = await px.raw();
    client.command(COM.STMT_PREPARE, 'SELECT 1');
    const id = (await client.packet()).payload.readUInt32LE(1);
    await client.packet();
    await client.packet();
    if (!isOceanBase) await client.query('CREATE TEMPORARY TABLE left_behind (id int)');
    const body = new PacketWriter(128).nullString(`u2@${tenant}#${clusterName}`).u8(0).nullString(testDatabase).u16(45);
    client.command(COM.CHANGE_USER, body.finish());
    expect((await client.packet()).payload[0]).toBe(0x00);
    for (const table of [first, second]) {
      const rows = textRows(await client.query(`SELECT CURRENT_USER() FROM ${table} LIMIT 1`));
      expect(rows[0]?.[0]).toMatch(/^u2@/);
    }
    client.command(COM.STMT_EXECUTE, new PacketWriter(9).u32(id).u8(0).u32(1).finish());
    expect(errorLine((await client.packet()).payload)).toMatch(/^1243 /);
    if (!isOceanBase)
      expect(errorLine((await client.query('SELECT * FROM left_behind'))[0]?.payload)).toMatch(/^1146 /);
    client.command(COM.CHANGE_USER, changeUserBody(`${user}#${clusterName}`, Buffer.alloc(20, 3), ''));
    expect(errorLine((await client.packet()).payload)).toMatch(/^1045 /);
    await client.closed;
  });

  it('case B28 a change to another tenant or cluster works or is refused in plain words', async () => {
    for (const [login, reason] of [
      [`${name}@nosuch#${clusterName}`, /^(1045|5\d+|10013) /],
      [`${user}#nosuch`, /^4669 /],
    ] as const) {
      const client = await px.raw();
      client.command(COM.CHANGE_USER, changeUserBody(login, Buffer.alloc(20, 3), ''));
      expect(errorLine((await client.packet()).payload)).toMatch(reason);
      await client.closed;
    }
  });

  it('case B28 a change of user that fails ends the connection', async () => {
    const client = await px.raw();
    client.command(COM.CHANGE_USER, changeUserBody(`nobody@${tenant}#${clusterName}`, Buffer.alloc(20, 3), ''));
    expect(errorLine((await client.packet()).payload)).toMatch(/^1045 /);
    await client.closed;
  });

  it('case B28 log-in packets without end are cut off early', async () => {
    const client = await px.proxy.raw();
    client.write(Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 1]), Buffer.alloc(100_000, 1)]));
    expect(errorLine((await client.packet()).payload)).toMatch(/^1043 /);
    await client.closed;
  });

  it('case B29 COM_RESET_CONNECTION resets every server session that is held', async () => {
    const client = await px.raw();
    const what = `@a, @@autocommit, @@character_set_client, @@${setting.name}`;
    const at = async (table: string) => textRows(await client.query(`SELECT ${what} FROM ${table} LIMIT 1`));
    const [before] = await at(first);
    const value = typeof setting.value === 'string' ? `'${setting.value}'` : setting.value;
    await client.query(`SET @a=1, ${setting.name} = ${value}`);
    if (px.backend.whoAnswers.join !== '') await client.query('SET NAMES gbk');
    await client.query('SET autocommit=0');
    await at(second);
    await client.query(`UPDATE ${second} SET v = 'changed' WHERE id = 1`);
    client.command(COM.STMT_PREPARE, 'SELECT 1');
    const id = (await client.packet()).payload.readUInt32LE(1);
    await client.packet();
    await client.packet();
    client.command(COM.RESET_CONNECTION);
    expect((await client.packet()).payload[0]).toBe(0x00);
    for (const table of [first, second, first]) expect(await at(table)).toEqual([before]);
    expect(textRows(await client.query(`SELECT v, DATABASE() FROM ${second} WHERE id = 1`))).toEqual([
      ['one', testDatabase],
    ]);
    client.command(COM.STMT_EXECUTE, new PacketWriter(9).u32(id).u8(0).u32(1).finish());
    expect(errorLine((await client.packet()).payload)).toMatch(/^1243 /);
    client.destroy();
  });

  it('case B89 at client_max_connections the next client is refused, the administrator is not', async () => {
    const admin = await px.proxy.admin();
    const clients: Connection[] = [];
    const [sessions] = await admin.query<RowDataPacket[]>('SHOW PROCESSLIST');
    await admin.query(`ALTER PROXYCONFIG SET client_max_connections = ${sessions.length + 2}`);
    try {
      clients.push(await px.connect(), await px.connect());
      await expect(px.connect()).rejects.toMatchObject({ errno: 1203 });
      clients.push(await px.proxy.admin());
      await clients.shift()?.end();
      await until('the place is free', async () => {
        const [left] = await admin.query<RowDataPacket[]>('SHOW PROCESSLIST');
        return left.length === sessions.length + 2;
      });
      await clients.pop()?.end();
      await until('a client gets in again', async () => {
        const client = await px.connect().catch((error: { errno: number }) => error.errno);
        if (typeof client === 'number') return false;
        clients.push(client);
        return true;
      });
    } finally {
      await admin.query('ALTER PROXYCONFIG SET client_max_connections = 8192');
      for (const client of clients) await client.end();
    }
  });

  it('case B89 log-ins that fail, and clients that go away before, are not counted for ever', async () => {
    const admin = await px.proxy.admin();
    const count = async (): Promise<number> => {
      const [sessions] = await admin.query<RowDataPacket[]>('SHOW PROCESSLIST');
      return sessions.length;
    };
    const before = await count();
    await admin.query(`ALTER PROXYCONFIG SET client_max_connections = ${before + 50}`);
    for (let round = 0; round < 3; round++) {
      const half = await Promise.all(Array.from({ length: 40 }, () => px.proxy.raw()));
      for (const [index, client] of half.entries()) {
        if (index % 2 === 0) await client.flush(Buffer.from([50, 0, 0, 1, 1, 2, 3]));
        client.destroy();
      }
      const failed = Array.from({ length: 40 }, () => log(`nobody@${tenant}#${clusterName}`, 'x').catch(String));
      for (const outcome of await Promise.all(failed)) expect(String(outcome)).toMatch(/1045|1203/);
    }
    await until('all places are free again', async () => {
      const client = await px.connect().catch((error: { errno: number }) => error.errno);
      if (typeof client !== 'number') await client.end();
      return typeof client !== 'number';
    });
    await admin.query('ALTER PROXYCONFIG SET client_max_connections = 8192');
    expect(await count()).toBe(before);
    await admin.end();
  });

  it('case B89 a full tenant refuses the next client with 1040, whichever worker has the others', async () => {
    const admin = await px.proxy.admin();
    const clients: Connection[] = [await px.connect(), await px.connect(), await px.connect()];
    await until('those of other tests have gone', async () => {
      const [sessions] = await admin.query<RowDataPacket[]>('SHOW PROXYSESSION');
      return sessions.filter((row) => row.Tenant === tenant).length === clients.length;
    });
    const columns = 'resource_unit(cluster_name, tenant_name, name, value)';
    await admin.query(
      `REPLACE INTO ${columns} VALUES ('${clusterName}', '${tenant}', 'resource_max_connections', '[{"vip":"","value":4}]')`,
    );
    try {
      clients.push(await px.connect());
      await expect(px.connect()).rejects.toMatchObject({ errno: 1040, sqlState: '08004' });
      await clients.pop()?.end();
      await until('a place is free', async () => {
        const client = await px.connect().catch((error: { errno: number }) => error.errno);
        if (typeof client === 'number') return false;
        clients.push(client);
        return true;
      });
    } finally {
      await admin.query(`DELETE FROM resource_unit WHERE tenant_name = '${tenant}'`);
      for (const client of clients) await client.end();
    }
    const [left] = await admin.query<RowDataPacket[]>('SELECT * FROM resource_unit');
    expect(left).toEqual([]);
    await admin.end();
  });

  it('case B12 b behind a load balancer the client is where its PROXY header says', async () => {
    const admin = await px.proxy.admin();
    await admin.query("ALTER PROXYCONFIG SET proxy_protocol_networks = '127.0.0.1'");
    try {
      const client = await px.proxy.raw();
      // The address stays one that a genuine kernel lets in.
      client.write(Buffer.from('0d0a0d0a000d0a515549540a2111000c7f0000010a0000019c400b43', 'hex'));
      await client.login({ user, password });
      const [sessions] = await admin.query<RowDataPacket[]>('SHOW PROCESSLIST');
      const own = sessions.find((row) => Number(row.Id) === client.greeting?.connectionId);
      expect(own?.Host).toBe('127.0.0.1:40000');
      expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
      client.destroy();
    } finally {
      await admin.query("ALTER PROXYCONFIG SET proxy_protocol_networks = ''");
      await admin.end();
    }
  });

  it('case B80 KILL of oneself, of another, of a query, and the ids that name them', async () => {
    const client = await px.raw();
    const id = client.greeting?.connectionId ?? 0;
    const [own] = textRows(await client.query('SHOW PROCESSLIST')).filter((row) => row[0] === String(id));
    expect(own).toBeDefined();
    expect(errorLine((await client.query(`KILL ${id}`))[0]?.payload)).toMatch(/^1317 /);
    await client.closed;

    const victim = await px.raw();
    await victim.query('BEGIN');
    await victim.query(`UPDATE ${first} SET v = 'killed' WHERE id = 1`);
    const killer = await px.connect();
    await killer.query(`KILL ${victim.greeting?.connectionId}`);
    await victim.closed;
    await killer.query(`UPDATE ${first} SET v = 'one' WHERE id = 1`);
    await expect(killer.query(`KILL ${victim.greeting?.connectionId}`)).rejects.toMatchObject({ errno: 1094 });

    const busy = await px.raw();
    busy.command(COM.QUERY, `SELECT SLEEP(50), id FROM ${first} LIMIT 1`);
    await until('the query is killed', async () => {
      await killer.query(`KILL QUERY ${busy.greeting?.connectionId}`);
      const direct = await px.backend.direct(0);
      const [rows] = await direct.query<RowDataPacket[]>('SHOW FULL PROCESSLIST');
      await direct.end();
      return !rows.some((row) => String(row.Info).startsWith('SELECT SLEEP(50)'));
    });
    await busy.reply();
    expect(textRows(await busy.query('SELECT 5'))).toEqual([['5']]);
    busy.destroy();
    await killer.end();
  });

  it('case B80 C14 KILL PROXYSESSION of an idle server session is not noticed; in a transaction it is an error', async () => {
    const connection = await px.connect();
    const admin = await px.proxy.admin();
    await connection.query(`SET ${setting.name} = ?`, [setting.value]);
    const id = connection.threadId;
    const killServerSessions = async (): Promise<void> => {
      const [rows] = await admin.query<RowDataPacket[]>(`SHOW PROXYSESSION ATTRIBUTE ${id}`);
      const ids = rows.filter((row) => /ss_id$/.test(String(row.attribute_name))).map((row) => Number(row.value));
      expect(ids.length).toBeGreaterThan(0);
      for (const serverId of ids) await admin.query(`KILL PROXYSESSION ${id} ${serverId}`);
    };
    await serverOf(px, connection, first);
    await killServerSessions();
    expect(await readAt(px, connection, 0, `@@${setting.name} AS z`)).toEqual({ z: setting.value });
    await connection.query('BEGIN');
    await connection.query(`UPDATE ${second} SET v = 'killed' WHERE id = 1`);
    await killServerSessions();
    await expect(connection.query('SELECT 1')).rejects.toMatchObject({
      errno: 10014,
      message: expect.stringContaining('transaction has ended'),
    });
    expect(await readAt(px, connection, 1, `@@${setting.name} AS z`)).toEqual({ z: setting.value });
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT v FROM ${second} WHERE id = 1`);
    expect(rows).toEqual([{ v: 'one' }]);
    await Promise.all([connection.end(), admin.end()]);
  });

  it('random bytes at log-in and after it end at most their own connection', async () => {
    const witness = await px.raw();
    let seed = 12345;
    const random = (): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      return seed / 0x7fffffff;
    };
    for (let round = 0; round < 60; round++) {
      const noise = Buffer.from(
        Array.from({ length: 1 + Math.floor(random() * 300) }, () => Math.floor(random() * 256)),
      );
      const framed = Buffer.concat([new PacketWriter(4).u24(noise.length).u8(0).finish(), noise]);
      const early = await px.proxy.raw();
      await early.flush(round % 2 === 0 ? noise : framed);
      early.end();
      const late = await px.raw();
      // COM_QUIT, KILL and what shuts servers down are left out: they do what they should.
      if ([1, 8, 12].includes(noise[0] ?? 0)) noise[0] = 3;
      await late.flush(
        round % 3 === 0 ? noise : Buffer.concat([new PacketWriter(4).u24(noise.length).u8(0).finish(), noise]),
      );
      late.end();
      await Promise.all([early.closed, late.closed]);
    }
    expect(textRows(await witness.query('SELECT 5'))).toEqual([['5']]);
    expect(px.proxy.log()).not.toMatch(/a fault of the proxy|a worker has died/);
    witness.destroy();
  });

  it('C3 the server session of a later log-in is the same user', async () => {
    const connection = await px.connect();
    const at0 = await readAt(px, connection, 0, 'CURRENT_USER() AS u');
    expect(await readAt(px, connection, 1, 'CURRENT_USER() AS u')).toEqual(at0);
    expect(String(at0.u)).toContain(isOceanBase ? 'u1' : 'u1@sys');
    await connection.end();
  });
}

function changeUserBody(login: string, answer: Buffer, plugin: string): Buffer {
  return new PacketWriter(128)
    .nullString(login)
    .u8(answer.length)
    .bytes(answer)
    .nullString(testDatabase)
    .u16(45)
    .nullString(plugin)
    .finish();
}
