import { type ConnectionOptions, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, expect, it } from 'vitest';
import { connectAsRoot, prepareKernel, startKernel } from './kernel.ts';
import { startMariaDb } from './mariadb.ts';
import { describeWith } from './part.ts';

const [kernel, mariaDb] = await Promise.all([startKernel(), startMariaDb()]);
afterAll(async () => {
  await Promise.all([kernel.close(), mariaDb.close()]);
});

describeWith(kernel, 'genuine kernel', (part) => {
  it('poses as a cluster of one server and knows the account of the proxy', async () => {
    await prepareKernel(part);
    const root = await connectAsRoot(part);
    const [servers] = await root.query<RowDataPacket[]>('SELECT svr_ip, sql_port, zone FROM oceanbase.DBA_OB_SERVERS');
    expect(servers).toEqual([{ svr_ip: '127.0.0.1', sql_port: part.port, zone: 'zone1' }]);
    const [orders] = await root.query<RowDataPacket[]>('SELECT count(*) AS n FROM trade.orders');
    expect(orders).toEqual([{ n: 400 }]);
    await root.end();

    const options: ConnectionOptions = { host: '127.0.0.1', port: part.port, user: 'proxyro@sys' };
    // The driver takes the first-stage hash as bytes, whatever its types say.
    Object.assign(options, { passwordSha1: Buffer.from('ee0e5138c912aed80b683c05303684be347ce81d', 'hex') });
    const proxyro = await createConnection(options);
    const [zones] = await proxyro.query<RowDataPacket[]>('SELECT zone, region, idc FROM oceanbase.DBA_OB_ZONES');
    expect(zones).toEqual([{ zone: 'zone1', region: 'SHANGHAI', idc: 'idc1' }]);
    await proxyro.end();
  });
});

describeWith(mariaDb, 'MariaDB', (part) => {
  it('answers on 127.0.0.1', async () => {
    const connection = await createConnection({ host: '127.0.0.1', port: part.port, user: 'root' });
    const [rows] = await connection.query<RowDataPacket[]>('SELECT @@bind_address AS address');
    expect(rows).toEqual([{ address: '127.0.0.1' }]);
    await connection.end();
  });
});
