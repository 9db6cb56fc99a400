import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorText } from '../../errors/odp-error.ts';
import { demoBackend, testDatabase } from '../backends.ts';
import { certificateFiles } from '../certificates.ts';
import { startProxy, type TestProxy } from '../proxy.ts';
import { installClients } from './install.ts';
import { runClient } from './run.ts';
import { type ClientEntry, type ClientId, clients } from './steps.ts';

const entries = Object.entries(clients) as [ClientId, ClientEntry][];
const INSTALL_LIMIT_MS = 15 * 60_000;

const backend = await demoBackend();
const files = await certificateFiles();
const { rsList, clusterName } = backend;
const tls = { enable_client_ssl: 'True', ssl_key_info: files.keyInfo };
const [off, on]: [TestProxy, TestProxy] = await Promise.all([
  startProxy({ rsList, clusterName }),
  startProxy({ rsList, clusterName, parameters: tls }),
]);
const trustStore = join(files.folder, 'ca.p12');
const file = join(files.folder, 'lines.csv');
let tableCount = 0;

beforeAll(async () => {
  // A client that cannot be had fails its own tests, which find no program; here stands why.
  const say = (line: string): void => console.log(line);
  await installClients(say).catch((error: unknown) => say(errorText(error)));
  const store = ['-keystore', trustStore, '-storetype', 'PKCS12', '-storepass', 'changeit'];
  await promisify(execFile)('keytool', ['-importcert', '-noprompt', '-alias', 'ca', '-file', files.ca, ...store]);
  await writeFile(file, Array.from({ length: 1000 }, (_, row) => `${1000 + row},line ${1000 + row}\n`).join(''));
}, INSTALL_LIMIT_MS);
afterAll(async () => {
  await Promise.all([off.close(), on.close()]);
  await backend.close();
  await files.close();
});

describe.each([
  ['TLS off', off, ''],
  ['TLS offered, and the client left to itself', on, ''],
  ['TLS demanded, and the certificate checked', on, files.ca],
])('real clients before the demo cluster: %s', (_how, proxy, ca) => {
  it.each(entries)('%s does its work', { timeout: 120_000 }, async (id, { version, steps }) => {
    const report = await runClient(id, {
      port: proxy.port,
      user: `${backend.user}#${clusterName}`,
      password: backend.password,
      database: testDatabase,
      table: `client_${++tableCount}`,
      tls: proxy === off ? 'off' : 'offered',
      ca,
      trustStore,
      file,
    });
    expect(report.steps).toEqual(Object.fromEntries(steps.map((step) => [step, 'ok'])));
    if (version !== null) expect(report.version).toBe(version);
  });
});
