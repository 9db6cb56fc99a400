import { describe, expect, it } from 'vitest';
import { ConfigView } from './config-view.ts';
import { checkServiceable } from './serviceable.ts';
import { tlsAttributes, tlsFiles } from './tls-settings.ts';

const keyInfo = (fields: Record<string, unknown>) =>
  tlsFiles(new ConfigView({ ssl_key_info: JSON.stringify(fields) }), '/home');
const attributes = (text: string) => tlsAttributes(new ConfigView({ ssl_attributes: text }));

describe('TLS parameters', () => {
  it('without texts there is no TLS, and none is required', () => {
    expect(tlsFiles(new ConfigView({}), '/home')).toBeNull();
    expect(attributes('')).toEqual({ required: false, minVersion: 'TLSv1.2' });
  });

  it('reads names and words in any case, as the reference does', () => {
    expect(keyInfo({ SourceType: 'file', ca: 'certs/ca.pem', PublicKey: '/c.pem', privatekey: 'k.pem' })).toEqual({
      ca: '/home/certs/ca.pem',
      certificate: '/c.pem',
      key: '/home/k.pem',
    });
    expect(attributes('{"USING_SSL":"enable_force","min_tls_version":"tlsv1.3","other":"kept out"}')).toEqual({
      required: true,
      minVersion: 'TLSv1.3',
    });
    expect(attributes('{"using_ssl":"DISABLE_FORCE","min_tls_version":"NONE"}')).toEqual({
      required: false,
      minVersion: 'TLSv1',
    });
  });

  it.each([
    ['{"using_ssl":"MAYBE"}', /ENABLE_FORCE or DISABLE_FORCE, not 'MAYBE'/],
    ['{"min_tls_version":"SSLV3"}', /min_tls_version is one of NONE, TLSV1/],
    ['{"using_ssl":true}', /using_ssl is no text/],
    ['[]', /no JSON object/],
    ['{', /is no JSON/],
  ])('refuses ssl_attributes %s', (text, reason) => {
    expect(() => checkServiceable(new ConfigView({ ssl_attributes: text }))).toThrow(reason);
  });

  it('refuses key information without a path, and keys in the text itself, which it does not repeat', () => {
    expect(() => keyInfo({ sourceType: 'FILE', CA: 'a', publicKey: 'b' })).toThrow(/privateKey is missing/);
    const secret = { sourceType: 'KEY', CA: 'a', publicKey: 'b', privateKey: '-----BEGIN PRIVATE KEY-----abc' };
    expect(() => keyInfo(secret)).toThrow(/sourceType must be FILE, not 'KEY'/);
    expect(() => keyInfo(secret)).not.toThrow(/abc/);
  });
});
