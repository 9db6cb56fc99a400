import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PAYLOAD } from '../wire/constants.ts';
import { framePackets } from '../wire/writer.ts';
import { RequestFrames } from './request-frames.ts';

function followInPieces(
  bytes: Buffer,
  untilEmpty: boolean,
  cuts: readonly number[],
): { end: number; frames: RequestFrames } {
  const frames = new RequestFrames();
  frames.begin(untilEmpty);
  let at = 0;
  for (const cut of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    if (cut > at) at = frames.follow(bytes, at, cut);
    if (frames.done) break;
  }
  return { end: at, frames };
}

describe('request frames', () => {
  it('case B06 find the end of a request wherever the chunks are cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(), { maxLength: 8 }), (payload, cuts) => {
        const request = framePackets(payload, 0);
        const { end, frames } = followInPieces(Buffer.concat([request, Buffer.from('next')]), false, cuts);
        expect([end, frames.done, frames.packetCount]).toEqual([request.length, true, 1]);
      }),
    );
  });

  it.each([MAX_PAYLOAD - 1, MAX_PAYLOAD, MAX_PAYLOAD + 1])('case B01 a request of %i bytes', (length) => {
    const request = framePackets(Buffer.alloc(length), 0);
    const { end, frames } = followInPieces(request, false, [5, length - 3, length + 3]);
    expect([end, frames.packetCount]).toEqual([request.length, length < MAX_PAYLOAD ? 1 : 2]);
  });

  it('case B59 a file ends with an empty packet, but not with the one that ends a full packet', () => {
    const full = framePackets(Buffer.alloc(MAX_PAYLOAD), 2);
    const file = Buffer.concat([full, framePackets(Buffer.from('tail'), 4), framePackets(Buffer.alloc(0), 5)]);
    const { end, frames } = followInPieces(file, true, [3, full.length + 2, full.length + 9]);
    expect([end, frames.done, frames.lastSequence]).toEqual([file.length, true, 5]);
  });
});
