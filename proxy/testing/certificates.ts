/** An authority and the certificates it signs, for tests: nothing to install, and no private key in the tree. */
import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate with its key, both PEM. */
export interface TestCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Files of an authority and of a certificate signed by it. */
export interface CertificateFiles {
  readonly folder: string;
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  /** `ssl_key_info` that names them. */
  readonly keyInfo: string;
  /** Puts a new certificate and key of the same authority in their place. @returns the certificate, PEM */
  renew(commonName: string): Promise<string>;
  close(): Promise<void>;
}

const SIGNATURE = seq(oid('1.2.840.10045.4.3.2'));
const DAY_MS = 86_400_000;

/** A self-signed authority; with `issuer` a certificate of it for 127.0.0.1, localhost and `commonName`. */
export function makeCertificate(commonName: string, issuer?: TestCertificate): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = issuer === undefined ? privateKey : createPrivateKey(issuer.key);
  const name = (text: string): Buffer => seq(der(0x31, seq(oid('2.5.4.3'), der(0x0c, Buffer.from(text)))));
  const issuerName = issuer === undefined ? commonName : commonNameOf(issuer);
  const now = Date.now();
  const body = seq(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    SIGNATURE,
    name(issuerName),
    seq(utcTime(now - DAY_MS), utcTime(now + 365 * DAY_MS)),
    name(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, seq(issuer === undefined ? isAuthority() : alternativeNames(commonName))),
  );
  const signature = sign('sha256', body, signingKey);
  const certificate = pem('CERTIFICATE', seq(body, SIGNATURE, der(0x03, Buffer.concat([Buffer.alloc(1), signature]))));
  names.set(certificate, commonName);
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** Writes an authority and a certificate for `commonName` into a folder of their own. */
export async function certificateFiles(commonName = 'odp.test'): Promise<CertificateFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'odp-tls-'));
  const authority = makeCertificate('ODP test authority');
  const [ca, certificate, key] = [join(folder, 'ca.pem'), join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const renew = async (newName: string): Promise<string> => {
    const made = makeCertificate(newName, authority);
    await writeFile(certificate, made.certificate);
    await writeFile(key, made.key);
    return made.certificate;
  };
  await writeFile(ca, authority.certificate);
  await renew(commonName);
  const keyInfo = JSON.stringify({ sourceType: 'FILE', CA: ca, publicKey: certificate, privateKey: key });
  return { folder, ca, certificate, key, keyInfo, renew, close: () => rm(folder, { recursive: true, force: true }) };
}

const names = new Map<string, string>();
const commonNameOf = ({ certificate }: TestCertificate): string => names.get(certificate) ?? '';

function isAuthority(): Buffer {
  const constraints = seq(der(0x01, Buffer.from([0xff])));
  return seq(oid('2.5.29.19'), der(0x01, Buffer.from([0xff])), der(0x04, constraints));
}

function alternativeNames(commonName: string): Buffer {
  const dns = [commonName, 'localhost'].map((text) => der(0x82, Buffer.from(text)));
  return seq(oid('2.5.29.17'), der(0x04, seq(...dns, der(0x87, Buffer.from([127, 0, 0, 1])))));
}

/** One element: tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function seq(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return der(0x06, Buffer.from(bytes));
}

function utcTime(atMs: number): Buffer {
  const text = new Date(atMs).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${text}Z`));
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
