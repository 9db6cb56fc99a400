/** What a stub tells of a cluster: many servers, all of them alive, in three zones. */
import { COLUMN_TYPE, STATUS } from '../../proxy/wire/constants.ts';
import { buildResultSet } from '../../proxy/wire/result-set.ts';

const zones = ['zone1', 'zone2', 'zone3'];

/** Addresses of this machine: 127.0.0.1 is the first, 250 to a network. */
export function stubHosts(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `127.0.${Math.floor(at / 250)}.${(at % 250) + 1}`);
}

export interface Metadata {
  /** The reply to one of the proxy's questions, framed; null: no such table. */
  answerTo(sql: string): Buffer | null;
}

/** The two views that tell zones and servers (OceanBase 4), in the proxy's columns. */
export function metadataOf(hosts: readonly string[], port: number): Metadata {
  const zoneReply = reply(
    ['zone', 'status', 'is_merging', 'region', 'spare4', 'spare5'],
    zones.map((zone) => [zone, 'ACTIVE', '0', 'SHANGHAI', zone, 'ReadWrite']),
  );
  const serverReply = reply(
    ['svr_ip', 'rpc_port', 'svr_port', 'zone', 'status', 'start_service_time', 'stop_time'],
    hosts.map((host, at) => [host, String(port + 1), String(port), zones[at % zones.length] ?? '', 'ACTIVE', '1', '0']),
  );
  return {
    answerTo: (sql) => {
      if (sql.includes('oceanbase.DBA_OB_ZONES')) return zoneReply;
      return sql.includes('oceanbase.DBA_OB_SERVERS') ? serverReply : null;
    },
  };
}

function reply(names: readonly string[], rows: readonly (readonly string[])[]): Buffer {
  return buildResultSet({
    columns: names.map((name) => ({ name, type: COLUMN_TYPE.VAR_STRING })),
    rows,
    status: STATUS.AUTOCOMMIT,
    deprecateEof: false,
  });
}
