/** Certificates and keys as TLS contexts: read, checked against one another, or refused with the file's name. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, type SecureContext, type SecureVersion } from 'node:tls';
import { errorText, OdpError } from '../errors/odp-error.ts';

/** Paths of PEM files. */
export interface TlsFiles {
  /** Authorities that may have signed a server's certificate. */
  readonly ca: string;
  /** The proxy's certificate, with the chain behind it: shown to clients, and to servers that ask for one. */
  readonly certificate: string;
  readonly key: string;
}

/** A context for new connections in either direction. */
export interface TlsMaterial {
  readonly context: SecureContext;
  /** Subject of the certificate in one line, and until when it is valid: for the log. */
  readonly subject: string;
  readonly validTo: string;
}

/**
 * Reads the files. @param minVersion lowest version of TLS
 * @throws OdpError TLS_FILE_UNUSABLE with the file at fault
 */
export async function loadTls(files: TlsFiles, minVersion: SecureVersion): Promise<TlsMaterial> {
  const ca = await read(files.ca);
  const cert = await read(files.certificate);
  const key = await read(files.key);
  parsing(files.ca, 'holds no certificate', () => new X509Certificate(ca));
  const parsed = parsing(files.certificate, 'holds no certificate', () => new X509Certificate(cert));
  const privateKey = parsing(files.key, 'holds no private key without a password', () => createPrivateKey(key));
  if (!parsed.checkPrivateKey(privateKey)) {
    throw unusable(files.key, `is not the key of the certificate in ${files.certificate}`);
  }
  const context = parsing(files.certificate, 'cannot be used', () =>
    createSecureContext({ ca, cert, key, minVersion }),
  );
  return { context, subject: parsed.subject.replaceAll('\n', ', '), validTo: parsed.validTo };
}

/** Changes whenever one of the files does; a missing one counts as well. */
export async function fileStamp(files: TlsFiles): Promise<string> {
  const stampOf = (file: string): Promise<string> =>
    stat(file).then(
      ({ ino, mtimeMs, size }) => `${ino}.${mtimeMs}.${size}`,
      (error: unknown) => errorText(error),
    );
  return (await Promise.all([files.ca, files.certificate, files.key].map(stampOf))).join(' ');
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw unusable(file, `cannot be read (${errorText(error)})`);
  }
}

function parsing<T>(file: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw unusable(file, `${what} (${errorText(error)})`);
  }
}

const unusable = (file: string, detail: string): OdpError => new OdpError('TLS_FILE_UNUSABLE', { file, detail });
