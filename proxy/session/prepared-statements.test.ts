import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyStatement, defaultDialect } from '../sql/classify.ts';
import { COM } from '../wire/constants.ts';
import { framePackets, PacketWriter } from '../wire/writer.ts';
import { executeFrame } from './execute-frame.ts';
import {
  newTypesFlagOffset,
  notePrepared,
  PreparedStatements,
  readParameterTypes,
  withParameterTypes,
} from './prepared-statements.ts';
import { type ClientRequest, type SessionStatement, UNROUTED } from './request.ts';
import type { ServerSession } from './server-session.ts';

const text = Buffer.from('SELECT ?');
const info = classifyStatement(text);

describe('prepared statements', () => {
  it('case B50 ids are the session’s own and are not given twice while they are in use', () => {
    const statements = new PreparedStatements<string>();
    const [a, b] = [
      statements.create(text, true, info, defaultDialect),
      statements.create(text, true, info, defaultDialect),
    ];
    expect(a.id).not.toBe(b.id);
    notePrepared(a, 'server', 7, 1);
    statements.forgetServer('server');
    expect(a.serverIds.size).toBe(0);
    statements.delete(a.id);
    expect(statements.find(a.id)).toBeUndefined();
    expect(statements.create(text, true, info, defaultDialect).id).not.toBe(b.id);
    statements.clear();
    expect(statements.size).toBe(0);
  });

  it('case B52 the flag stands behind the NULL bitmap', () => {
    expect([1, 7, 8, 9, 16, 17].map(newTypesFlagOffset)).toEqual([11, 11, 11, 12, 12, 13]);
  });

  it('case B49 types that are put in are read back, and nothing else changes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.uint8Array({ maxLength: 60 }), (count, values) => {
        const head = Buffer.alloc(newTypesFlagOffset(count), 1);
        const payload = Buffer.concat([head, Buffer.from([0]), values]);
        const types = Buffer.from(Array.from({ length: count * 2 }, (_, index) => index));
        const typed = withParameterTypes(payload, count, types);
        expect(readParameterTypes(payload, count)).toBeNull();
        expect(readParameterTypes(typed, count)).toEqual(types);
        expect(typed.subarray(head.length + 1 + types.length).equals(Buffer.from(values))).toBe(true);
      }),
    );
  });

  describe('the frame of an EXECUTE', () => {
    const one = { name: 'one' } as unknown as ServerSession;
    const two = { name: 'two' } as unknown as ServerSession;
    const types = Buffer.from([8, 0]);
    const statement = (): SessionStatement => {
      const created = new PreparedStatements<ServerSession>().create(text, true, info, defaultDialect);
      notePrepared(created, one, 11, 1);
      notePrepared(created, two, 22, 1);
      return created;
    };
    const request = (tail: readonly number[], command: number = COM.STMT_EXECUTE): ClientRequest => ({
      command,
      bytes: framePackets(new PacketWriter(32).u8(command).u32(1).u8(0).u32(1).bytes(Buffer.from(tail)).finish(), 0),
      complete: true,
      info,
      replyKind: 'result',
      statement: null,
      ...UNROUTED,
    });
    const withTypes = request([0, 1, ...types, 5, 0, 0, 0, 0, 0, 0, 0]);
    const withoutTypes = request([0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);

    it('names the id of the server it goes to', () => {
      const prepared = statement();
      expect(executeFrame(withTypes, prepared, one)?.readUInt32LE(5)).toBe(11);
      expect(executeFrame(withTypes, prepared, two)?.readUInt32LE(5)).toBe(22);
      expect(withTypes.bytes.readUInt32LE(5)).toBe(1);
    });

    it('case B49 has the types put in where the server has not been told them', () => {
      const prepared = statement();
      executeFrame(withTypes, prepared, one);
      expect(executeFrame(withoutTypes, prepared, one)?.length).toBe(withoutTypes.bytes.length);
      const typed = executeFrame(withoutTypes, prepared, two);
      expect(typed?.length).toBe(withoutTypes.bytes.length + types.length);
      expect(typed?.readUIntLE(0, 3)).toBe((typed?.length ?? 0) - 4);
      expect(executeFrame(withoutTypes, prepared, two)?.length).toBe(withoutTypes.bytes.length);
    });

    it('case B49 counts any flag as types, and leaves what is cut off to the server', () => {
      const prepared = statement();
      const odd = executeFrame(request([0, 0xff, ...types, 5, 0, 0, 0, 0, 0, 0, 0]), prepared, one);
      expect(odd?.[4 + newTypesFlagOffset(1)]).toBe(1);
      expect(prepared.parameterTypes).toEqual(types);
      const cut = request([0, 1]);
      expect(executeFrame(cut, prepared, two)?.length).toBe(cut.bytes.length);
      expect(prepared.parameterTypes).toEqual(types);
    });
  });
});
