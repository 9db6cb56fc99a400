/** What a session notes with every request and its reply. */
import { RecentRequests } from '../../../proxy/session/recent-requests.ts';
import { type ClientRequest, UNROUTED } from '../../../proxy/session/request.ts';
import { SessionVariables, SyncedState } from '../../../proxy/session/session-variables.ts';
import { COM, STATUS } from '../../../proxy/wire/constants.ts';
import { encodeVariableBlock } from '../../../proxy/wire/ob-variables.ts';
import { buildOk, parseOk } from '../../../proxy/wire/ok-packet.ts';
import { framePackets } from '../../../proxy/wire/writer.ts';
import type { MicroOperation } from '../operation.ts';
import { pointSelect } from './statements.ts';

function reporting(name: string, reports: readonly Buffer[]): MicroOperation {
  const variables = new SessionVariables();
  const synced = new SyncedState();
  let at = 0;
  const run = (): void => {
    const report = reports[at] as Buffer;
    at = (at + 1) % reports.length;
    if (variables.apply(report, 0, report.length, synced).partitionHit !== true)
      throw new Error(`${name}: no hit told`);
  };
  return { name, run };
}

/** The session state in an OceanBase server's OK. */
function reportWith(autocommit: string): Buffer {
  const tail = encodeVariableBlock({
    system: [
      ['autocommit', Buffer.from(autocommit)],
      ['ob_proxy_partition_hit', Buffer.from('1')],
      ['ob_statement_trace_id', Buffer.from('Y4C37F000001-000612345678ABCD-0-0')],
    ],
  });
  return parseOk(buildOk({ status: STATUS.SESSION_STATE_CHANGED, tail }), true).state ?? Buffer.alloc(0);
}

function tracing(): MicroOperation {
  const recent = new RecentRequests();
  const request: ClientRequest = {
    command: COM.QUERY,
    bytes: framePackets(Buffer.concat([Buffer.of(COM.QUERY), Buffer.from(pointSelect)]), 0),
    complete: true,
    info: null,
    replyKind: 'result',
    statement: null,
    ...UNROUTED,
  };
  return {
    name: 'recent requests: one noted',
    run: () => {
      recent.begin(request, 'sbtest');
      recent.sentTo('10.0.0.1:2881');
      recent.end(0);
      if (recent.running !== null) throw new Error('a request is noted as running');
    },
  };
}

export const stateOperations: readonly MicroOperation[] = [
  reporting('variables: the same report again', [reportWith('1')]),
  reporting('variables: another report', [reportWith('0'), reportWith('1')]),
  tracing(),
];
