import type { DemoServer } from '../cluster-state.ts';
import type { SqlValue, VirtualTable } from '../translate/context.ts';
import { isMaximum } from '../translate/partition-condition.ts';
import type { Column, Table, Tablet } from './catalog.ts';
import { allVariables } from './global-variables.ts';
import { boundType, encodeBounds, objectType } from './high-bound.ts';
import { routineRows } from './sample-routines.ts';
import type { DemoSession } from './session.ts';
import type { TenantStore } from './tenant-store.ts';
import { virtualTable } from './virtual-table.ts';

type Row = Readonly<Record<string, SqlValue>>;

const LEADER = 1n;
const FOLLOWER = 2n;
/** Replica types: full, and read-only in the ReadOnly zones. */
const FULL_REPLICA = 0n;
const READ_ONLY_REPLICA = 16n;
const USER_TABLE = 3n;
const SYSTEM_TABLE = 0n;
const DUMMY_TABLE_ID = 135n;
const PARTITION_TYPES = { hash: 0n, key: 1n, range: 3n, 'range columns': 4n, list: 5n, 'list columns': 6n } as const;

/** The tables that a proxy asks for locations, partitions and variables; columns as in OceanBase 4.x. */
export function proxyTables(session: DemoSession): VirtualTable[] {
  const { engine } = session;
  const tenants = [...engine.tenants.values()];
  const oceanbase = (name: string, columns: string, rows: () => readonly Row[]): VirtualTable =>
    virtualTable('oceanbase', name, columns, rows);
  return [
    oceanbase(
      '__all_virtual_proxy_schema',
      'tenant_name database_name table_name tablet_id:n svr_ip sql_port:n table_id:n role:n part_num:n replica_num:n ' +
        'table_type:n schema_version:n replica_type:n dup_replica_type:n memstore_percent:n spare1:n spare2:n spare3:n ' +
        'spare4 spare5 spare6 complex_table_type:n level1_decoded_db_name level1_decoded_table_name ' +
        'level2_decoded_db_name level2_decoded_table_name',
      () => tenants.flatMap((tenant) => schemaRows(session, tenant)),
    ),
    oceanbase('__all_virtual_proxy_partition_info', PARTITION_INFO_COLUMNS, () => tenants.flatMap(partitionInfoRows)),
    oceanbase(
      '__all_virtual_proxy_partition',
      'tenant_name table_id:n part_id:n part_name status:n low_bound_val low_bound_val_bin:b high_bound_val ' +
        'high_bound_val_bin:b part_position:n tablet_id:n sub_part_num:n sub_part_space:n sub_part_interval ' +
        'sub_part_interval_bin:b sub_interval_start sub_interval_start_bin:b spare1:n spare2:n spare3:n spare4 spare5 spare6',
      () => tenants.flatMap(partitionRows),
    ),
    oceanbase(
      '__all_virtual_proxy_sub_partition',
      'tenant_name table_id:n part_id:n sub_part_id:n part_name status:n low_bound_val low_bound_val_bin:b ' +
        'high_bound_val high_bound_val_bin:b sub_part_position:n tablet_id:n spare1:n spare2:n spare3:n spare4 spare5 spare6',
      () => [],
    ),
    oceanbase(
      '__all_virtual_proxy_routine',
      'tenant_name database_name package_name routine_name routine_id:n routine_type:n schema_version:n routine_sql:l ' +
        'spare1:n spare2:n spare3:n spare4 spare5 spare6',
      () => tenants.flatMap(routineRows),
    ),
    oceanbase('__all_virtual_proxy_sys_variable', 'name data_type:n value flags:n modified_time:n', () =>
      variableRows(session),
    ),
    oceanbase('__all_virtual_tablet_to_ls', 'tenant_id:n tablet_id:n ls_id:n table_id:n', () =>
      tenants.flatMap((tenant) =>
        tenant.tables.flatMap((table) =>
          table.definition.tablets.map((tablet) => ({
            tenant_id: BigInt(tenant.id),
            tablet_id: BigInt(tablet.tabletId),
            ls_id: 1001n + BigInt(tablet.leaderSlot % 3),
            table_id: BigInt(table.definition.tableId),
          })),
        ),
      ),
    ),
    oceanbase(
      '__all_virtual_column',
      'tenant_id:n table_id:n column_id:n column_name data_type:n data_length:n data_precision:n data_scale:n nullable:n ' +
        'autoincrement:n is_hidden:n collation_type:n column_flags:n prev_column_id:n cur_default_value_v2:b',
      () => tenants.flatMap(columnRows),
    ),
    oceanbase('__all_dummy', 'key:n', () => []),
  ];
}

/** One row per replica. Without a condition on tablet_id a genuine server answers for tablet 0 only. */
function schemaRows(session: DemoSession, tenant: TenantStore): Row[] {
  const { state } = session.engine;
  const allTablets = /\btablet_id\s*(=|in\b)/i.test(session.currentText);
  const rows: Row[] = [];
  const add = (base: Row, tablet: Pick<Tablet, 'tabletId' | 'leaderSlot'>, shownId: number): void => {
    const leader = state.leaderOf(tablet);
    for (const server of state.present)
      rows.push({ ...base, ...replica(session, server, server === leader), tablet_id: BigInt(shownId) });
  };
  const dummy = { tabletId: 0, leaderSlot: tenant.id };
  add(
    {
      ...tableFields(tenant, 'oceanbase', '__all_dummy', DUMMY_TABLE_ID, 1, SYSTEM_TABLE),
      schema_version: BigInt(tenant.schemaVersion),
    },
    dummy,
    0,
  );
  for (const table of tenant.tables) {
    const { definition } = table;
    const [first] = definition.tablets;
    const fields = tableFields(
      tenant,
      table.database,
      table.name,
      BigInt(definition.tableId),
      definition.tablets.length,
      USER_TABLE,
    );
    const base = {
      ...fields,
      schema_version: BigInt(definition.schemaVersion),
      dup_replica_type: definition.duplicate ? 1n : 0n,
    };
    if (first) add(base, first, 0);
    if (allTablets) for (const tablet of definition.tablets) add(base, tablet, tablet.tabletId);
  }
  return rows;
}

function tableFields(
  tenant: TenantStore,
  database: string,
  table: string,
  id: bigint,
  parts: number,
  type: bigint,
): Row {
  return {
    tenant_name: tenant.name,
    database_name: database,
    table_name: table,
    table_id: id,
    part_num: BigInt(parts),
    table_type: type,
    dup_replica_type: 0n,
    memstore_percent: 100n,
    spare2: 0n,
    spare3: 0n,
    complex_table_type: 0n,
  };
}

function replica({ engine }: DemoSession, server: DemoServer, leads: boolean): Row {
  const readOnly = engine.state.zone(server.zone)?.type === 'ReadOnly';
  return {
    svr_ip: server.ip,
    sql_port: BigInt(server.sqlPort),
    role: leads ? LEADER : FOLLOWER,
    replica_num: BigInt(engine.state.present.length),
    replica_type: readOnly ? READ_ONLY_REPLICA : FULL_REPLICA,
    spare1: BigInt(server.rpcPort),
  };
}

const PARTITION_INFO_COLUMNS =
  'tenant_name table_id:n part_level:n all_part_num:n template_num:n part_id_rule_ver:n part_type:n part_num:n ' +
  'is_column_type:n part_space:n part_expr part_expr_bin:b part_range_type part_interval part_interval_bin:b ' +
  'interval_start interval_start_bin:b sub_part_type:n sub_part_num:n is_sub_column_type:n sub_part_space:n ' +
  'sub_part_expr sub_part_expr_bin:b sub_part_range_type def_sub_part_interval def_sub_part_interval_bin:b ' +
  'def_sub_interval_start def_sub_interval_start_bin:b part_key_num:n part_key_name part_key_type:n part_key_idx:n ' +
  'part_key_level:n part_key_extra part_key_collation_type:n part_key_rowkey_idx:n part_key_expr part_key_length:n ' +
  'part_key_precision:n part_key_scale:n spare1:n spare2:n spare3:n spare4 spare5 spare6 part_key_default_value:l';

const EMPTY_TEXTS = Object.fromEntries(
  (
    'part_expr_bin part_interval part_interval_bin interval_start interval_start_bin sub_part_expr sub_part_expr_bin ' +
    'sub_part_range_type def_sub_part_interval def_sub_part_interval_bin def_sub_interval_start ' +
    'def_sub_interval_start_bin part_key_extra part_key_expr spare4 spare5 spare6'
  )
    .split(' ')
    .map((name) => [name, '']),
);

/** One row per column of the partitioning key. */
function partitionInfoRows(tenant: TenantStore): Row[] {
  return tenant.tables.flatMap((table): Row[] => {
    const { definition } = table;
    const { partition } = definition;
    if (!partition) return [];
    const columns = partitionColumns(table);
    const ranged = partition.method.startsWith('range');
    return columns.map((column) => ({
      ...EMPTY_TEXTS,
      tenant_name: tenant.name,
      table_id: BigInt(definition.tableId),
      part_level: 1n,
      all_part_num: BigInt(partition.count),
      template_num: 0n,
      part_id_rule_ver: 0n,
      part_type: PARTITION_TYPES[partition.method],
      part_num: BigInt(partition.count),
      is_column_type: 0n,
      part_space: 0n,
      part_expr: partition.columns.join(','),
      part_range_type: ranged ? columns.map(boundType).join(',') : '',
      sub_part_type: 0n,
      sub_part_num: 0n,
      is_sub_column_type: 0n,
      sub_part_space: 0n,
      part_key_num: BigInt(columns.length),
      part_key_name: column.name,
      part_key_type: BigInt(objectType(column)),
      part_key_idx: BigInt(table.columns.indexOf(column)),
      part_key_level: 1n,
      part_key_rowkey_idx: BigInt(
        table.primaryKey.findIndex((name) => name.toLowerCase() === column.name.toLowerCase()),
      ),
      ...keyShape(column),
      spare1: BigInt(definition.schemaVersion),
      spare2: 0n,
      spare3: 0n,
    }));
  });
}

/** Numbers of a table's columns begin here. */
const FIRST_COLUMN_ID = 16;

function columnRows(tenant: TenantStore): Row[] {
  return tenant.tables.flatMap((table) =>
    table.columns.map((column, index): Row => {
      const { spec } = column;
      const shape = keyShape(column);
      return {
        tenant_id: BigInt(tenant.id),
        table_id: BigInt(table.definition.tableId),
        column_id: BigInt(FIRST_COLUMN_ID + index),
        column_name: column.name,
        data_type: BigInt(objectType(column)),
        data_length: shape.part_key_length ?? -1n,
        data_precision: shape.part_key_precision ?? -1n,
        data_scale: shape.part_key_scale ?? -1n,
        nullable: spec.notNull || table.primaryKey.includes(column.name) ? 0n : 1n,
        autoincrement: spec.autoIncrement ? 1n : 0n,
        is_hidden: 0n,
        collation_type: shape.part_key_collation_type ?? 63n,
        column_flags: 0n,
        prev_column_id: index === 0 ? 0n : BigInt(FIRST_COLUMN_ID + index - 1),
        cur_default_value_v2: spec.defaultValue === undefined ? null : 'default',
      };
    }),
  );
}

function partitionColumns(table: Table): Column[] {
  return (table.definition.partition?.columns ?? []).flatMap((name) => table.column(name) ?? []);
}

function keyShape({ type }: Column): Row {
  if (type.kind === 'char' || type.kind === 'varchar') {
    const collation = type.binaryCollation ? 46n : 45n;
    return {
      part_key_collation_type: collation,
      part_key_length: BigInt(type.length),
      part_key_precision: -1n,
      part_key_scale: -1n,
    };
  }
  return {
    part_key_collation_type: 63n,
    part_key_length: -1n,
    part_key_precision: BigInt(type.length),
    part_key_scale: BigInt(type.scale),
  };
}

function partitionRows(tenant: TenantStore): Row[] {
  return tenant.tables.flatMap((table): Row[] => {
    const { definition } = table;
    const { partition } = definition;
    if (!partition) return [];
    const columns = partitionColumns(table);
    const list = partition.method.startsWith('list');
    const bounded = list || partition.method.startsWith('range');
    return definition.tablets.map((tablet, index): Row => {
      const part = partition.partitions[index];
      const rows = part?.values ?? [];
      return {
        tenant_name: tenant.name,
        table_id: BigInt(definition.tableId),
        part_id: BigInt(tablet.partitionId),
        part_name: tablet.partitionName,
        status: 0n,
        low_bound_val: '',
        low_bound_val_bin: '',
        high_bound_val: bounded ? boundText(rows, part?.bound ?? '') : null,
        high_bound_val_bin: bounded ? encodeBounds(rows, columns, list) : null,
        part_position: bounded ? 0n : BigInt(index),
        tablet_id: BigInt(tablet.tabletId),
        sub_part_num: 0n,
        sub_part_space: 0n,
        spare1: BigInt(definition.schemaVersion),
        spare2: 0n,
        spare3: 0n,
        spare4: '',
        spare5: '',
        spare6: '',
      };
    });
  });
}

function boundText(rows: readonly (readonly { readonly kind: string }[])[], bound: string): string {
  if (rows.some((row) => row.some((item) => item.kind === 'default'))) return 'DEFAULT';
  return rows.length === 1 &&
    rows[0]?.length === 1 &&
    rows[0][0] &&
    isMaximum(rows[0][0] as Parameters<typeof isMaximum>[0])
    ? 'MAXVALUE'
    : bound.replace(/\s*,\s*/g, ',');
}

const DATA_TYPES = { bool: 5n, int: 5n, decimal: 15n, string: 22n } as const;

function variableRows(session: DemoSession): Row[] {
  const { globals } = session.store;
  return [...allVariables()].map((spec) => {
    const value = globals.get(spec);
    return {
      name: spec.name,
      data_type: DATA_TYPES[spec.kind],
      value: spec.kind === 'bool' ? (value === 'ON' ? '1' : '0') : value,
      flags: BigInt(spec.flags),
      modified_time: BigInt(globals.version),
    };
  });
}
