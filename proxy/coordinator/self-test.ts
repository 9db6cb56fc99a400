/** Whether a worker serves: asked on a port that nobody else knows, before it gets the real one. */
import { MetadataConnection, ServerError } from '../cluster/metadata-connection.ts';
import type { ConfigView } from '../config/config-view.ts';
import { errorTable } from '../errors/table.ts';

const HOST = '127.0.0.1';
const LIMIT_MS = 5_000;

/**
 * Logs in as `root@proxysys` and asks for the version. A worker that takes clients over TLS only has proved that it
 * answers when it says so.
 * @throws Error with what is wrong with the worker
 */
export async function selfTest(port: number, config: ConfigView, version: string): Promise<void> {
  const sha1 = config.text('obproxy_sys_password');
  const login = { user: 'root@proxysys', stage1: sha1 === '' ? null : Buffer.from(sha1, 'hex') };
  const connection = new MetadataConnection({ host: HOST, port, text: `${HOST}:${port}` }, login);
  try {
    await connection.logIn(LIMIT_MS);
    const rows = await connection.query('SELECT PROXY_VERSION() AS version', LIMIT_MS);
    const answer = rows[0]?.version;
    if (answer !== version) throw new Error(`a worker says that it is version ${answer ?? 'none'}, not ${version}`);
  } catch (error) {
    if (error instanceof ServerError && error.errno === errorTable.TLS_REQUIRED.errno) return;
    throw error;
  } finally {
    await connection.end();
  }
}
