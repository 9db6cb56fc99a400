/** The real product goes over to a new generation, and back, under clients; and parts of it are killed meanwhile. */
import type { Connection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../demo/kernel/free-port.ts';
import { openHistory } from '../history/history-store.ts';
import { type CertificateFiles, certificateFiles } from '../testing/certificates.ts';
import { Product } from '../testing/product.ts';
import { until } from '../testing/proxy.ts';
import { spoiltTree } from '../testing/spoilt-tree.ts';
import type { TemporaryTree } from '../testing/temporary-tree.ts';

const ADMIN = 'root@proxysys';

describe('an upgrade of the product', () => {
  let product: Product;
  let certificate: CertificateFiles;
  const trees: TemporaryTree[] = [];
  const treeThat = (body: string): string => {
    const tree = spoiltTree(body);
    trees.push(tree);
    return tree.directory;
  };

  beforeAll(async () => {
    certificate = await certificateFiles();
    product = await Product.start({ hot_upgrade_failure_retries: '2' });
    await product.ready();
  }, 60_000);

  afterEach(async () => {
    expect(await product.status()).not.toMatch(/: (prepare|switch|move|watch|commit|rollback)$/m);
    expect(product.generations().length).toBe(1);
  });

  afterAll(async () => {
    await product.clean();
    await certificate.close();
    for (const tree of trees) tree.remove();
  });

  it('C17: no connect is refused and no log-in fails while the generations change', async () => {
    const [before] = product.generations();
    const upgraded = product.upgrade();
    let isOver = false;
    void upgraded.finally(() => {
      isOver = true;
    });
    let logins = 0;
    while (!isOver) {
      await product.query(ADMIN, 'PING PROXY');
      logins += 1;
    }
    expect(await upgraded).toBe(true);
    expect(logins).toBeGreaterThan(10);
    expect(product.generations()).not.toContain(before);
    expect(product.said).toMatch(/committed: generation \d+ has ended/);
  });

  it('C17: rolled back by order, the old generation serves as before', async () => {
    const [before] = product.generations();
    expect(await product.upgrade({ hold: true })).toBe(true);
    expect(product.generations().length).toBe(2);
    await expect(product.upgrade()).rejects.toThrow(/upgrade \d+, which tester began at .* is in phase watch/);
    expect(await product.decide('rollback')).toBe(true);
    expect(product.generations()).toEqual([before]);
    await product.query(ADMIN, 'PING PROXY');
  });

  it('C8 C17: sessions go over with their state, a transaction among them, and come back with a rollback', async () => {
    const user = 'root@trade#obdemo';
    const [idle, prepared, busy] = await Promise.all([
      product.connect(user),
      product.connect(user),
      product.connect(user),
    ]);
    await idle.query("SET @kept = 'still here'");
    await idle.query('USE trade');
    const statement = await prepared.prepare('SELECT ? AS echo');
    await busy.query('BEGIN');
    await busy.query('UPDATE trade.products SET stock = stock + 1 WHERE id = 1');
    const check = async (): Promise<void> => {
      expect((await idle.query('SELECT @kept AS kept, DATABASE() AS db'))[0]).toEqual([
        { kept: 'still here', db: 'trade' },
      ]);
      expect((await statement.execute(['one']))[0]).toEqual([{ echo: 'one' }]);
      await busy.query('UPDATE trade.products SET stock = stock + 1 WHERE id = 1');
    };
    await product.upgrade({ hold: true });
    await until('all have gone over', async () => /standby.* 0 client sessions/.test(await product.status()));
    await check();
    expect(await product.decide('rollback')).toBe(true);
    await check();
    expect(await product.upgrade()).toBe(true);
    await check();
    const listed = (await product.query(ADMIN, 'SHOW PROCESSLIST')) as { Id: number }[];
    const ids = listed.map((row) => row.Id);
    expect(ids).toEqual(expect.arrayContaining([idle.threadId, prepared.threadId, busy.threadId]));
    await busy.query('ROLLBACK');
    await Promise.all([idle.end(), prepared.end(), busy.end()]);
  });

  it('case B93: both generations follow the other’s changes, also when it goes back', async () => {
    const value = async (): Promise<unknown> => {
      const rows = await product.query(ADMIN, "SHOW PROXYCONFIG LIKE 'proxy_idc_name'");
      return (rows as { value: string }[])[0]?.value;
    };
    await product.query(ADMIN, "ALTER PROXYCONFIG SET proxy_idc_name = 'before'");
    await product.upgrade({ hold: true });
    expect(await value()).toBe('before');
    await product.query(ADMIN, "ALTER PROXYCONFIG SET proxy_idc_name = 'meanwhile'");
    await product.decide('rollback');
    expect(await value()).toBe('meanwhile');
    const history = await openHistory(product.home, { log: { warn: () => undefined } });
    const { rows } = await history.log.page({ parameter: 'proxy_idc_name' }, 5);
    const steps = await history.log.page({ action: 'upgrade.step', text: 'rolled back' }, 1);
    await history.close();
    expect(rows.map(({ newValue }) => newValue)).toEqual(['meanwhile', 'before']);
    expect(steps.rows[0]).toMatchObject({ actor: 'odp', source: 'system' });
  });

  it('C17 B14: a listed server stays listed in the new generation, and in the old one after a rollback', async () => {
    const set = (name: string, value: string) => product.query(ADMIN, `ALTER PROXYCONFIG SET ${name} = ${value}`);
    const listed = async () => {
      const rows = (await product.query(ADMIN, 'SHOW PROXYCONGESTION')) as Record<string, unknown>[];
      return rows.map(({ zone_name, detect_congested, last_detect_congested }) => ({
        zone: zone_name,
        isListed: detect_congested,
        at: last_detect_congested,
      }));
    };
    const records = async () => {
      const rows = (await product.query(ADMIN, 'SHOW PROXYCONGESTION HISTORY')) as Record<string, unknown>[];
      return rows.map(({ list, change }) => `${list} ${change}`);
    };
    await set('server_detect_mode', '2');
    await set('server_detect_refresh_interval', '100ms');
    await product.fault({ fault: 'stop', server: 'zone5' });
    await until('it is listed', async () => (await listed()).length === 1);
    // From here on no generation could find it out by itself.
    await set('server_detect_refresh_interval', '1h');
    const before = await listed();
    expect(before).toMatchObject([{ zone: 'zone5', isListed: 1 }]);
    await product.upgrade({ hold: true });
    expect(await listed()).toEqual(before);
    await product.decide('rollback');
    expect(await listed()).toEqual(before);
    expect(await product.upgrade()).toBe(true);
    expect(await listed()).toEqual(before);
    expect(await records()).toEqual(['detection listed']);
    await product.fault({ fault: 'start', server: 'zone5' });
    await set('server_detect_refresh_interval', '100ms');
    await until('it is on no list', async () => (await listed()).length === 0);
    await until('it is recorded', async () => (await records()).length === 2);
    expect(await records()).toEqual(['detection released', 'detection listed']);
  });

  it('C8 C19: a session that cannot go over stays, is listed and killed there, and is closed in the end', async () => {
    await product.query(ADMIN, `ALTER PROXYCONFIG SET ssl_key_info = '${certificate.keyInfo}'`);
    await product.query(ADMIN, 'ALTER PROXYCONFIG SET enable_client_ssl = True');
    await product.query(ADMIN, 'ALTER PROXYCONFIG SET hot_upgrade_exit_timeout = 0');
    const tls = { ssl: { rejectUnauthorized: false } };
    const [killed, closed] = [
      await product.connect('root@trade#obdemo', tls),
      await product.connect('root@trade#obdemo', tls),
    ];
    await product.upgrade({ hold: true });
    const ids = async (): Promise<number[]> =>
      ((await product.query(ADMIN, 'SHOW PROCESSLIST')) as { Id: number }[]).map((row) => row.Id);
    expect(await ids()).toEqual(expect.arrayContaining([killed.threadId, closed.threadId]));
    expect(await product.status()).toContain(
      `waits for session ${killed.threadId} of root@trade#obdemo: its client is connected over TLS`,
    );
    await product.query(ADMIN, `KILL ${killed.threadId}`);
    await expect(killed.query('SELECT 1')).rejects.toThrow();
    expect(await ids()).not.toContain(killed.threadId);
    expect((await closed.query('SELECT 1 AS one'))[0]).toEqual([{ one: 1 }]);
    expect(await product.decide('commit')).toBe(true);
    await expect(closed.query('SELECT 1')).rejects.toThrow();
    expect(await product.status()).toContain('sessions that could not go over in time are closed');
  });

  it('a restart puts parameters in force that wait for it: the number of workers, and the port', async () => {
    await product.query(ADMIN, 'ALTER PROXYCONFIG SET automatic_match_work_thread = false');
    await product.query(ADMIN, 'ALTER PROXYCONFIG SET work_thread_num = 3');
    await product.query(ADMIN, 'ALTER PROXYCONFIG SET proxy_local_cmd = 2');
    await until('it is watched', async () => (await product.status()).includes('watched for'), 50_000);
    expect(await product.decide('commit')).toBe(true);
    expect(await product.status()).toContain('3 workers');
    const port = await findFreePort();
    await product.query(ADMIN, `ALTER PROXYCONFIG SET listen_port = ${port}`);
    expect(await product.upgrade({ kind: 'restart', directory: null })).toBe(true);
    await expect(product.query(ADMIN, 'PING PROXY')).rejects.toThrow('ECONNREFUSED');
    product.port = port;
    await product.query(ADMIN, 'PING PROXY');
  });

  it('case B92 a: a generation that ends before it is ready is given up after hot_upgrade_failure_retries attempts', async () => {
    const directory = treeThat('process.exit(1);');
    expect(await product.upgrade({ directory })).toBe(false);
    expect(await product.status()).toContain(
      'no new generation after 2 attempts: the new generation ended before it was ready, with code 1',
    );
    await product.query(ADMIN, 'PING PROXY');
  });

  it('case B92 b: a generation that dies after it took clients gives its place back', async () => {
    const [before] = product.generations();
    await product.upgrade({ hold: true });
    const fresh = product.generations().find((pid) => pid !== before) ?? 0;
    const clients = await Promise.all([1, 2, 3].map(() => product.connect(ADMIN)));
    process.kill(fresh, 'SIGKILL');
    await until('it is over', async () => (await product.status()).includes('takes its place'));
    for (const client of clients) await expect(client.query('PING PROXY')).rejects.toThrow(/closed|lost/i);
    expect(product.generations()).toEqual([before]);
    await product.query(ADMIN, 'PING PROXY');
  });

  describe('killed while sessions move', () => {
    const user = 'root@trade#obdemo';
    /** Sessions that can go over at once, each with a value that tells it from the others. */
    const marked = async (count: number) => {
      const sessions = Array.from({ length: count }, async (_, index) => {
        const session = await product.connect(user);
        await session.query(`SET @mark = ${index}`);
        return session;
      });
      return await Promise.all(sessions);
    };
    /** Indexes of the sessions that are still there; each must be what it was. */
    const left = async (sessions: readonly Connection[]): Promise<number[]> => {
      const alive: number[] = [];
      for (const [index, session] of sessions.entries()) {
        // Its connection has ended with the process that had it.
        const answer = await session.query('SELECT @mark AS mark').catch(() => null);
        session.destroy();
        if (answer === null) continue;
        expect(answer[0]).toEqual([{ mark: index }]);
        alive.push(index);
      }
      return alive;
    };
    /** Begins to move, with one that has to stay. Resolves when so many of the others have arrived that not all can be under way. */
    const moving = async () => {
      await product.query(ADMIN, `ALTER PROXYCONFIG SET ssl_key_info = '${certificate.keyInfo}'`);
      await product.query(ADMIN, 'ALTER PROXYCONFIG SET enable_client_ssl = True');
      const staying = await product.connect(user, { ssl: { rejectUnauthorized: false } });
      const sessions = await marked(30);
      const [old = 0] = product.generations();
      const over = product.upgrade({ hold: true });
      await until('some have arrived', async () => /\(active\).* \d\d client sessions/.test(await switched()));
      const fresh = product.generations().find((pid) => pid !== old) ?? 0;
      return { sessions, staying, old, fresh, over };
    };
    /** What `status` says once the old generation stands by; nothing before. */
    const switched = async (): Promise<string> => {
      const status = await product.status();
      return status.includes('(standby)') ? status : '';
    };

    it('case B92 C18: the old generation: what has arrived goes on, and the run is over', async () => {
      const { sessions, staying, old, fresh, over } = await moving();
      process.kill(old, 'SIGKILL');
      expect(await over).toBe(true);
      await until('it is over', async () =>
        (await product.status()).includes('committed: the old generation ended with SIGKILL'),
      );
      await expect(staying.query('SELECT 1')).rejects.toThrow();
      expect((await left(sessions)).length).toBeGreaterThan(0);
      expect(product.generations()).toEqual([fresh]);
      await product.query(ADMIN, 'PING PROXY');
    });

    it('case B92 C18: the new generation: what has not gone goes on, the old one takes its place', async () => {
      const { sessions, staying, old, fresh, over } = await moving();
      process.kill(fresh, 'SIGKILL');
      await over;
      await until('it is over', async () =>
        (await product.status()).includes('rolled back: the new generation ended with SIGKILL'),
      );
      expect((await staying.query('SELECT 1 AS one'))[0]).toEqual([{ one: 1 }]);
      expect((await left(sessions)).length).toBeLessThan(sessions.length);
      expect(product.generations()).toEqual([old]);
      await product.query(ADMIN, 'PING PROXY');
      await staying.end();
      expect(await product.upgrade()).toBe(true);
    });
  });

  it('case B92 c: a generation that hangs is rolled back after hot_upgrade_rollback_timeout', async () => {
    await product.query(ADMIN, 'ALTER PROXYCONFIG SET hot_upgrade_rollback_timeout = 1s');
    const directory = treeThat('setInterval(() => undefined, 1000);');
    // The new value reaches the supervisor with the next report.
    expect(await product.upgrade({ directory })).toBe(false);
    expect(await product.status()).toContain('rolled back: generation');
    await product.query(ADMIN, 'ALTER PROXYCONFIG SET hot_upgrade_rollback_timeout = 24h');
    await until('it is known', async () => (await product.status()) !== '');
  });

  it('case B92: a tree with another checksum, or that is none, is not tried', async () => {
    expect(await product.upgrade({ md5: '0'.repeat(32) })).toBe(false);
    expect(await product.status()).toMatch(/given up: .*: its MD5 is [0-9a-f]{32}, not 0{32}/);
    expect(await product.upgrade({ directory: '/nowhere' })).toBe(false);
    expect(await product.status()).toContain('given up: /nowhere: it is no tree of the proxy');
  });

  it('C18: with the old generation killed the new one stays; with both killed a third one comes', async () => {
    await product.upgrade({ hold: true });
    const [old = 0, fresh = 0] = product.generations();
    process.kill(old, 'SIGKILL');
    await until('it is over', async () => (await product.status()).includes('the old generation ended with SIGKILL'));
    expect(product.generations()).toEqual([fresh]);
    await product.query(ADMIN, 'PING PROXY');
    await product.upgrade({ hold: true });
    for (const pid of product.generations()) process.kill(pid, 'SIGKILL');
    // The port stays bound: who connects meanwhile waits for the next generation.
    await product.query(ADMIN, 'PING PROXY');
    await until('one is left', () => product.generations().length === 1);
  });
});
