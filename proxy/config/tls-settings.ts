/** The TLS parameters whose texts are JSON: their shapes are the reference's (`ssl_config.key_info`, `ssl_attributes`). */
import { isAbsolute, join } from 'node:path';
import type { SecureVersion } from 'node:tls';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { loadTls, type TlsFiles } from '../net/tls-material.ts';
import type { ConfigView } from './config-view.ts';

export interface TlsAttributes {
  /** Clients that do not ask for TLS are refused, as long as TLS is offered to clients (`"using_ssl": "ENABLE_FORCE"`). */
  readonly required: boolean;
  readonly minVersion: SecureVersion;
}

/** What Node and today's clients take as the lowest. */
const DEFAULT_MIN_VERSION = 'TLSv1.2';

const versions: Readonly<Record<string, SecureVersion>> = {
  NONE: 'TLSv1',
  TLSV1: 'TLSv1',
  'TLSV1.1': 'TLSv1.1',
  'TLSV1.2': 'TLSv1.2',
  'TLSV1.3': 'TLSv1.3',
};

/** @throws OdpError INVALID_PARAMETER */
export function tlsAttributes(config: ConfigView): TlsAttributes {
  const text = config.text('ssl_attributes');
  if (text === '') return { required: false, minVersion: DEFAULT_MIN_VERSION };
  const fields = readObject('ssl_attributes', text);
  const using = (fields.get('using_ssl') ?? 'DISABLE_FORCE').toUpperCase();
  if (using !== 'ENABLE_FORCE' && using !== 'DISABLE_FORCE') {
    throw invalid('ssl_attributes', text, `using_ssl is ENABLE_FORCE or DISABLE_FORCE, not '${using}'`);
  }
  const wanted = fields.get('min_tls_version');
  const minVersion = wanted === undefined ? DEFAULT_MIN_VERSION : versions[wanted.toUpperCase()];
  if (minVersion === undefined) {
    throw invalid('ssl_attributes', text, `min_tls_version is one of ${Object.keys(versions).join(', ')}`);
  }
  return { required: using === 'ENABLE_FORCE', minVersion };
}

/**
 * Where certificate and key are; null: nowhere, there is no TLS. @param home folder that relative paths begin at
 * @throws OdpError INVALID_PARAMETER
 */
export function tlsFiles(config: ConfigView, home: string): TlsFiles | null {
  const text = config.text('ssl_key_info');
  if (text === '') return null;
  const fields = readObject('ssl_key_info', text);
  const source = fields.get('sourcetype') ?? '';
  if (source.toUpperCase() !== 'FILE') {
    // The reference also takes the texts themselves (KEY, DBMESH): a private key would stand in the configuration then.
    throw invalid('ssl_key_info', text, `sourceType must be FILE, not '${source}': keys are kept in files only`);
  }
  const path = (name: string): string => {
    const value = fields.get(name.toLowerCase()) ?? '';
    if (value === '') throw invalid('ssl_key_info', text, `${name} is missing: a path is needed`);
    return isAbsolute(value) ? value : join(home, value);
  };
  return { ca: path('CA'), certificate: path('publicKey'), key: path('privateKey') };
}

/** Reads the files of a change that names others, or other versions. @throws OdpError TLS_FILE_UNUSABLE */
export async function checkTlsFiles(view: ConfigView, changed: readonly string[], home: string): Promise<void> {
  if (!changed.some((name) => name === 'ssl_key_info' || name === 'ssl_attributes')) return;
  const files = tlsFiles(view, home);
  if (files !== null) await loadTls(files, tlsAttributes(view).minVersion);
}

/** Fields of a JSON object, all of them texts, by name in lower case: the reference's names have no case either. */
function readObject(name: 'ssl_attributes' | 'ssl_key_info', text: string): Map<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(name, text, `is no JSON: ${errorText(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(name, text, 'is no JSON object');
  const fields = new Map<string, string>();
  for (const [field, content] of Object.entries(value)) {
    if (typeof content !== 'string') throw invalid(name, text, `${field} is no text`);
    fields.set(field.toLowerCase(), content);
  }
  return fields;
}

function invalid(name: string, text: string, detail: string): OdpError {
  // What was given may hold a private key: it goes into no log.
  const value = text.includes('PRIVATE KEY') ? '******' : text;
  return new OdpError('INVALID_PARAMETER', { name, value, detail });
}
