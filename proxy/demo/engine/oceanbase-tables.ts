import type { SqlValue, VirtualTable } from '../translate/context.ts';
import type { DemoSession } from './session.ts';
import type { TenantStore } from './tenant-store.ts';
import { virtualTable } from './virtual-table.ts';

type Row = Readonly<Record<string, SqlValue>>;

/** A moment in microseconds as the views write it. */
function momentText(micros: number | null): string | null {
  if (micros === null) return null;
  const date = new Date(micros / 1000);
  return `${date.toISOString().slice(0, 19).replace('T', ' ')}.${String(micros % 1_000_000).padStart(6, '0')}`;
}

/** The cluster as tenant sys sees it: servers, zones, tenants, parameters, log-stream locations. */
export function oceanbaseTables(session: DemoSession): VirtualTable[] {
  const { state, tenants } = session.engine;
  const oceanbase = (name: string, columns: string, rows: () => readonly Row[]): VirtualTable =>
    virtualTable('oceanbase', name, columns, rows);
  const all = [...tenants.values()];
  const serverRow = (server: (typeof state.servers)[number]): Row => ({
    SVR_IP: server.ip,
    SVR_PORT: BigInt(server.rpcPort),
    SQL_PORT: BigInt(server.sqlPort),
    ID: BigInt(server.id),
    ZONE: server.zone,
    STATUS: server.status,
  });
  return [
    oceanbase(
      'DBA_OB_SERVERS',
      'SVR_IP SVR_PORT:n ID:n ZONE SQL_PORT:n WITH_ROOTSERVER STATUS START_SERVICE_TIME:t STOP_TIME:t ' +
        'BLOCK_MIGRATE_IN_TIME:t CREATE_TIME:t MODIFY_TIME:t BUILD_VERSION LAST_OFFLINE_TIME:t',
      () =>
        state.present.map((server, index) => ({
          ...serverRow(server),
          WITH_ROOTSERVER: index === 0 ? 'YES' : 'NO',
          START_SERVICE_TIME: momentText(server.startServiceTime),
          STOP_TIME: momentText(server.stopTime),
          CREATE_TIME: momentText(server.startServiceTime),
          MODIFY_TIME: momentText(server.stopTime ?? server.startServiceTime),
          BUILD_VERSION: '4.3.5.3 (ODP demo cluster)',
        })),
    ),
    oceanbase('DBA_OB_ZONES', 'ZONE CREATE_TIME:t MODIFY_TIME:t STATUS IDC REGION TYPE', () =>
      state.zones.map((zone) => ({
        ZONE: zone.name,
        STATUS: zone.status,
        IDC: zone.idc,
        REGION: zone.region,
        TYPE: zone.type,
      })),
    ),
    oceanbase(
      '__all_virtual_zone_stat',
      'zone is_merging:n status server_count:n resource_pool_count:n unit_count:n cluster region spare1:n spare2:n spare3:n spare4 spare5 spare6',
      () =>
        state.zones.map((zone) => ({
          zone: zone.name,
          is_merging: zone.merging ? 1n : 0n,
          status: zone.status,
          server_count: 1n,
          cluster: state.clusterName,
          region: zone.region,
          spare4: zone.idc,
          spare5: zone.type,
        })),
    ),
    oceanbase(
      'CDB_OB_ZONE_MAJOR_COMPACTION',
      'TENANT_ID:n ZONE BROADCAST_SCN:n LAST_SCN:n LAST_FINISH_TIME:t START_TIME:t STATUS',
      () =>
        all.flatMap((tenant) =>
          state.zones.map((zone) => ({
            TENANT_ID: BigInt(tenant.id),
            ZONE: zone.name,
            STATUS: zone.merging ? 'COMPACTING' : 'IDLE',
          })),
        ),
    ),
    oceanbase(
      'DBA_OB_TENANTS',
      'TENANT_ID:n TENANT_NAME TENANT_TYPE CREATE_TIME:t MODIFY_TIME:t PRIMARY_ZONE LOCALITY PREVIOUS_LOCALITY ' +
        'COMPATIBILITY_MODE STATUS IN_RECYCLEBIN LOCKED TENANT_ROLE SWITCHOVER_STATUS',
      () =>
        all.map((tenant) => ({
          TENANT_ID: BigInt(tenant.id),
          TENANT_NAME: tenant.name,
          TENANT_TYPE: tenant.id === 1 ? 'SYS' : 'USER',
          PRIMARY_ZONE: tenant.primaryZone,
          LOCALITY: tenant.locality,
          COMPATIBILITY_MODE: 'MYSQL',
          STATUS: 'NORMAL',
          IN_RECYCLEBIN: 'NO',
          LOCKED: 'NO',
          TENANT_ROLE: 'PRIMARY',
          SWITCHOVER_STATUS: 'NORMAL',
        })),
    ),
    ...['V$OB_PARAMETERS', 'GV$OB_PARAMETERS'].map((name) =>
      oceanbase(name, 'SVR_IP SVR_PORT:n ZONE SCOPE TENANT_ID:n NAME DATA_TYPE VALUE INFO SECTION EDIT_LEVEL', () =>
        parameterRows(session).map(([parameter, type, value]) => ({
          SVR_IP: session.identity.server.ip,
          SVR_PORT: BigInt(session.identity.server.rpcPort),
          ZONE: session.identity.server.zone,
          SCOPE: 'CLUSTER',
          NAME: parameter,
          DATA_TYPE: type,
          VALUE: value,
          EDIT_LEVEL: 'READONLY',
        })),
      ),
    ),
    oceanbase(
      'CDB_OB_LS_LOCATIONS',
      'CREATE_TIME:t MODIFY_TIME:t TENANT_ID:n LS_ID:n SVR_IP SVR_PORT:n SQL_PORT:n ZONE ROLE MEMBER_LIST PAXOS_REPLICA_NUMBER:n REPLICA_TYPE',
      () => all.flatMap((tenant) => logStreamRows(session, tenant)),
    ),
  ];
}

function parameterRows({ engine, identity }: DemoSession): (readonly [name: string, type: string, value: string])[] {
  return [
    ['cluster', 'STRING', engine.state.clusterName],
    ['cluster_id', 'INT', '1'],
    ['mysql_port', 'INT', String(identity.server.sqlPort)],
    ['rpc_port', 'INT', String(identity.server.rpcPort)],
    ['zone', 'STRING', identity.server.zone],
  ];
}

/** Three log streams per tenant (one for sys), each led from another ReadWrite zone. */
function logStreamRows({ engine: { state } }: DemoSession, tenant: TenantStore): Row[] {
  const ids = tenant.id === 1 ? [1] : [1, 1001, 1002, 1003];
  return ids.flatMap((id) => {
    const leader =
      (id === 1 ? undefined : state.tenantLeader(tenant.id)) ??
      state.leaderOf({ tabletId: 0, leaderSlot: id === 1 ? 0 : id - 1001 });
    return state.present.map((server) => ({
      TENANT_ID: BigInt(tenant.id),
      LS_ID: BigInt(id),
      SVR_IP: server.ip,
      SVR_PORT: BigInt(server.rpcPort),
      SQL_PORT: BigInt(server.sqlPort),
      ZONE: server.zone,
      ROLE: server === leader ? 'LEADER' : 'FOLLOWER',
      PAXOS_REPLICA_NUMBER: 3n,
      REPLICA_TYPE: state.zone(server.zone)?.type === 'ReadOnly' ? 'READONLY' : 'FULL',
    }));
  });
}
