/** A database behind everything that is measured. */
export interface Backend {
  readonly name: 'mariadb' | 'kernel';
  readonly port: number;
  /** As a client of the server itself gives it; through the proxy `#cluster` follows. No password. */
  readonly user: string;
  readonly clusterName: string;
  /** Holds sysbench's tables. */
  readonly database: string;
  /** With its number. */
  readonly version: string;
  /** Errors after which a transaction is simply tried again: conflicts, in this server's numbers. */
  readonly conflicts: readonly number[];
  close(): Promise<void>;
}
