/** The table `proxy_config`, which root@proxysys reads and changes with SQL (reference: odp-config §4). */

/** Its columns, in the order of `SELECT *`. */
export const configColumns = [
  'vid',
  'vip',
  'vport',
  'tenant_name',
  'cluster_name',
  'name',
  'value',
  'info',
  'range',
  'need_reboot',
  'visible_level',
  'config_level',
] as const;
export type ConfigColumn = (typeof configColumns)[number];

/** A row: a parameter's text for everybody, or for a part of the sessions. Secrets are stars. */
export type ConfigRow = Readonly<Record<ConfigColumn, string>>;

/** The columns that a statement can give; the others follow from the parameter. */
export const writableColumns = [
  'vid',
  'vip',
  'vport',
  'tenant_name',
  'cluster_name',
  'name',
  'value',
  'config_level',
] as const satisfies readonly ConfigColumn[];
/** Values as given; what was left out has its default. */
export type WrittenRow = Readonly<Record<(typeof writableColumns)[number], string>>;
