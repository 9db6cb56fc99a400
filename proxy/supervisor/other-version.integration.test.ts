/** The real product goes over to trees that differ from its own as another version does. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedTree, replaced } from '../testing/changed-tree.ts';
import { ownTree, Product } from '../testing/product.ts';
import { until } from '../testing/proxy.ts';
import type { TemporaryTree } from '../testing/temporary-tree.ts';

const ADMIN = 'root@proxysys';
const USER = 'root@trade#obdemo';

/** Another format of the state that sessions go over with. */
const otherState = {
  'proxy/session/handover/session-state.ts': replaced('STATE_VERSION = 1', 'STATE_VERSION = 1000'),
};
/** A table more in the database. */
const laterMigration = {
  'prisma/migrations/29990101000000_later/migration.sql': () => 'CREATE TABLE "Later" ("id" INTEGER PRIMARY KEY);\n',
};

describe('an upgrade to another version', () => {
  let product: Product;
  const trees: TemporaryTree[] = [];
  const tree = (...args: Parameters<typeof changedTree>): string => {
    const made = changedTree(...args);
    trees.push(made);
    return made.directory;
  };

  beforeAll(async () => {
    product = await Product.start({ hot_upgrade_failure_retries: '1', hot_upgrade_exit_timeout: '0' });
    await product.ready();
  }, 60_000);

  afterAll(async () => {
    await product.clean();
    for (const { remove } of trees) remove();
  });

  it('C17 C18: one that lacks a migration of this one is given up, and says why', async () => {
    const migrations = readdirSync(join(ownTree, 'prisma/migrations')).filter((name) => /^\d/.test(name));
    const last = `prisma/migrations/${migrations.sort().at(-1)}`;
    expect(await product.upgrade({ directory: tree('0.0.1', { [last]: null }) })).toBe(false);
    expect(await product.status()).toContain('it was made by a newer version');
    await product.query(ADMIN, 'PING PROXY');
  });

  it('C8 C17: sessions that it cannot read stay with the old one; new ones come to it', async () => {
    const [before] = product.generations();
    const staying = await product.connect(USER);
    await staying.query("SET @kept = 'still here'");
    await product.upgrade({ directory: tree('9.0.0', otherState), hold: true });
    const why = 'state version 1 is not known, only 1000';
    await until('it is said why', async () => (await product.status()).includes(why));
    const status = await product.status();
    expect(status).toMatch(/\(active\): version 9\.0\.0/);
    expect(status).toContain(`waits for session ${staying.threadId} of ${USER}`);
    expect((await staying.query('SELECT @kept AS kept'))[0]).toEqual([{ kept: 'still here' }]);
    const fresh = await product.connect(USER);
    await fresh.query("SET @kept = 'the new one'");
    expect(await product.decide('rollback')).toBe(true);
    // Where the old one cannot read what the new one has, the same holds the other way round.
    await expect(fresh.query('SELECT 1')).rejects.toThrow();
    expect((await staying.query('SELECT @kept AS kept'))[0]).toEqual([{ kept: 'still here' }]);
    expect(product.generations()).toEqual([before]);
    await staying.end();
  });

  it('C8 C17 C18: with a newer database it is gone over to, rolled back, and committed in the end', async () => {
    const directory = tree('9.1.0', laterMigration);
    const [open, prepared] = [await product.connect(USER), await product.connect(USER)];
    await open.query('BEGIN');
    await open.query('UPDATE trade.products SET stock = stock + 1 WHERE id = 1');
    const statement = await prepared.prepare('SELECT ? AS echo');
    let count = 0;
    /** Both are what they were; and what is changed is stored by whichever generation serves. */
    const check = async (): Promise<void> => {
      count += 1;
      await open.query('UPDATE trade.products SET stock = stock + 1 WHERE id = 1');
      expect((await statement.execute([count]))[0]).toEqual([{ echo: count }]);
      await product.query(ADMIN, `ALTER PROXYCONFIG SET proxy_idc_name = 'idc${count}'`);
      const rows = await product.query(ADMIN, "SHOW PROXYCONFIG LIKE 'proxy_idc_name'");
      expect(rows).toMatchObject([{ value: `idc${count}` }]);
    };
    const version = async (): Promise<string | undefined> =>
      /\(active\): version (\S+?),/.exec(await product.status())?.[1];
    const moved = (): Promise<void> =>
      until('all have gone over', async () => /standby.* 0 client sessions/.test(await product.status()));

    await product.upgrade({ directory, hold: true });
    await moved();
    expect(await version()).toBe('9.1.0');
    await check();
    expect(await product.decide('rollback')).toBe(true);
    expect(await version()).not.toBe('9.1.0');
    await check();
    expect(await product.upgrade({ directory })).toBe(true);
    expect(await version()).toBe('9.1.0');
    await check();
    const listed = (await product.query(ADMIN, 'SHOW PROCESSLIST')) as { Id: number }[];
    expect(listed.map(({ Id }) => Id)).toEqual(expect.arrayContaining([open.threadId, prepared.threadId]));
    await open.query('ROLLBACK');
    // What is started again after a crash is what was committed last: this tree would refuse the database.
    for (const pid of product.generations()) process.kill(pid, 'SIGKILL');
    await until('it serves again', async () => (await version()) === '9.1.0');
    const rows = await product.query(ADMIN, "SHOW PROXYCONFIG LIKE 'proxy_idc_name'");
    expect(rows).toMatchObject([{ value: `idc${count}` }]);
    await Promise.all([open, prepared].map((client) => client.destroy()));
  });
});
