import { PassThrough, type Readable } from 'node:stream';

/**
 * The same bytes; where the source breaks off, this ends. For event streams: pages open a new one after either, and a
 * proxy that restarts is no fault of the console to be logged.
 */
export function untilItBreaks(source: Readable): Readable {
  const copy = new PassThrough();
  source.once('error', () => copy.end());
  // The browser has gone.
  copy.once('close', () => source.destroy());
  return source.pipe(copy);
}
