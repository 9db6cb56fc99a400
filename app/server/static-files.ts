/**
 * Scripts and styles of the build, compressed. Next's own compression would hold back server-sent events until its window
 * is full, so that it is off; these files are whole and never change, so that each is compressed once.
 */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

const encoders = {
  // From level 10 on it is 6 % less for four times the work, while somebody waits for the first page.
  br: (file: Buffer) => promisify(brotliCompress)(file, { params: { [zlib.BROTLI_PARAM_QUALITY]: 7 } }),
  gzip: (file: Buffer) => promisify(gzip)(file),
} as const;
type Encoding = keyof typeof encoders;

const types: Readonly<Record<string, string>> = {
  js: 'application/javascript; charset=UTF-8',
  css: 'text/css; charset=UTF-8',
};

/** The names that Next gives them: no `..`, nothing encoded. */
const staticPath = /^\/_next\/static\/((?:[\w~-][\w~.-]*\/)*[\w~-][\w~.-]*\.(js|css))(?:\?|$)/;

/** @param directory `.next/static` @returns whether it has answered; if not, the request is somebody else's */
export function staticFiles(
  directory: string,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const known = new Map<string, Promise<Buffer>>();

  const compressed = (path: string, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding} ${path}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = readFile(join(directory, path)).then(encoders[encoding]);
    known.set(key, made);
    // One that does not exist is not remembered: nobody may fill the memory with names.
    made.catch(() => known.delete(key));
    return made;
  };

  return async (request, response) => {
    const [, path, kind = ''] = staticPath.exec(request.url ?? '') ?? [];
    const encoding = encodingOf(request.headers['accept-encoding']);
    if (path === undefined || encoding === null || (request.method !== 'GET' && request.method !== 'HEAD'))
      return false;
    let body: Buffer;
    try {
      body = await compressed(path, encoding);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    response.writeHead(200, {
      'Content-Type': types[kind],
      'Content-Encoding': encoding,
      'Content-Length': body.length,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    return true;
  };
}

/** The better one of those that the browser takes; null: neither. */
export function encodingOf(accepted: string | string[] | undefined): Encoding | null {
  const refused = /;\s*q=0(\.0*)?$/;
  const names = String(accepted ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => !refused.test(one))
    .map((one) => one.replace(/;.*/, '').trim().toLowerCase());
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : null;
}
