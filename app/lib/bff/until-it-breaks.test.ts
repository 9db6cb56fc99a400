import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { untilItBreaks } from './until-it-breaks.ts';

describe('a stream of events', () => {
  it('ends with what came when its source breaks off', async () => {
    const source = new PassThrough();
    const got = text(untilItBreaks(source));
    source.write('data: 1\n\n');
    setImmediate(() => source.destroy(new Error('aborted')));
    expect(await got).toBe('data: 1\n\n');
  });

  it('ends its source when the reader has gone', async () => {
    const source = new PassThrough();
    untilItBreaks(source).destroy();
    await once(source, 'close');
    expect(source.destroyed).toBe(true);
  });
});
