import type { IncomingMessage } from 'node:http';
import { OdpError } from '../errors/odp-error.ts';

/** Room for 50 changes of 4096 characters of up to 4 bytes, and then some. */
const maxBodyBytes = 1 << 20;

/**
 * Reads a request's JSON; an empty body is undefined.
 * @throws OdpError BAD_REQUEST for another content type, too much, or no JSON.
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > maxBodyBytes)
      throw new OdpError('BAD_REQUEST', { detail: `the body has more than ${maxBodyBytes} bytes` });
    chunks.push(bytes);
  }
  if (size === 0) return undefined;
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new OdpError('BAD_REQUEST', { detail: 'the body must be application/json' });
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new OdpError('BAD_REQUEST', { detail: 'the body is no JSON' }, { cause: error });
  }
}
