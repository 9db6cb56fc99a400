/** One GET whose time and size are bounded, whatever the other side does. */
import { errorText, OdpError } from '../../errors/odp-error.ts';

/** A document of 10,000 clusters has some 2 MB. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * @param timeoutMs for everything, the body included
 * @throws OdpError CONFIG_SERVER_FAILED
 */
export async function fetchText(url: string, timeoutMs: number, signal: AbortSignal): Promise<string> {
  const timeout = AbortSignal.timeout(Math.max(1, timeoutMs));
  try {
    const response = await fetch(url, { signal: AbortSignal.any([timeout, signal]) });
    if (!response.ok) {
      await response.body?.cancel();
      throw new OdpError('CONFIG_SERVER_FAILED', { url, detail: `HTTP status ${response.status}` });
    }
    return await readBody(response, url);
  } catch (error) {
    if (error instanceof OdpError) throw error;
    const detail = timeout.aborted ? `no complete answer within ${timeoutMs} ms` : reasonOf(error);
    throw new OdpError('CONFIG_SERVER_FAILED', { url, detail }, { cause: error });
  }
}

async function readBody(response: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      throw new OdpError('CONFIG_SERVER_FAILED', { url, detail: `the answer has more than ${MAX_BYTES} bytes` });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `fetch failed` by itself tells nobody anything. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? errorText(error.cause) : errorText(error);
}
