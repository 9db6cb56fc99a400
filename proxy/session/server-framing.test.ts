import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeExtraInfo, EXTRA_INFO, encodeExtraInfo } from '../wire/ob20/extra-info.ts';
import { FRAME_FLAG } from '../wire/ob20/frame-header.ts';
import { FrameReader } from '../wire/ob20/frame-reader.ts';
import { FrameWriter } from '../wire/ob20/frame-writer.ts';
import { makeBlock } from '../wire/ob20/session-blocks.ts';
import { framePackets } from '../wire/writer.ts';
import { ServerFraming } from './server-framing.ts';
import { SharedBlocks } from './shared-blocks.ts';

const ID = 70_000;
const newFraming = (shared: SharedBlocks | null = null): ServerFraming => {
  const framing = new ServerFraming({ connectionId: ID, isNewExtraInfo: true, level: 0 });
  framing.shared = shared;
  return framing;
};
const packet = (text: string, sequence = 0) => framePackets(Buffer.from(text), sequence);

/** What a server reads of one request. */
function readRequest(frames: readonly Uint8Array[], requestId: number) {
  const reader = new FrameReader(ID);
  reader.expect(requestId, 0);
  const bytes = Buffer.concat(frames);
  const packets = Buffer.from(reader.feed(bytes, bytes.length));
  return { packets, extra: reader.takeExtra(), error: reader.error, done: reader.done, flags: reader.flags };
}

function replyTo(requestId: number, packets: Buffer, blocks: readonly Buffer[] = [], sequence = 1): Buffer {
  const writer = new FrameWriter(ID);
  writer.begin(requestId, sequence);
  const extra =
    blocks.length === 0
      ? undefined
      : encodeExtraInfo([{ type: EXTRA_INFO.SESSION_STATE, value: Buffer.concat(blocks) }], true);
  return Buffer.concat(writer.frames(packets, true, FRAME_FLAG.NEW_EXTRA_INFO, extra));
}

describe('framing of a server session', () => {
  it('numbers requests from 1 and takes the replies that belong to them', () => {
    const framing = newFraming();
    for (const requestId of [1, 2, 3]) {
      const request = readRequest(framing.request(packet('x'), true), requestId);
      expect(request).toMatchObject({ packets: packet('x'), error: null, done: true, extra: [] });
      const reply = replyTo(requestId, packet('ok', 1));
      expect(framing.unframe(reply, reply.length).equals(packet('ok', 1))).toBe(true);
    }
    const stale = replyTo(2, packet('ok', 1));
    framing.request(packet('x'), true);
    expect(framing.unframe(stale, stale.length).length).toBe(0);
    expect(framing.error?.message).toMatch(/request 2, 4 expected/);
  });

  it('C17 goes on in another generation where it was, with the state that the server has and lacks', () => {
    const shared = new SharedBlocks();
    const [framing, other] = [newFraming(shared), newFraming(shared)];
    framing.request(packet('x'), true);
    expect(framing.isIdle).toBe(false);
    const told = replyTo(1, packet('ok', 1), [makeBlock(3, Buffer.from('its own')).bytes]);
    framing.unframe(told, told.length - 1);
    expect(framing.isIdle).toBe(false);
    framing.unframe(told.subarray(-1), 1);
    expect(framing.isIdle).toBe(true);
    other.request(packet('x'), true);
    const news = replyTo(1, packet('ok', 1), [makeBlock(5, Buffer.from('of the other')).bytes]);
    other.unframe(news, news.length);
    const moved = ServerFraming.restore(ID, framing.save());
    moved.shared = new SharedBlocks();
    moved.shared.restore(shared.save());
    const frames = moved.request(packet('y'), true);
    expect(readRequest(frames, 2)).toMatchObject({
      packets: packet('y'),
      error: null,
      extra: [{ type: EXTRA_INFO.SESSION_STATE, value: makeBlock(5, Buffer.from('of the other')).bytes }],
    });
    const reply = replyTo(2, packet('ok', 1));
    expect(moved.unframe(reply, reply.length).equals(packet('ok', 1))).toBe(true);
  });

  it('C11 sends requests behind one another, and takes their replies in that order, whole or in pieces', () => {
    const shared = new SharedBlocks();
    const framing = newFraming(shared);
    const other = newFraming(shared);
    other.request(packet('elsewhere'), true);
    const told = replyTo(1, packet('ok', 1), [makeBlock(3, Buffer.from('state')).bytes]);
    other.unframe(told, told.length);
    const frames = [
      ...framing.request(packet('one'), true),
      ...framing.requestBehind(packet('two')),
      ...framing.requestBehind(packet('three')),
    ];
    expect(readRequest(frames.slice(0, 1), 1).extra).toHaveLength(1);
    expect(readRequest(frames.slice(1, 2), 2)).toMatchObject({ packets: packet('two'), error: null, extra: [] });
    expect(readRequest(frames.slice(2), 3)).toMatchObject({ packets: packet('three'), error: null, extra: [] });
    const replies = Buffer.concat([1, 2, 3].map((id) => replyTo(id, packet(`ok ${id}`, 1))));
    const taken: Buffer[] = [];
    for (let at = 0; at < replies.length; at += 17) {
      const chunk = Buffer.from(replies.subarray(at, at + 17));
      taken.push(Buffer.from(framing.unframe(chunk, chunk.length)));
    }
    expect(framing.error).toBeNull();
    expect(Buffer.concat(taken)).toEqual(Buffer.concat([1, 2, 3].map((id) => packet(`ok ${id}`, 1))));
    const more = replyTo(4, packet('ok', 1));
    framing.unframe(more, more.length);
    expect(framing.error?.message).toMatch(/nobody asked for/);
  });

  it('C11 does not take the second reply for the first one', () => {
    const framing = newFraming();
    framing.request(packet('one'), true);
    framing.requestBehind(packet('two'));
    const reply = replyTo(2, packet('ok', 1));
    framing.unframe(reply, reply.length);
    expect(framing.error?.message).toMatch(/request 2, 1 expected/);
  });

  it('sends a long request in pieces as one, and takes an answer to it at any time', () => {
    const framing = newFraming();
    const whole = packet('a long request in three pieces');
    const frames = [
      ...framing.request(whole.subarray(0, 3), false),
      ...framing.request(whole.subarray(3, 20), false),
      ...framing.request(whole.subarray(20), true),
    ];
    expect(readRequest(frames, 1)).toMatchObject({ packets: whole, done: true, error: null });
    const early = newFraming();
    early.request(whole.subarray(0, 3), false);
    const reply = replyTo(1, packet('too long', 1));
    expect(early.unframe(reply, reply.length).equals(packet('too long', 1))).toBe(true);
    early.request(whole.subarray(3), true);
    expect(early.error).toBeNull();
  });

  it('sends each packet of a file as a request of its own, wherever the chunks are cut', () => {
    const packets = [packet('first,1\n', 2), packet('second,2\nthird,3\n', 3), packet('', 4)];
    const file = Buffer.concat(packets);
    fc.assert(
      fc.property(fc.array(fc.nat(file.length), { maxLength: 6 }), (cuts) => {
        const framing = newFraming();
        framing.request(packet('LOAD DATA'), true);
        const asked = replyTo(1, packet('give it', 1));
        framing.unframe(asked, asked.length);
        const frames: Uint8Array[] = [];
        let at = 0;
        for (const cut of [...cuts].sort((a, b) => a - b).concat(file.length)) {
          frames.push(...framing.file(file.subarray(at, cut)));
          at = cut;
        }
        const reader = new FrameReader(ID);
        const stream = Buffer.concat(frames);
        let read = 0;
        for (const [index, wanted] of packets.entries()) {
          reader.expect(2 + index, 0);
          const got: Buffer[] = [];
          // Byte by byte, so that the end of each request is seen.
          while (!reader.done && read < stream.length) {
            got.push(Buffer.from(reader.feed(Buffer.from(stream.subarray(read, ++read)), 1)));
          }
          expect(reader.error).toBeNull();
          expect(Buffer.concat(got).equals(wanted)).toBe(true);
        }
        expect(read).toBe(stream.length);
        const done = replyTo(4, packet('loaded', 5));
        expect(framing.unframe(done, done.length).length).toBe(packet('loaded').length);
        expect(framing.error).toBeNull();
      }),
    );
  });

  it('takes an answer that comes while the file is on its way', () => {
    const framing = newFraming();
    framing.request(packet('LOAD DATA'), true);
    const asked = replyTo(1, packet('give it', 1));
    framing.unframe(asked, asked.length);
    framing.file(Buffer.concat([packet('1', 2), packet('2', 3), packet('3', 4)]));
    const refused = replyTo(3, packet('no', 4), [], 9);
    expect(framing.unframe(refused, refused.length).length).toBe(packet('no').length);
    expect(framing.error).toBeNull();
  });

  it('offers internal routing by a flag, and reads from the reply whether it is granted', () => {
    const framing = newFraming();
    framing.offersInternalRouting = true;
    expect(readRequest(framing.request(packet('x'), true), 1).flags & FRAME_FLAG.INTERNAL_ROUTING).not.toBe(0);
    const writer = new FrameWriter(ID);
    writer.begin(1, 1);
    const reply = Buffer.concat(writer.frames(packet('ok', 1), true, FRAME_FLAG.INTERNAL_ROUTING));
    expect(framing.grantsInternalRouting).toBe(false);
    framing.unframe(reply, reply.length);
    expect(framing.grantsInternalRouting).toBe(true);
  });
});

describe('session state in blocks', () => {
  const block = (type: number, text: string) => makeBlock(type, Buffer.from(text)).bytes;
  const sent = (framing: ServerFraming, requestId: number): string => {
    const { extra } = readRequest(framing.request(packet('x'), true), requestId);
    return extra.map(({ value }) => value.toString('latin1')).join('|');
  };
  const answer = (framing: ServerFraming, requestId: number, blocks: readonly Buffer[], isError = false): void => {
    const reply = replyTo(requestId, packet('ok', 1), blocks);
    framing.unframe(reply, reply.length);
    if (!isError) framing.versions.requestSucceeded();
  };
  const text = (...blocks: readonly Buffer[]) => Buffer.concat(blocks).toString('latin1');

  it('goes to every other server session once, the newest of each type', () => {
    const shared = new SharedBlocks();
    const [one, other] = [newFraming(shared), newFraming(shared)];
    expect(sent(one, 1)).toBe('');
    answer(one, 1, [block(5, 'old'), block(9, 'x')]);
    expect(sent(one, 2)).toBe('');
    answer(one, 2, [block(5, 'new')]);
    expect(sent(other, 1)).toBe(text(block(5, 'new'), block(9, 'x')));
    answer(other, 1, [block(6, 'dynamic')]);
    expect(sent(other, 2)).toBe('');
    expect(sent(one, 3)).toBe(text(block(6, 'dynamic')));
  });

  it('goes once more behind an error, but for what came with it', () => {
    const shared = new SharedBlocks();
    const [one, other] = [newFraming(shared), newFraming(shared)];
    sent(one, 1);
    answer(one, 1, [block(5, 'a'), block(6, 'b')]);
    expect(sent(other, 1)).toBe(text(block(5, 'a'), block(6, 'b')));
    answer(other, 1, [block(6, 'mine')], true);
    expect(sent(other, 2)).toBe(text(block(5, 'a')));
  });

  it('that is malformed ends the server session', () => {
    const framing = newFraming(new SharedBlocks());
    framing.request(packet('x'), true);
    const reply = replyTo(1, packet('ok', 1), [block(5, 'cut off').subarray(0, 9)]);
    expect(() => framing.unframe(reply, reply.length)).toThrow(/session-state block of type 5/);
  });

  it('may be in the old form of extra information', () => {
    const shared = new SharedBlocks();
    const framing = newFraming(shared);
    framing.request(packet('x'), true);
    answer(framing, 1, [block(0, 'app')]);
    const old = new ServerFraming({ connectionId: ID, isNewExtraInfo: false, level: 0 });
    old.shared = shared;
    const { extra, flags } = readRequest(old.request(packet('x'), true), 1);
    expect(flags & FRAME_FLAG.NEW_EXTRA_INFO).toBe(0);
    expect(extra).toEqual(
      decodeExtraInfo(encodeExtraInfo([{ type: EXTRA_INFO.SESSION_STATE, value: block(0, 'app') }], true), true),
    );
  });
});
