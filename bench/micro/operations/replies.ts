/** The response scanner on replies as servers send them. */
import { CAP, COLUMN_TYPE, STATUS } from '../../../proxy/wire/constants.ts';
import { encodeVariableBlock } from '../../../proxy/wire/ob-variables.ts';
import { buildOk } from '../../../proxy/wire/ok-packet.ts';
import { ResponseScanner } from '../../../proxy/wire/response-scanner.ts';
import { buildResultSet } from '../../../proxy/wire/result-set.ts';
import type { ScannerMode, ScannerSink } from '../../../proxy/wire/scanner-types.ts';
import { framePackets } from '../../../proxy/wire/writer.ts';
import type { MicroOperation } from '../operation.ts';

const plainMode: ScannerMode = {
  clientCapabilities: CAP.PROTOCOL_41,
  serverCapabilities: CAP.PROTOCOL_41,
  extraOk: false,
};
const proxiedMode: ScannerMode = {
  ...plainMode,
  serverCapabilities: CAP.PROTOCOL_41 | CAP.SESSION_TRACK,
  extraOk: true,
};

/** The tail of the OK with which an OceanBase server tells a proxy about its session. */
const reportTail = encodeVariableBlock({
  system: [
    ['autocommit', Buffer.from('1')],
    ['ob_proxy_partition_hit', Buffer.from('1')],
    ['ob_statement_trace_id', Buffer.from('Y4C37F000001-000612345678ABCD-0-0')],
  ],
});
const withReport = (): Buffer =>
  buildOk({ status: STATUS.AUTOCOMMIT | STATUS.SESSION_STATE_CHANGED, tail: reportTail });

const resultOf = (rows: number): Buffer =>
  buildResultSet({
    columns: [{ name: 'c', type: COLUMN_TYPE.VAR_STRING, schema: 'sbtest', table: 'sbtest1' }],
    rows: Array.from({ length: rows }, () => ['x'.repeat(119)]),
    deprecateEof: false,
  });

/** Takes everything and keeps nothing. */
class CountingSink implements ScannerSink {
  bytes = 0;
  states = 0;
  pass(_chunk: Buffer, start: number, end: number): void {
    this.bytes += end - start;
  }
  emit(frame: Buffer): void {
    this.bytes += frame.length;
  }
  onState(): void {
    this.states += 1;
  }
  onPrepared(id: number): number {
    return id;
  }
  onError(): void {
    // None is sent.
  }
  onInfileRequest(): void {
    // None is asked for.
  }
}

function scanning(name: string, reply: Buffer, mode: ScannerMode): MicroOperation {
  const sink = new CountingSink();
  const scanner = new ResponseScanner(sink, mode);
  // The scanner changes what it is given, as it may change a read buffer.
  const chunk = Buffer.alloc(16 * 1024);
  const run = (): void => {
    reply.copy(chunk);
    scanner.begin('result', mode);
    scanner.feed(chunk, 0, reply.length);
    if (!scanner.done) throw new Error(`${name}: the reply has no end`);
  };
  return { name, run };
}

export const replyOperations: readonly MicroOperation[] = [
  scanning('scan: OK', framePackets(buildOk({ affectedRows: 1 }), 1), plainMode),
  scanning('scan: OK, its report taken off', framePackets(withReport(), 1), proxiedMode),
  scanning('scan: one row', resultOf(1), plainMode),
  scanning(
    'scan: one row, extra OK taken off',
    Buffer.concat([resultOf(1), framePackets(withReport(), 6)]),
    proxiedMode,
  ),
  scanning('scan: 100 rows', resultOf(100), plainMode),
];
