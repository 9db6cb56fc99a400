import type { DemoEngine } from './engine/engine.ts';
import { DemoSession } from './engine/session.ts';
import { shopRows, shopTables } from './sample-shop.ts';

/** Fills a new cluster's tenant `trade` with a small shop; the same rows every time. */
export async function createSampleData(engine: DemoEngine): Promise<void> {
  const tenant = engine.tenant('trade');
  const [server] = engine.state.servers;
  if (!tenant || !server || tenant.hasDatabase('trade')) return;
  const session = new DemoSession(engine, {
    tenant,
    user: 'root',
    host: 'localhost',
    server,
    connectionId: engine.newConnectionId(),
    foundRows: false,
    tls: { version: '', cipher: '' },
    version: '',
  });
  const run = async (sql: string): Promise<void> => {
    for (const part of engine.split(sql)) await session.run(part);
  };
  try {
    await run('CREATE DATABASE trade');
    session.use('trade');
    for (const table of shopTables) await run(table);
    // Of the embedded demo alone: a genuine kernel makes duplicate tables only in a cluster of several servers.
    await run("CREATE TABLE currencies (code VARCHAR(3) PRIMARY KEY, name VARCHAR(32)) DUPLICATE_SCOPE = 'cluster'");
    await run("INSERT INTO currencies VALUES ('CNY', 'Renminbi'), ('EUR', 'Euro'), ('JPY', 'Yen'), ('USD', 'Dollar')");
    await run('BEGIN');
    for (const [table, rows] of shopRows()) await run(`INSERT INTO ${table} VALUES ${rows.join(', ')}`);
    await run('COMMIT');
  } finally {
    session.close();
  }
}
