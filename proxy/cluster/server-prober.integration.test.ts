import { createHash } from 'node:crypto';
import process from 'node:process';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startMariaDb } from '../testing/mariadb.ts';
import { describeWith } from '../testing/part.ts';
import { ServerProber } from './server-prober.ts';

const mariaDb = await startMariaDb();
afterAll(() => mariaDb.close());

const sha1 = (password: string) => createHash('sha1').update(password).digest('hex');

describeWith(mariaDb, 'probes of a real server', (part) => {
  const address = `127.0.0.1:${part.port}`;
  let root: Connection;
  let prober: ServerProber;
  let passwords = [sha1('right')];
  let timeoutMs = 5_000;
  const connections = async () => {
    const [rows] = await root.query("SELECT id FROM information_schema.processlist WHERE user = 'proxyro@sys'");
    return (rows as { id: number }[]).map(({ id }) => id);
  };

  beforeAll(async () => {
    root = await createConnection({ host: '127.0.0.1', port: part.port, user: 'root' });
    await root.query("CREATE USER 'proxyro@sys'@'%' IDENTIFIED BY 'right'");
    prober = new ServerProber({ passwords: () => passwords, timeoutMs: () => timeoutMs });
  });
  afterEach(() => {
    passwords = [sha1('right')];
    timeoutMs = 5_000;
  });
  afterAll(async () => {
    await prober.close();
    await root.end();
  });

  it('B5 are answered, through one connection, a new one when that has been killed', async () => {
    expect(await prober.probe(address)).toEqual({ ok: true, detail: '' });
    expect(await prober.probe(address)).toEqual({ ok: true, detail: '' });
    const [first, ...others] = await connections();
    expect(others).toEqual([]);
    await root.query(`KILL ${first}`);
    expect(await prober.probe(address)).toEqual({ ok: true, detail: '' });
    expect(await connections()).not.toContain(first);
  });

  it('B6 B7 find a frozen server, which still accepts, and see it come back', async () => {
    timeoutMs = 100;
    process.kill(part.pid, 'SIGSTOP');
    try {
      // The kept connection first, a new one after it.
      for (let count = 0; count < 3; count += 1) {
        expect(await prober.probe(address)).toEqual({ ok: false, detail: 'no result within 100 ms' });
      }
    } finally {
      process.kill(part.pid, 'SIGCONT');
    }
    timeoutMs = 5_000;
    expect(await prober.probe(address)).toEqual({ ok: true, detail: '' });
  });

  it('case B99: a wrong internal password is an answer', async () => {
    passwords = [sha1('wrong'), ''];
    prober.retainOnly([]);
    expect(await prober.probe(address)).toMatchObject({ ok: true, detail: expect.stringMatching(/Access denied/) });
    passwords = [sha1('wrong'), sha1('right')];
    expect(await prober.probe(address)).toEqual({ ok: true, detail: '' });
  });
});
