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
      { numRuns: 3000 },
    );
  });

  it('B06 is the same byte by byte, between all pairs of dialects', () => {
    const scripts = fc.sample(replyScript, { numRuns: 12, seed: 3 });
    for (const ends of allEnds) for (const script of scripts) check(script, ends, [1]);
  });
});
