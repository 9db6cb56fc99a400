import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OdpError } from '../errors/odp-error.ts';
import { CAP } from './constants.ts';
import { ResponseScanner } from './response-scanner.ts';
import type { ReplyKind, ScannerMode } from './scanner-types.ts';
import { RecordingSink } from './testing/recording-sink.ts';
import {
  type Dialect,
  expectedStates,
  frameAll,
  type ReplyScript,
  type ScriptedPacket,
  type Writing,
  writeScript,
} from './testing/reply-script.ts';
import { replyScript } from './testing/script-arbitraries.ts';

interface Ends {
  readonly server: Dialect;
  readonly client: Dialect;
  readonly extraOk: boolean;
}

const capabilities = (dialect: Dialect): number =>
  CAP.PROTOCOL_41 | (dialect.deprecateEof ? CAP.DEPRECATE_EOF : 0) | (dialect.sessionTrack ? CAP.SESSION_TRACK : 0);

const modeOf = (ends: Ends): ScannerMode => ({
  clientCapabilities: capabilities(ends.client),
  serverCapabilities: capabilities(ends.server),
  extraOk: ends.extraOk,
});

const mapStatementId = (id: number): number => (id ^ 0x5a5a5a5a) >>> 0;
const FILE_SEQUENCE = 253;

/** Packets up to and with each request for a file, and those behind the last one. */
function cutAtInfile(packets: readonly ScriptedPacket[]): ScriptedPacket[][] {
  const parts: ScriptedPacket[][] = [[]];
  for (const packet of packets) {
    parts.at(-1)?.push(packet);
    if (packet.infile) parts.push([]);
  }
  return parts;
}

/** Feeds one script in pieces of the given sizes (used round and round) and compares everything with the model. */
function check(script: ReplyScript, ends: Ends, pieceSizes: readonly number[], surplus = 0): void {
  const server: Writing = { dialect: ends.server, extraOk: ends.extraOk, origin: null, mapStatementId: (id) => id };
  const client: Writing = { dialect: ends.client, extraOk: false, origin: server, mapStatementId };
  const sent = cutAtInfile(writeScript(script, server));
  const wanted = cutAtInfile(writeScript(script, client));
  const sink = new RecordingSink(mapStatementId);
  const scanner = new ResponseScanner(sink, modeOf(ends));
  scanner.begin(script.kind, modeOf(ends));
  let piece = 0;
  sent.forEach((packets, part) => {
    const firstSequence = part === 0 ? 1 : FILE_SEQUENCE;
    if (part > 0) scanner.fileSent(FILE_SEQUENCE);
    const isLast = part === sent.length - 1;
    const bytes = frameAll(packets, firstSequence);
    const stream = Buffer.concat([bytes, Buffer.alloc(isLast ? surplus : 0, 0x01)]);
    const clientPackets = wanted[part] ?? [];
    const clientBytes = frameAll(clientPackets, firstSequence);
    const outputBefore = sink.byteCount;
    for (let at = 0; at < bytes.length; ) {
      same('done', scanner.done, false);
      const size = pieceSizes[piece++ % pieceSizes.length] ?? 1;
      const lead = piece % 3;
      // The piece stands somewhere inside a larger buffer, as in a transport's read buffer.
      const chunk = Buffer.concat([Buffer.alloc(lead, 0xee), stream.subarray(at, at + size), Buffer.alloc(2, 0xdd)]);
      const end = chunk.length - 2;
      const next = scanner.feed(chunk, lead, end);
      sink.settle();
      at += next - lead;
      if (at < bytes.length) same('offset', next, end);
      expectPosition(scanner, clientPackets, firstSequence, sink.byteCount - outputBefore, part > 0);
    }
    expect(sink.output.subarray(outputBefore).toString('hex')).toBe(clientBytes.toString('hex'));
    expect(scanner.waitsForFile).toBe(!isLast);
    expect(scanner.done).toBe(isLast);
    expect(sink.infileRequests).toBe(isLast ? part : part + 1);
  });
  expect(scanner.feed(Buffer.of(1, 0, 0, 1, 0), 0, 5)).toBe(0);
  expect(sink.states).toEqual(expectedStates(script, server));
  expect(sink.errors.length).toBe(scanner.errno === 0 ? 0 : 1);
}

/** `expect` is too slow for every cut of every run. */
function same<T>(what: string, found: T, wanted: T): void {
  if (found !== wanted) throw new Error(`${what} is ${found}, not ${wanted}`);
}

/** Where the client stands after `received` bytes decides whether an ERR may follow, and under which sequence id. */
function expectPosition(
  scanner: ResponseScanner,
  packets: readonly ScriptedPacket[],
  firstSequence: number,
  received: number,
  passedBefore: boolean,
): void {
  let boundary = 0;
  let sequence = firstSequence;
  let fits = received === 0;
  for (const packet of packets) {
    if (received <= boundary) break;
    boundary += packet.payload.length + 4;
    sequence++;
    if (received === boundary) fits = packet.errorFits;
  }
  same('nextSequence', scanner.nextSequence, sequence & 0xff);
  same('errorFits', scanner.errorFits, fits);
  same('passedAny', scanner.passedAny, passedBefore || received > 0);
}

const dialect = fc.record({ deprecateEof: fc.boolean(), sessionTrack: fc.boolean() });
const anyEnds: fc.Arbitrary<Ends> = fc.record({ server: dialect, client: dialect, extraOk: fc.boolean() });
const BOOLEANS = [false, true];
const allEnds: Ends[] = BOOLEANS.flatMap((a) =>
  BOOLEANS.flatMap((b) =>
    BOOLEANS.flatMap((c) =>
      BOOLEANS.flatMap((d) =>
        BOOLEANS.map((extraOk) => ({
          server: { deprecateEof: a, sessionTrack: b },
          client: { deprecateEof: c, sessionTrack: d },
          extraOk,
        })),
      ),
    ),
  ),
);

describe('any reply, cut anywhere', () => {
  it('B03 B04 B40 is seen by the client as its own dialect has it', () => {
    const sizes = fc.oneof(
      fc.constant([1]),
      fc.constant([1_000_000]),
      fc.array(fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 200 })), {
        minLength: 1,
        maxLength: 12,
      }),
    );
    fc.assert(
      fc.property(replyScript, anyEnds, sizes, fc.constantFrom(0, 0, 7), (script, ends, pieceSizes, surplus) =>
        check(script, ends, pieceSizes, surplus),
      ),
      { numRuns: 2000, seed: 20_261_201 },
    );
  });

  it('B06 is the same byte by byte, between all pairs of dialects', () => {
    const scripts = fc.sample(replyScript, { numRuns: 12, seed: 3 });
    for (const ends of allEnds) for (const script of scripts) check(script, ends, [1]);
  });
});

const PLAIN: Dialect = { deprecateEof: false, sessionTrack: false };
const MODERN: Dialect = { deprecateEof: true, sessionTrack: true };
const PROXIED: Ends = { server: { deprecateEof: false, sessionTrack: true }, client: PLAIN, extraOk: true };

/** One feed of whole payloads, numbered from 1. */
function scan(
  kind: ReplyKind,
  ends: Ends,
  payloads: readonly Buffer[],
): { sink: RecordingSink; scanner: ResponseScanner } {
  const sink = new RecordingSink();
  const scanner = new ResponseScanner(sink, modeOf(ends));
  scanner.begin(kind, modeOf(ends));
  const bytes = frameAll(
    payloads.map((payload) => ({ payload, errorFits: false })),
    1,
  );
  scanner.feed(bytes, 0, bytes.length);
  return { sink, scanner };
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('replies of a genuine kernel to a proxied session', () => {
  it.each([
    ['does not track state: a blank before the text', PLAIN, '0001000200 0000 20 526f7773'],
    ['tracks state: the length before the text', MODERN, '0001000200 0000 04 526f7773'],
  ])('the text of an OK packet, for a client that %s', (_which, client, wanted) => {
    // The kernel puts a blank before the text for its proxies, too, and the length before that.
    const { sink } = scan('result', { ...PROXIED, client }, [hex('0001000240 0000 05 20526f7773 04 00020141')]);
    expect(sink.output.toString('hex').slice(8)).toBe(wanted.replaceAll(' ', ''));
  });

  it('the text of an OK packet of a server that is not OceanBase keeps its length, whoever gets it', () => {
    for (const client of [PLAIN, MODERN]) {
      const { sink } = scan('result', { server: MODERN, client, extraOk: false }, [hex('0001000200 0000 04 526f7773')]);
      expect(sink.output.toString('hex').slice(8)).toBe('00010002000000 04526f7773'.replace(' ', ''));
    }
  });

  const definition = hex('036465660000000131000c3f0014000000088100000000');
  const variables =
    '3c1f6f625f656e61626c655f7472616e736d697373696f6e5f636865636b73756d024f4e155f6e6c6a5f6261746368696e675f656e61626c6564024f4e';
  const extraOk = hex(`00000022400000004200${variables}02020131`);

  it('takes the extra OK off behind a result set', () => {
    const { sink, scanner } = scan('result', PROXIED, [
      hex('01'),
      definition,
      hex('fe00000200'),
      hex('0131'),
      hex('fe00000200'),
      extraOk,
    ]);
    expect(scanner.done).toBe(true);
    expect(scanner.status).toBe(0x0002);
    expect(sink.output.length).toBe(5 * 4 + 1 + definition.length + 5 + 2 + 5);
    expect(sink.states.map(({ extra }) => extra)).toEqual([true]);
    expect(sink.states[0]?.entries.toString('hex')).toBe(`00${variables}02020131`);
  });

  it('takes the state off an OK packet and shows the client a plain one', () => {
    const { sink } = scan('result', PROXIED, [
      hex('00000022400000001800 12065f5f4e554c4c065f5f4e554c4c0178013502020131'),
    ]);
    expect(sink.output.toString('hex')).toBe('0700000100000022000000');
    expect(sink.states.map(({ extra }) => extra)).toEqual([false]);
  });

  it('reads the status of begin: in a transaction, with autocommit', () => {
    const { scanner, sink } = scan('result', PROXIED, [hex('0000002300000000')]);
    expect(scanner.status).toBe(0x0023);
    expect(sink.output.toString('hex')).toBe('0700000100000023000000');
  });

  it('expects one extra OK behind several results', () => {
    const set = (status: string): Buffer[] => [
      hex('01'),
      definition,
      hex('fe00000a00'),
      hex('0131'),
      hex(`fe0000${status}00`),
    ];
    const { scanner, sink } = scan('result', PROXIED, [...set('0a'), ...set('02'), extraOk]);
    expect(scanner.done).toBe(true);
    expect(sink.states.length).toBe(1);
    expect(sink.output[sink.output.length - 6]).toBe(10);
  });

  it('takes the extra OK off behind an error', () => {
    const { scanner, sink } = scan('result', PROXIED, [hex('ff2804233432303030 6e6f'), extraOk]);
    expect(scanner.errno).toBe(1064);
    expect(scanner.done).toBe(true);
    expect(sink.output.length).toBe(4 + 11);
  });
});

describe('awkward replies', () => {
  it('case B04: the end mark of an open cursor ends the reply, also as an OK', () => {
    const column = Buffer.from('03646566', 'hex');
    for (const ends of allEnds.filter(({ extraOk }) => !extraOk)) {
      const endMark = ends.server.deprecateEof ? hex('fe000042000000') : hex('fe00004200');
      const { scanner, sink } = scan('result', ends, [hex('01'), column, endMark]);
      expect(scanner.done).toBe(true);
      const shown = ends.client.deprecateEof ? '07000003fe000042000000' : '05000003fe00004200';
      expect(sink.output.toString('hex')).toBe(`0100000101${'04000002'}03646566${shown}`);
    }
  });

  it('case B05: sequence ids wrap behind 255 and start anew with the next reply', () => {
    const rows = Array.from({ length: 300 }, () => hex('0131'));
    const payloads = [hex('01'), hex('03646566'), hex('fe00000200'), ...rows, hex('fe00000200')];
    const { scanner, sink } = scan('result', { server: PLAIN, client: MODERN, extraOk: false }, payloads);
    const ids: number[] = [];
    for (let at = 0; at < sink.output.length; at += 4 + sink.output.readUIntLE(at, 3))
      ids.push(sink.output[at + 3] ?? -1);
    expect(ids).toEqual(Array.from({ length: 303 }, (_, index) => (index + 1) & 0xff));
    scanner.begin('result', modeOf({ server: PLAIN, client: MODERN, extraOk: false }));
    expect(scanner.nextSequence).toBe(1);
  });

  it('case B13 case B14: bare end marks, a text packet cut in two', () => {
    const { scanner, sink } = scan('result', { server: PLAIN, client: MODERN, extraOk: false }, [hex('fe00000200')]);
    expect(scanner.done).toBe(true);
    expect(sink.output.toString('hex')).toBe('07000001fe000002000000');
    scanner.begin('single', modeOf({ server: PLAIN, client: PLAIN, extraOk: false }));
    const text = hex('06000001557074696d65');
    scanner.feed(text, 0, 7);
    expect(scanner.done).toBe(false);
    scanner.feed(text, 7, text.length);
    expect(scanner.done).toBe(true);
  });

  it('passes rows of 16 MiB and more in pieces, with one more packet where one ends exactly', () => {
    const rowOf = (length: number): Buffer => {
      // A field this long begins with 0xfe, like an end mark, and so does what stands in its second packet.
      const row = Buffer.alloc(length, 0xfe);
      row[0] = 0xfe;
      row.writeBigUInt64LE(BigInt(length - 9), 1);
      return row;
    };
    const payloads = [hex('01'), hex('03646566'), rowOf(0xffffff), rowOf(0xffffff + 5), hex('0131')];
    for (const server of [PLAIN, MODERN]) {
      const head = server.deprecateEof ? payloads : [...payloads.slice(0, 2), hex('fe00000200'), ...payloads.slice(2)];
      const all = [...head, server.deprecateEof ? hex('fe000002000000') : hex('fe00000200')];
      const sink = new RecordingSink();
      const ends = { server, client: PLAIN, extraOk: false };
      const scanner = new ResponseScanner(sink, modeOf(ends));
      scanner.begin('result', modeOf(ends));
      const stream = frameAll(
        all.map((payload) => ({ payload, errorFits: false })),
        1,
      );
      for (let at = 0; at < stream.length; at += 65_521) {
        const piece = Buffer.from(stream.subarray(at, at + 65_521));
        expect(scanner.feed(piece, 0, piece.length)).toBe(piece.length);
        sink.settle();
      }
      expect(scanner.done).toBe(true);
      const shown = [...payloads.slice(0, 2), hex('fe00000200'), ...payloads.slice(2), hex('fe00000200')];
      const wanted = frameAll(
        shown.map((payload) => ({ payload, errorFits: false })),
        1,
      );
      expect(sink.output.equals(wanted)).toBe(true);
    }
  });

  it('lets no ERR in between the packets of one row', () => {
    const ends = { server: PLAIN, client: PLAIN, extraOk: false };
    const { scanner } = scan('result', ends, [hex('01'), hex('03646566'), hex('fe00000200'), hex('0131')]);
    expect(scanner.errorFits).toBe(true);
    const full = Buffer.alloc(4 + 0xffffff, 0xff);
    full[4] = 0xfe;
    scanner.feed(full, 0, full.length);
    expect([scanner.errorFits, scanner.nextSequence]).toEqual([false, 6]);
    const last = hex('01000006ff');
    scanner.feed(last, 0, last.length);
    expect([scanner.errorFits, scanner.errno]).toEqual([true, 0]);
  });

  it('takes a first sequence id that has wrapped', () => {
    const mode = modeOf({ server: PLAIN, client: PLAIN, extraOk: false });
    const scanner = new ResponseScanner(new RecordingSink(), mode);
    scanner.begin('result', mode, 256);
    expect(scanner.nextSequence).toBe(0);
  });

  it('makes one pass per chunk when nothing has to change, however many rows it holds', () => {
    const rows = Array.from({ length: 5000 }, () => hex('0131'));
    const { sink } = scan('result', { server: PLAIN, client: PLAIN, extraOk: false }, [
      hex('01'),
      hex('03646566'),
      hex('fe00000200'),
      ...rows,
      hex('fe00000200'),
    ]);
    expect(sink.passCalls).toBe(1);
    expect(sink.parts.length).toBe(1);
  });
});

describe('a server that breaks the protocol', () => {
  const kinds: readonly ReplyKind[] = ['result', 'prepare', 'rows', 'fields', 'single'];

  it('B10 is told as MALFORMED_PACKET, never otherwise, and nothing is read beyond its packets', () => {
    const nastyPayload = fc
      .tuple(fc.constantFrom(0x00, 0x01, 0xfb, 0xfc, 0xfd, 0xfe, 0xff), fc.uint8Array({ maxLength: 12 }))
      .map(([first, rest]) => Buffer.concat([Buffer.of(first), rest]));
    const payloads = fc.array(fc.oneof(nastyPayload, fc.constant(Buffer.alloc(0))), { maxLength: 8 });
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        anyEnds,
        payloads,
        fc.integer({ min: 1, max: 9 }),
        (kind, ends, sent, size) => {
          const stream = frameAll(
            sent.map((payload) => ({ payload, errorFits: false })),
            1,
          );
          const sink = new RecordingSink();
          const scanner = new ResponseScanner(sink, modeOf(ends));
          scanner.begin(kind, modeOf(ends));
          try {
            for (let at = 0; at < stream.length; ) {
              const piece = Buffer.from(stream.subarray(at, at + size));
              const next = scanner.feed(piece, 0, piece.length);
              sink.settle();
              if (next < piece.length) break;
              at += next;
            }
          } catch (error) {
            if (!(error instanceof OdpError) || error.code !== 'MALFORMED_PACKET') throw error;
          }
        },
      ),
      { numRuns: 2000, seed: 20_261_201 },
    );
  });

  it.each([
    ['an empty packet where a reply begins', 'result', ['']],
    ['a short OK', 'result', ['000000']],
    ['a short ERR', 'result', ['ff28']],
    ['a short EOF', 'result', ['fe00']],
    ['definitions without an end mark', 'result', ['01', '03646566', '0131']],
    ['an OK message longer than the packet', 'result', ['00000002000000 09 61']],
    ['an OK state longer than the packet', 'result', ['00000002400000 00 09 00']],
    ['a length that begins with 0xff', 'result', ['00ff0002000000']],
    ['no statement id', 'prepare', ['0001000000']],
    ['prepared definitions without an end mark', 'prepare', ['000100000000000100000000', '03646566', '03646566']],
  ] as const)('refuses %s', (_what, kind, payloads) => {
    const ends = { server: { deprecateEof: false, sessionTrack: true }, client: PLAIN, extraOk: false };
    expect(() => scan(kind, ends, payloads.map(hex))).toThrow(
      expect.objectContaining({ code: 'MALFORMED_PACKET', name: 'OdpError' }),
    );
  });

  it('B10 has passed on what stands before a packet that it refuses, so that an ERR may follow', () => {
    const ends = { server: PLAIN, client: PLAIN, extraOk: false };
    const sink = new RecordingSink();
    const scanner = new ResponseScanner(sink, modeOf(ends));
    scanner.begin('result', modeOf(ends));
    const payloads = [hex('01'), hex('03646566'), hex('fe00000200'), hex('0131'), hex('fe00')];
    const stream = frameAll(
      payloads.map((payload) => ({ payload, errorFits: false })),
      1,
    );
    expect(() => scanner.feed(stream, 0, stream.length)).toThrow(/EOF packet of 2 bytes/);
    expect(sink.output.equals(stream.subarray(0, stream.length - 6))).toBe(true);
    expect([scanner.errorFits, scanner.nextSequence]).toEqual([true, 5]);
  });

  it('refuses an ERR where the extra OK should be', () => {
    expect(() => scan('result', PROXIED, [hex('ff2804233432303030'), hex('ff2804233432303030')])).toThrow(/extra OK/);
  });

  it('does not collect 16 MiB of a packet that cannot be so long', () => {
    const scanner = new ResponseScanner(new RecordingSink(), modeOf(PROXIED));
    scanner.begin('result', modeOf(PROXIED));
    expect(() => scanner.feed(hex('ffffff0100'), 0, 5)).toThrow(/16 MiB/);
  });
});
