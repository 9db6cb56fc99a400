import { describe, expect, it } from 'vitest';
import type { RequestSample } from './load.ts';
import { changeInLog, type LoggedChange, measure } from './measure.ts';

const marks = { faultAtMs: 1_000, faultyAtMs: 1_010, liftedAtMs: 9_000, address: '127.0.0.1:1', serverName: 'one' };
const error = { errno: 10014, text: 'gone' };

function request(sentAtMs: number, endedAtMs: number, more: Partial<RequestSample> = {}): RequestSample {
  return { kind: 'read', begunAtMs: sentAtMs, sentAtMs, endedAtMs, server: 'two', error: null, ...more };
}

function change(atMs: number, what: string, server = marks.address): LoggedChange {
  const [list = '', kind] = what.split(' ');
  return { atMs, server, list, change: kind === 'listed' ? 'listed' : 'released' };
}

describe('figures of a chaos scenario', () => {
  it('counts what ended after the fault, and failures by kind; those of transactions by when they began', () => {
    const figures = measure(
      [
        request(500, 900, { error }),
        request(990, 1_100, { kind: 'write', error }),
        request(1_200, 1_300, { kind: 'transaction', begunAtMs: 1_005, error }),
        request(1_200, 1_400, { kind: 'write', error }),
        request(1_200, 1_600),
      ],
      [],
      marks,
    );
    expect(figures).toMatchObject({ requests: 4, failed: 3, failedLater: 1, lastErrorMs: 400, longestWaitMs: 400 });
    expect([...figures.failures]).toEqual([
      ['transaction: 10014', 1],
      ['write: 10014', 2],
    ]);
  });

  it('tells when the server was listed first, and when those that hung on it were done with', () => {
    const figures = measure(
      [
        request(2_000, 5_020, { kind: 'write', error }),
        request(2_000, 5_070),
        request(4_950, 5_400),
        request(6_000, 6_900),
      ],
      [
        change(900, 'alive listed'),
        change(3_000, 'alive listed', '127.0.0.1:2'),
        change(5_000, 'detection listed'),
        change(7_000, 'detection listed'),
      ],
      marks,
    );
    expect([...figures.listedMs]).toEqual([['detection', 4_000]]);
    expect(figures).toMatchObject({ errorAfterVerdictMs: 20, answerAfterVerdictMs: 70 });
  });

  it('takes for recovery the first answer to a request that was sent after the fault had ended', () => {
    const samples = [
      request(8_990, 9_100, { server: 'one' }),
      request(9_200, 9_250),
      request(9_300, 9_350, { server: 'one' }),
    ];
    expect(measure(samples, [], marks)).toMatchObject({
      recoveredMs: 350,
      lastErrorMs: null,
      errorAfterVerdictMs: null,
    });
    expect(measure([], [], marks).recoveredMs).toBeNull();
  });

  it('counts answers of a server on the status or detection list, not of one that is tried', () => {
    const answers = [2_000, 4_000, 6_000, 8_000].map((at) => request(at, at + 10, { server: 'one' }));
    const changes = [
      change(1_500, 'alive listed'),
      change(3_000, 'status listed'),
      change(5_000, 'status released'),
      change(7_000, 'detection listed'),
    ];
    expect(measure(answers, changes, marks).answersWhileListed).toBe(2);
  });

  it('reads listings and releases from the log, and nothing else', () => {
    const line = '{"level":30,"time":1,"server":"127.0.0.1:1","list":"alive","change":"listed","msg":"server listed"}';
    expect(changeInLog(line, 7)).toEqual({ atMs: 7, server: '127.0.0.1:1', list: 'alive', change: 'listed' });
    expect(changeInLog('{"level":40,"msg":"cluster refresh failed"}', 7)).toBeNull();
    expect(changeInLog('odp ready in 1.0 s', 7)).toBeNull();
  });
});
