import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Signs what the history was at a moment, and checks such signatures. */
export interface AuditKey {
  /** SHA-256 of the public key, the first 16 hex digits: to compare by eye. */
  readonly fingerprint: string;
  /** @returns Ed25519 signature, base64 */
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/** The key's file in the proxy's home. */
export const auditKeyFile = 'audit.key';

/** The key in a home; null: there is none. @throws Error when the file holds no Ed25519 key */
export function readAuditKey(home: string): AuditKey | null {
  const file = join(home, auditKeyFile);
  return existsSync(file) ? keyOf(createPrivateKey(readFileSync(file))) : null;
}

/** The key in a home, made when there is none; readable by the proxy's own account only. */
export function ensureAuditKey(home: string): AuditKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const file = join(home, auditKeyFile);
  const draft = `${file}.${process.pid}`;
  try {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    // Whole on the disk before it has its name: half a key after a power failure would be none for ever.
    rmSync(draft, { force: true });
    const descriptor = openSync(draft, 'wx', 0o600);
    writeFileSync(descriptor, pem);
    fsyncSync(descriptor);
    closeSync(descriptor);
    linkSync(draft, file);
    return keyOf(privateKey);
  } catch (error) {
    // It is there already, or another process has made it a moment ago.
    const known = (error as NodeJS.ErrnoException).code === 'EEXIST' ? readAuditKey(home) : null;
    if (known === null) throw error;
    return known;
  } finally {
    rmSync(draft, { force: true });
  }
}

function keyOf(privateKey: KeyObject): AuditKey {
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error(`${auditKeyFile} holds no Ed25519 key`);
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return {
    fingerprint: createHash('sha256').update(der).digest('hex').slice(0, 16),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
    verify: (text, signature) => verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64')),
  };
}
