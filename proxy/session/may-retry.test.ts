import { describe, expect, it } from 'vitest';
import { classifyStatement } from '../sql/classify.ts';
import { COM } from '../wire/constants.ts';
import { mayRetry } from './may-retry.ts';
import { type ClientRequest, UNROUTED } from './request.ts';

function request(command: number, text: string, fields: Partial<ClientRequest> = {}): ClientRequest {
  const info = classifyStatement(Buffer.from(text));
  return {
    command,
    bytes: Buffer.alloc(0),
    complete: true,
    info,
    replyKind: 'result',
    statement: null,
    ...UNROUTED,
    sent: true,
    ...fields,
  };
}

describe('case B67 C14 whether a request may be sent once more', () => {
  it.each([
    ['SELECT 1', true],
    ['SELECT * FROM t WHERE id = 1', true],
    ['SELECT * FROM t FOR UPDATE', false],
    ['INSERT INTO t VALUES (1)', false],
    ['SELECT 1; DELETE FROM t', false],
    ['COMMIT', false],
    ['CALL p()', false],
    ['SET @a = 1', false],
  ])('%s, sent and unanswered: %s', (text, expected) => {
    expect(mayRetry(request(COM.QUERY, text), false)).toBe(expected);
    expect(mayRetry(request(COM.STMT_EXECUTE, text), false)).toBe(expected);
    expect(mayRetry(request(COM.QUERY, text), true)).toBe(false);
    expect(mayRetry(request(COM.QUERY, text, { sent: false }), false)).toBe(true);
    expect(mayRetry(request(COM.QUERY, text, { sent: false, complete: false }), false)).toBe(false);
  });

  it('commands that do the same however often', () => {
    for (const command of [COM.INIT_DB, COM.FIELD_LIST, COM.STATISTICS, COM.SET_OPTION, COM.STMT_PREPARE]) {
      expect(mayRetry(request(command, ''), false)).toBe(true);
    }
    for (const command of [COM.RESET_CONNECTION, COM.STMT_FETCH, COM.DROP_DB, COM.REFRESH]) {
      expect(mayRetry(request(command, ''), false)).toBe(false);
    }
  });
});
