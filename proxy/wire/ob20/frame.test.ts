import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OdpError } from '../../errors/odp-error.ts';
import { crc16, crc32c } from './checksums.ts';
import { EXTRA_INFO, encodeExtraInfo } from './extra-info.ts';
import { FRAME_FLAG, MAX_FRAME_PAYLOAD } from './frame-header.ts';
import { FrameReader } from './frame-reader.ts';
import { FrameWriter } from './frame-writer.ts';
import {
  beginRequest,
  commitReply,
  compressedConnectionId,
  compressedReply,
  firstReply,
  kernelConnectionId,
  selectReply,
  setReply,
} from './testing/kernel-frames.ts';
import { deflatePackets, Inflater } from './zlib-packets.ts';

const CONNECTION = 77;

/** Feeds a stream in chunks that end at `cuts`. @returns all packets */
function feedAll(reader: FrameReader, stream: Buffer, cuts: readonly number[] = []): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const cut of [...cuts].sort((a, b) => a - b).concat(stream.length)) {
    if (cut <= at || cut > stream.length) continue;
    const chunk = Buffer.from(stream.subarray(at, cut));
    parts.push(Buffer.from(reader.feed(chunk, chunk.length)));
    at = cut;
  }
  return Buffer.concat(parts);
}

function readerOf(requestId: number, sequence: number, connectionId = CONNECTION): FrameReader {
  const reader = new FrameReader(connectionId);
  reader.expect(requestId, sequence);
  return reader;
}

const written = (writer: FrameWriter, ...how: Parameters<FrameWriter['frames']>): Buffer =>
  Buffer.concat(writer.frames(...how));

describe('checksums of protocol 2.0', () => {
  it('are those of the published test vector, before any inversion', () => {
    const digits = Buffer.from('123456789');
    expect(crc16(digits, 0, digits.length)).toBe(0xbb3d);
    // CRC-32C with its usual start value and inversion gives 0xe3069283.
    expect(~crc32c(digits, 0, digits.length, -1) >>> 0).toBe(0xe3069283);
  });

  it('do not depend on where a payload is cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (bytes, cut) => {
        const at = Math.min(cut, bytes.length);
        const whole = crc32c(bytes, 0, bytes.length, 0);
        expect(crc32c(bytes, at, bytes.length, crc32c(bytes, 0, at, 0))).toBe(whole);
      }),
    );
  });
});

describe("a genuine kernel's frames", () => {
  it('are written byte for byte as it took them', () => {
    const writer = new FrameWriter(kernelConnectionId);
    writer.begin(5, 1);
    const packets = Buffer.from('0600000003626567696e', 'hex');
    expect(written(writer, packets, true, FRAME_FLAG.NEW_EXTRA_INFO).toString('hex')).toBe(
      beginRequest.toString('hex'),
    );
  });

  it.each([
    ['with extra information', firstReply, 1, '080000010000002300000000'],
    ['a result set', selectReply, 2, selectReply.subarray(31, -4).toString('hex')],
    ['an OK', commitReply, 5, '080000010000002200000000'],
  ])('are read: %s', (_name, frame, requestId, packets) => {
    const reader = readerOf(requestId, 1, kernelConnectionId);
    expect(feedAll(reader, frame).toString('hex')).toBe(packets);
    expect(reader.error).toBeNull();
    expect(reader.done).toBe(true);
  });

  it('tell blocks of session state', () => {
    const reader = readerOf(3, 1, kernelConnectionId);
    feedAll(reader, setReply);
    expect(reader.takeExtra()).toEqual([
      { type: EXTRA_INFO.SESSION_STATE, value: Buffer.from('07000100000000', 'hex') },
    ]);
    expect(reader.takeExtra()).toEqual([]);
  });

  it('are read compressed, wherever the stream is cut', () => {
    for (let cut = 1; cut < compressedReply.length; cut++) {
      const inflater = new Inflater();
      const reader = new FrameReader(compressedConnectionId, true);
      reader.expect(0, 1);
      const packets: Buffer[] = [];
      for (const part of [compressedReply.subarray(0, cut), compressedReply.subarray(cut)]) {
        for (const bytes of inflater.feed(part, part.length)) packets.push(reader.feed(bytes, bytes.length));
      }
      expect(reader.error).toBeNull();
      expect(reader.done).toBe(true);
      expect(Buffer.concat(packets).subarray(0, 5).toString('hex')).toBe('0100000101');
    }
  });
});

const extras = fc.array(
  fc.record({
    type: fc.constantFrom(...Object.values(EXTRA_INFO).filter((type) => type !== EXTRA_INFO.FEEDBACK)),
    value: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 3 },
);
const packetRuns = fc.array(
  fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  { minLength: 1, maxLength: 6 },
);

/** A reply of one frame for each run of packets; the first has the extra information. */
function replyOf(runs: readonly Buffer[], extra: Buffer, flags: number): Buffer {
  const writer = new FrameWriter(CONNECTION);
  writer.begin(9, 254);
  return Buffer.concat(
    runs.map((run, index) => written(writer, run, index === runs.length - 1, flags, index === 0 ? extra : undefined)),
  );
}

describe('frames', () => {
  it('come back as what was put in, in both forms of extra information, wherever the stream is cut', () => {
    fc.assert(
      fc.property(
        packetRuns,
        extras,
        fc.boolean(),
        fc.array(fc.nat(4000), { maxLength: 6 }),
        (runs, items, isNew, cuts) => {
          const flags = isNew ? FRAME_FLAG.NEW_EXTRA_INFO : 0;
          const reader = readerOf(9, 254);
          const packets = feedAll(reader, replyOf(runs, encodeExtraInfo(items, isNew), flags), cuts);
          expect(reader.error).toBeNull();
          expect(reader.done).toBe(true);
          expect(packets.equals(Buffer.concat(runs))).toBe(true);
          expect(reader.takeExtra()).toEqual(items);
        },
      ),
    );
  });

  it('give no packet of a short frame away before its checksum is there', () => {
    const frame = replyOf([Buffer.from('hello')], Buffer.alloc(0), 0);
    for (let cut = 1; cut < frame.length; cut++) {
      const reader = readerOf(9, 254);
      const beginning = Buffer.from(frame.subarray(0, cut));
      const given = reader.feed(beginning, cut).toString();
      expect('hell'.startsWith(given)).toBe(true);
      expect(reader.done).toBe(false);
    }
  });

  it('show a change of any byte', () => {
    const extra = encodeExtraInfo([{ type: EXTRA_INFO.SESSION_STATE, value: Buffer.from('state') }], true);
    const frame = replyOf([Buffer.from('some packets')], extra, FRAME_FLAG.NEW_EXTRA_INFO);
    for (let at = 0; at < frame.length; at++) {
      for (const mask of [0x01, 0x10, 0x80, 0xff]) {
        const changed = Buffer.from(frame);
        changed[at] = (changed[at] ?? 0) ^ mask;
        const reader = readerOf(9, 254);
        expect(feedAll(reader, changed).length).toBe(0);
        expect(reader.error).toBeInstanceOf(OdpError);
        expect(reader.takeExtra()).toEqual([]);
      }
    }
  });

  it('may leave the checksum of the payload out', () => {
    const frame = replyOf([Buffer.from('unchecked')], Buffer.alloc(0), 0);
    frame.fill(0, frame.length - 4);
    expect(feedAll(readerOf(9, 254), frame).toString()).toBe('unchecked');
  });

  it('pass on what stands before a fault, and nothing behind it', () => {
    const stream = replyOf([Buffer.from('good'), Buffer.from('bad'), Buffer.from('never seen')], Buffer.alloc(0), 0);
    const badAt = stream.indexOf('bad');
    stream[badAt] = 0;
    const reader = readerOf(9, 254);
    expect(feedAll(reader, stream).toString()).toBe('good');
    expect(reader.error?.code).toBe('PACKET_CHECKSUM');
    expect(feedAll(reader, replyOf([Buffer.from('more')], Buffer.alloc(0), 0)).length).toBe(0);
  });

  it.each([
    ['another connection', (writer: FrameWriter) => writer.begin(9, 254), CONNECTION + 1, /connection 78, 77 expected/],
    ['another request', (writer: FrameWriter) => writer.begin(8, 254), CONNECTION, /request 8, 9 expected/],
    ['a frame left out', (writer: FrameWriter) => writer.begin(9, 255), CONNECTION, /sequence 255, 254 expected/],
  ])('are refused: %s', (_name, begin, connectionId, message) => {
    const writer = new FrameWriter(connectionId);
    begin(writer);
    const reader = readerOf(9, 254);
    feedAll(reader, written(writer, Buffer.from('x'), true));
    expect(reader.error?.message).toMatch(message);
  });

  it('are refused when nothing was asked, or behind the last one', () => {
    const frame = replyOf([Buffer.from('x')], Buffer.alloc(0), 0);
    const unasked = new FrameReader(CONNECTION);
    feedAll(unasked, frame);
    expect(unasked.error?.message).toMatch(/nobody asked for/);
    const reader = readerOf(9, 254);
    expect(feedAll(reader, Buffer.concat([frame, frame])).toString()).toBe('x');
    expect(reader.error?.message).toMatch(/nobody asked for/);
  });

  it('hold as much as the outer header counts, and go on in another one', () => {
    const packets = Buffer.alloc(MAX_FRAME_PAYLOAD + 10, 'abc');
    const writer = new FrameWriter(CONNECTION);
    writer.begin(9, 0);
    const parts = writer.frames(packets, true);
    expect(writer.nextSequence).toBe(2);
    // Head, packets and checksum of the long frame; the short one is in one buffer.
    expect(parts).toHaveLength(4);
    const reader = readerOf(9, 0);
    expect(feedAll(reader, Buffer.concat(parts), [70_000, MAX_FRAME_PAYLOAD + 33]).equals(packets)).toBe(true);
    expect(reader.done).toBe(true);
  });
});

describe('compressed packets', () => {
  it('come back as what was put in, wherever the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.constant(new Uint8Array(900))), {
          maxLength: 4,
        }),
        fc.array(fc.nat(2000), { maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        (runs, cuts, level) => {
          const stream = Buffer.concat(runs.flatMap((run, index) => deflatePackets(run, index, level)));
          const inflater = new Inflater();
          const out: Buffer[] = [];
          let at = 0;
          for (const cut of [...cuts].sort((a, b) => a - b).concat(stream.length)) {
            if (cut <= at || cut > stream.length) continue;
            const chunk = Buffer.from(stream.subarray(at, cut));
            out.push(...inflater.feed(chunk, chunk.length));
            at = cut;
          }
          expect(Buffer.concat(out).equals(Buffer.concat(runs))).toBe(true);
        },
      ),
    );
  });

  it('are refused when their data are broken, or are not as long as announced', () => {
    const packet = Buffer.concat(deflatePackets(Buffer.alloc(500, 'x'), 0, 6));
    const broken = Buffer.from(packet);
    broken[packet.length - 1] = (broken[packet.length - 1] ?? 0) ^ 1;
    expect(() => new Inflater().feed(broken, broken.length)).toThrow(/Malformed communication packet: zlib/);
    for (const announced of [499, 501]) {
      const wrong = Buffer.from(packet);
      wrong.writeUIntLE(announced, 4, 3);
      expect(() => new Inflater().feed(wrong, wrong.length)).toThrow(/Malformed communication packet/);
    }
  });
});
