import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PAYLOAD } from './constants.ts';
import { PacketSplitter, type SplitPacket } from './stream.ts';
import { framePackets } from './writer.ts';

describe('PacketSplitter', () => {
  it('case B06: finds the same packets however the bytes are cut', () => {
    const payloads = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 });
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(payloads, sizes, fc.uint8Array({ maxLength: 3 }), (sent, pieceSizes, rest) => {
        const stream = Buffer.concat([...sent.map((payload, index) => framePackets(payload, index)), rest]);
        const splitter = new PacketSplitter();
        const found: SplitPacket[] = [];
        const reused = Buffer.alloc(64);
        for (let at = 0, piece = 0; at < stream.length; piece++) {
          const size = pieceSizes[piece % pieceSizes.length] ?? 1;
          const length = stream.copy(reused, 0, at, at + size);
          found.push(...splitter.push(reused.subarray(0, length)));
          at += length;
        }
        expect(found.map(({ payload, sequence }) => [payload.toString('hex'), sequence])).toEqual(
          sent.map((payload, index) => [Buffer.from(payload).toString('hex'), index]),
        );
        expect(splitter.pendingBytes).toBe(rest.length);
        expect(splitter.takePending()).toEqual(Buffer.from(rest));
        expect(splitter.pendingBytes).toBe(0);
      }),
    );
  });

  it('case B01: joins packets of 16 MiB − 1, with the last one’s sequence id', () => {
    for (const length of [MAX_PAYLOAD, MAX_PAYLOAD + 5]) {
      const payload = Buffer.alloc(length, 0x61);
      const stream = framePackets(payload, 0);
      const splitter = new PacketSplitter();
      const found: SplitPacket[] = [];
      for (let at = 0; at < stream.length; at += 65_536) found.push(...splitter.push(stream.subarray(at, at + 65_536)));
      expect(found.length).toBe(1);
      expect(found[0]?.sequence).toBe(1);
      expect(found[0]?.payload.equals(payload)).toBe(true);
    }
  });

  it('refuses a packet over its limit as soon as its header is there', () => {
    const splitter = new PacketSplitter(100);
    expect(splitter.push(Buffer.of(100, 0, 0))).toEqual([]);
    expect(splitter.push(Buffer.concat([Buffer.of(0), Buffer.alloc(100)])).length).toBe(1);
    expect(() => splitter.push(Buffer.of(101, 0, 0, 0))).toThrow(RangeError);
  });
});
