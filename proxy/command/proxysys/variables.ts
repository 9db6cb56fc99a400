import type { CommandServices } from '../services.ts';

/** System variables that clients ask for when they connect, with values that suit a server without tables. */
const fixed: Readonly<Record<string, string>> = {
  autocommit: '1',
  auto_increment_increment: '1',
  auto_increment_offset: '1',
  character_set_client: 'utf8mb4',
  character_set_connection: 'utf8mb4',
  character_set_database: 'utf8mb4',
  character_set_results: 'utf8mb4',
  character_set_server: 'utf8mb4',
  character_set_system: 'utf8mb4',
  collation_connection: 'utf8mb4_general_ci',
  collation_database: 'utf8mb4_general_ci',
  collation_server: 'utf8mb4_general_ci',
  default_storage_engine: 'OceanBase',
  error_count: '0',
  foreign_key_checks: '1',
  have_openssl: 'NO',
  have_ssl: 'NO',
  init_connect: '',
  interactive_timeout: '28800',
  license: 'Apache-2.0',
  lower_case_file_system: 'OFF',
  lower_case_table_names: '2',
  max_allowed_packet: '16777216',
  net_buffer_length: '16384',
  net_read_timeout: '30',
  net_write_timeout: '60',
  performance_schema: '0',
  protocol_version: '10',
  query_cache_size: '0',
  query_cache_type: 'OFF',
  read_only: '1',
  sql_auto_is_null: '0',
  sql_mode: 'STRICT_ALL_TABLES',
  sql_safe_updates: '0',
  sql_select_limit: '18446744073709551615',
  system_time_zone: 'UTC',
  time_zone: '+00:00',
  transaction_isolation: 'READ-COMMITTED',
  transaction_read_only: '0',
  tx_isolation: 'READ-COMMITTED',
  tx_read_only: '0',
  unique_checks: '1',
  version_comment: 'OceanBase Database Proxy (internal account, no database)',
  version_compile_machine: process.arch,
  version_compile_os: process.platform,
  wait_timeout: '28800',
  warning_count: '0',
};

/** Name and value of every system variable of the proxysys tenant, sorted by name. */
export function proxysysVariables(services: CommandServices): ReadonlyMap<string, string> {
  const all = { ...fixed, version: services.mysqlVersion };
  return new Map(Object.entries(all).sort(([left], [right]) => (left < right ? -1 : 1)));
}
