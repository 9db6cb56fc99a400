import { rm, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigView } from '../config/config-view.ts';
import { checkTlsFiles } from '../config/tls-settings.ts';
import { type CertificateFiles, certificateFiles, makeCertificate } from '../testing/certificates.ts';
import { TlsKeeper } from './tls-keeper.ts';

describe('TLS of new connections', () => {
  let files: CertificateFiles;
  let config: ConfigView;
  let keeper: TlsKeeper;
  let log: string[];
  const set = async (name: string, text: string): Promise<void> => {
    config.apply(name, text);
    await keeper.update();
  };

  beforeEach(async () => {
    files = await certificateFiles();
    log = [];
    const note = (level: string) => (fields: unknown, text?: string) =>
      void log.push(`${level} ${text} ${JSON.stringify(fields)}`);
    config = new ConfigView({ enable_client_ssl: 'True' });
    keeper = new TlsKeeper(config, files.folder, { info: note('info'), warn: note('warn') } as never);
    await keeper.update();
  });
  afterEach(() => files.close());

  it('is off until a certificate is named, and each side has a switch of its own', async () => {
    expect([keeper.forClients, keeper.forServers]).toEqual([null, null]);
    await set('ssl_key_info', files.keyInfo);
    expect(keeper.forClients).not.toBeNull();
    expect(keeper.forServers).toBeNull();
    await set('enable_server_ssl', 'True');
    await set('enable_client_ssl', 'False');
    expect([keeper.forClients, keeper.forServers === null]).toEqual([null, false]);
    await set('ssl_key_info', '');
    expect(keeper.forServers).toBeNull();
  });

  it('a changed file counts for new connections, and a broken one leaves the good one in force', async () => {
    await set('ssl_key_info', files.keyInfo);
    const first = keeper.forClients;
    await keeper.update();
    expect(keeper.forClients).toBe(first);
    await files.renew('renewed.test');
    await keeper.update();
    const second = keeper.forClients;
    expect(second).not.toBe(first);
    await writeFile(files.certificate, 'no certificate any more');
    await keeper.update();
    await keeper.update();
    expect(keeper.forClients).toBe(second);
    expect(log.filter((line) => line.startsWith('warn'))).toHaveLength(1);
    expect(log.join('\n')).toContain(`${files.certificate} holds no certificate`);
    await files.renew('mended.test');
    await keeper.update();
    expect(keeper.forClients).not.toBe(second);
    expect(log.at(-1)).toContain('mended.test');
  });

  it('takes paths below the home folder', async () => {
    const here = (file: string): string => relative(files.folder, file);
    const names = { CA: here(files.ca), publicKey: here(files.certificate), privateKey: here(files.key) };
    await set('ssl_key_info', JSON.stringify({ sourceType: 'FILE', ...names }));
    expect(keeper.forClients).not.toBeNull();
  });

  it('requires TLS only while it is offered at all', async () => {
    await set('ssl_attributes', '{"using_ssl":"ENABLE_FORCE","min_tls_version":"TLSV1.3"}');
    expect(keeper.required).toBe(true);
    await set('enable_client_ssl', 'False');
    expect(keeper.required).toBe(false);
  });

  it('refuses a change to files that cannot be used, and names the file', async () => {
    const check = (fields: Record<string, string>): Promise<void> => {
      const text = JSON.stringify({ ...(JSON.parse(files.keyInfo) as object), ...fields });
      return checkTlsFiles(new ConfigView({ ssl_key_info: text }), ['ssl_key_info'], files.folder);
    };
    await expect(check({})).resolves.toBeUndefined();
    await expect(check({ CA: '/no/such/ca.pem' })).rejects.toThrow(
      /ssl_key_info: \/no\/such\/ca.pem cannot be read.*ENOENT/,
    );
    await expect(check({ CA: files.key })).rejects.toThrow(`${files.key} holds no certificate`);
    await expect(check({ publicKey: files.key })).rejects.toThrow(`${files.key} holds no certificate`);
    await expect(check({ privateKey: files.ca })).rejects.toThrow(`${files.ca} holds no private key`);
    await writeFile(files.key, makeCertificate('other').key);
    await expect(check({})).rejects.toThrow(`${files.key} is not the key of the certificate in ${files.certificate}`);
    await rm(files.certificate);
    await expect(check({})).rejects.toThrow(`${files.certificate} cannot be read`);
  });
});
