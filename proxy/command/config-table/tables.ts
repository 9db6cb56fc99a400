/** The tables that root@proxysys reads and changes with SQL (reference: odp-config §4): their columns, as data. */
import { configColumns, writableColumns } from './config-row.ts';

/** A row as texts; what was left out of a statement has its default. */
export type TableRow = Readonly<Record<string, string>>;

export interface Table {
  readonly name: 'proxy_config' | 'resource_unit' | 'ssl_config' | 'white_list';
  /** In the order of `SELECT *`. */
  readonly columns: readonly string[];
  /** Those that a statement can give; the others follow. */
  readonly writable: readonly string[];
  /** Those that it must give. */
  readonly required: readonly string[];
  /** Of those that it need not give. */
  readonly defaults: TableRow;
}

export type TableName = Table['name'];

const ofTenant = ['cluster_name', 'tenant_name', 'name', 'value'] as const;

const tables: readonly Table[] = [
  {
    name: 'proxy_config',
    columns: configColumns,
    writable: writableColumns,
    required: ['name', 'value', 'config_level'],
    defaults: { vid: '-1', vip: '', vport: '0', tenant_name: '', cluster_name: '' },
  },
  // What a row of these means is kept as parameters: resource_max_connections, ssl_key_info and client_white_list.
  { name: 'resource_unit', columns: ofTenant, writable: ofTenant, required: ofTenant, defaults: {} },
  { name: 'ssl_config', columns: ofTenant, writable: ofTenant, required: ofTenant, defaults: {} },
  {
    name: 'white_list',
    columns: ofTenant,
    writable: ofTenant,
    required: ['cluster_name', 'tenant_name', 'value'],
    defaults: { name: '' },
  },
];

/** Tables of the reference that this proxy does not have. */
export const otherTables: readonly string[] = ['all_table_version'];

/** Finds a table whatever the case of the letters. */
export function findTable(name: string): Table | undefined {
  const wanted = name.toLowerCase();
  return tables.find((table) => table.name === wanted);
}
