import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parameterTable } from './parameter-table.ts';

/** Acted on by other means than a ConfigView: see the reason. */
const readElsewhere: Readonly<Record<string, string>> = {
  app_name: 'named in the start options and shown; it has no further effect in the reference either',
  enable_proxy_scramble: 'always on',
  four_eyes_parameters: 'held to by the store of the configuration itself (config-store.ts)',
  inspector_password: 'chosen by who logs in (login-admission.ts)',
  proxy_local_cmd: 'carried out when it is set (coordinator/local-command.ts)',
  ssl_attributes: 'read by tls-settings.ts',
  ssl_key_info: 'read by tls-settings.ts',
  obproxy_sys_password: 'chosen by who logs in (login-admission.ts)',
};

describe('what the table says of a parameter', () => {
  const root = new URL('../../', import.meta.url).pathname;
  const sources = globSync('proxy/**/*.ts', { cwd: root })
    .filter((file) => !file.includes('.test.') && !file.includes('/generated/') && !file.startsWith('proxy/config/'))
    .map((file) => readFileSync(`${root}${file}`, 'utf8'));
  const reads = /\.(?:bool|int|timeMs|bytes|text|list)\(\s*'(\w+)'/g;
  const read = new Set(sources.flatMap((source) => Array.from(source.matchAll(reads), ([, name]) => name)));
  const isRead = (name: string): boolean => read.has(name);

  it('is true: honoured are those, and only those, that something reads', () => {
    const wrong = parameterTable
      .filter(({ name, honoured }) => honoured !== (isRead(name) || name in readElsewhere))
      .map(
        ({ name, honoured }) =>
          `${name} is ${honoured ? 'said to be honoured, but nothing reads it' : 'read, but said not to be honoured'}`,
      );
    expect(wrong).toEqual([]);
  });
});
