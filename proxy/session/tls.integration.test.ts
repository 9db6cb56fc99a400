import type { RowDataPacket } from 'mysql2/promise';
import { afterAll, expect, it } from 'vitest';
import { behindProxy, demoBackend, mariaDbBackend, type ProxiedBackend, testDatabase } from '../testing/backends.ts';
import { certificateFiles } from '../testing/certificates.ts';
import { describeWith } from '../testing/part.ts';
import { until } from '../testing/proxy.ts';
import { errorLine, RawClient, textRows } from '../testing/raw-client.ts';
import { CAP, COM } from '../wire/constants.ts';
import { bulkSuite } from './suites/bulk.suite.ts';
import { loginSuite } from './suites/login.suite.ts';
import { preparedSuite } from './suites/prepared.suite.ts';
import { transactionSuite } from './suites/transaction.suite.ts';
import { wireSuite } from './suites/wire.suite.ts';

const files = await certificateFiles();
const both = { enable_client_ssl: 'True', enable_server_ssl: 'True', ssl_key_info: files.keyInfo };
const { ca, certificate, key } = files;

const inTls = await behindProxy(
  await mariaDbBackend(['--max-connections=1000', `--ssl-ca=${ca}`, `--ssl-cert=${certificate}`, `--ssl-key=${key}`]),
  both,
  true,
);
/** Servers without TLS: the proxy's own are plain, whatever is wanted. */
const plainServers = await behindProxy(await demoBackend(), both, true);
afterAll(async () => {
  await inTls.close();
  await plainServers.close();
  await files.close();
});

describeWith(inTls, 'TLS on both sides, two MariaDB servers: transactions', transactionSuite);
describeWith(inTls, 'TLS on both sides, two MariaDB servers: prepared statements', preparedSuite);
describeWith(inTls, 'TLS on both sides, two MariaDB servers: wire', wireSuite);
describeWith(inTls, 'TLS on both sides, two MariaDB servers: log-in and kill', loginSuite);
describeWith(inTls, 'TLS on both sides, two MariaDB servers: bulk', bulkSuite);

describeWith(inTls, 'TLS on both sides', (px: ProxiedBackend) => {
  it('case B11 texts around the size of a record are answered at once', async () => {
    const client = await px.raw();
    for (const length of [16_383, 16_384, 16_385, 40_000]) {
      const text = 'x'.repeat(length);
      expect(textRows(await client.query(`SELECT '${text}'`))).toEqual([[text]]);
    }
    client.destroy();
  });

  it('each server session is in TLS, and a later one as well', async () => {
    const connection = await px.connect();
    for (const table of px.tables) {
      const [rows] = await connection.query<RowDataPacket[]>(
        `SELECT s.VARIABLE_VALUE AS cipher FROM information_schema.SESSION_STATUS s, ${table} WHERE s.VARIABLE_NAME = 'Ssl_cipher' LIMIT 1`,
      );
      expect(rows[0]?.cipher).toMatch(/^TLS_/);
    }
    await connection.end();
  });

  it('a server whose certificate another authority has signed is not used, and the error says so', async () => {
    const other = await certificateFiles();
    const admin = await px.proxy.admin();
    try {
      await admin.query('ALTER PROXYCONFIG SET ssl_key_info = ?', [other.keyInfo]);
      await expect(px.connect()).rejects.toMatchObject({
        errno: 10013,
        message: expect.stringMatching(/TLS handshake failed: .*(certificate|verif)/i),
      });
      await admin.query("ALTER PROXYCONFIG SET enable_server_ssl = 'False'");
      await (await px.connect()).end();
    } finally {
      await admin.query('ALTER PROXYCONFIG SET ssl_key_info = ?', [files.keyInfo]);
      await admin.query("ALTER PROXYCONFIG SET enable_server_ssl = 'True'");
      await admin.end();
      await other.close();
    }
    await (await px.connect()).end();
  });
});

describeWith(plainServers, 'TLS to clients, demo servers without', (px: ProxiedBackend) => {
  const alter = async (name: string, value: string): Promise<void> => {
    const admin = await px.proxy.admin();
    await admin.query(`ALTER PROXYCONFIG SET ${name} = ?`, [value]);
    await admin.end();
  };

  it('case B10 the servers are spoken to as they are, and SHOW PROXYSESSION tells of the client', async () => {
    const secured = await px.connect();
    const [rows] = await secured.query<RowDataPacket[]>('SELECT 1 AS one');
    expect(rows).toEqual([{ one: 1 }]);
    const [cipher] = await secured.query<RowDataPacket[]>("SHOW STATUS LIKE 'Ssl_cipher'");
    expect(cipher[0]?.Value).toBe('');
    const using = async (connection: typeof secured) => {
      const [sessions] = await connection.query<RowDataPacket[]>('SHOW PROXYSESSION');
      return sessions.map((row) => Number(row.using_ssl));
    };
    expect(await using(secured)).toEqual([1]);
    const plain = await px.proxy.connect({ user: px.backend.user, password: px.backend.password });
    expect(await using(plain)).toEqual([0]);
    await Promise.all([secured.end(), plain.end()]);
  });

  it('a client that insists on TLS where it is off sees that at the greeting', async () => {
    await alter('enable_client_ssl', 'False');
    const client = await px.proxy.raw();
    expect((client.greeting?.capabilities ?? 0) & CAP.SSL).toBe(0);
    client.startTls().catch(() => undefined);
    client.destroy();
    await expect(px.connect()).rejects.toMatchObject({ code: 'HANDSHAKE_NO_SSL_SUPPORT' });
    const stubborn = await px.proxy.raw();
    await expect(stubborn.startTls()).rejects.toThrow(/ended in the TLS handshake/);
    await alter('enable_client_ssl', 'True');
    await (await px.connect()).end();
  });

  it('plain bytes where TLS was announced, and a handshake that is broken off, end that connection only', async () => {
    const witness = await px.raw();
    const request = Buffer.alloc(36);
    request.set([32, 0, 0, 1]);
    request.writeUInt32LE(CAP.SSL | CAP.PROTOCOL_41, 4);
    for (const rest of [Buffer.from('no TLS at all\n'.repeat(20)), Buffer.from([22, 3, 1, 0])]) {
      const client = await px.proxy.raw();
      await client.flush(Buffer.concat([request, rest]));
      client.end();
      await client.closed;
    }
    expect(textRows(await witness.query('SELECT 5'))).toEqual([['5']]);
    expect(px.proxy.log()).not.toMatch(/a fault of the proxy|a worker has died/);
    witness.destroy();
  });

  it('a request for TLS inside of TLS is refused', async () => {
    const client = await px.proxy.raw();
    await client.startTls();
    const request = Buffer.alloc(36);
    request.set([32, 0, 0, 2]);
    request.writeUInt32LE(CAP.SSL | CAP.PROTOCOL_41, 4);
    client.write(request);
    const { payload, sequence } = await client.packet();
    expect(errorLine(payload)).toBe('1043 Bad handshake: TLS has begun already');
    expect(sequence).toBe(3);
    await client.closed;
  });

  it('with ENABLE_FORCE clients without TLS are refused with the reason; the administrator is not', async () => {
    await alter('ssl_attributes', '{"using_ssl":"ENABLE_FORCE","min_tls_version":"TLSV1.3"}');
    const { user, password } = px.backend;
    await expect(px.proxy.connect({ user, password })).rejects.toMatchObject({ errno: 3159 });
    await (await px.connect()).end();
    await alter('ssl_attributes', '');
    await (await px.proxy.connect({ user, password })).end();
  });

  it('a new certificate counts for new connections without a restart, and older ones go on', async () => {
    const before = await px.raw();
    const subject = async (): Promise<string> => {
      const client = await px.proxy.raw();
      await client.startTls();
      const name = client.peerCertificate()?.subject.CN ?? '';
      client.destroy();
      return String(name);
    };
    expect(await subject()).toBe('odp.test');
    await files.renew('renewed.test');
    await until('the renewed certificate is shown', async () => (await subject()) === 'renewed.test');
    expect(textRows(await before.query('SELECT 5'))).toEqual([['5']]);
    before.destroy();
  });

  it('a change to a file that cannot be used is refused, and what was good stays', async () => {
    const admin = await px.proxy.admin();
    const bad = JSON.stringify({ ...(JSON.parse(files.keyInfo) as object), publicKey: '/no/such/cert.pem' });
    await expect(admin.query('ALTER PROXYCONFIG SET ssl_key_info = ?', [bad])).rejects.toMatchObject({
      errno: 10904,
      message: expect.stringContaining('/no/such/cert.pem cannot be read'),
    });
    const [rows] = await admin.query<RowDataPacket[]>("SHOW PROXYCONFIG LIKE 'ssl_key_info'");
    expect(rows[0]?.value).toBe(files.keyInfo);
    await admin.end();
    await (await px.connect()).end();
  });

  it('requests sent along with the log-in, and COM_CHANGE_USER, work as without TLS', async () => {
    const { user, password, clusterName } = px.backend;
    const client = await RawClient.connect(px.proxy.port);
    await client.startTls();
    const login = client.loginFrame({ user: `${user}#${clusterName}`, password, database: testDatabase, tls: true }, 2);
    client.write(Buffer.concat([login, Buffer.from([1, 0, 0, 0, COM.PING])]));
    expect((await client.packet()).payload[0]).toBe(0);
    expect((await client.packet()).payload[0]).toBe(0);
    client.destroy();
    const connection = await px.connect();
    await connection.changeUser({ user: `${user}#${clusterName}`, password, database: testDatabase });
    await connection.query('SELECT 1');
    await connection.end();
  });
});
