import { MysqlError } from '../mysql-error.ts';
import type { EngineConnection } from './connection.ts';
import type { TenantStore } from './tenant-store.ts';

const quoted = (name: string): string => `"s:${name.toLowerCase().replaceAll('"', '""')}"`;

/**
 * One session's transaction under READ COMMITTED as OceanBase has it: until its first write it reads what others have
 * committed; from then on it holds the tenant's writer lock and also sees its own changes.
 */
export class Transaction {
  readonly #owner: object;
  readonly #store: TenantStore;
  #explicit = false;
  #readOnly = false;
  #writing = false;
  /** Savepoints in the order they were set. */
  #savepoints: string[] = [];

  constructor(owner: object, store: TenantStore) {
    this.#owner = owner;
    this.#store = store;
  }

  /** Whether BEGIN was said or something was written that is not committed. */
  get open(): boolean {
    return this.#explicit || this.#writing;
  }

  get writing(): boolean {
    return this.#writing;
  }

  /** Names in the order they were set. */
  get savepoints(): readonly string[] {
    return this.#savepoints;
  }

  get readOnly(): boolean {
    return this.#readOnly;
  }

  begin(readOnly: boolean): void {
    this.commit();
    this.#explicit = true;
    this.#readOnly = readOnly;
  }

  /** The connection to write on, after the writer lock is taken. */
  async startWriting(timeoutMs: number, interrupt: AbortSignal): Promise<EngineConnection> {
    const { writer, lock } = this.#store;
    if (!this.#writing) {
      await lock.acquire(this.#owner, timeoutMs, interrupt);
      writer.exec('BEGIN IMMEDIATE');
      this.#writing = true;
      for (const name of this.#savepoints) writer.exec(`SAVEPOINT ${quoted(name)}`);
    }
    return writer;
  }

  commit(): void {
    this.#finish('COMMIT');
  }

  rollback(): void {
    this.#finish('ROLLBACK');
  }

  savepoint(name: string): void {
    this.#savepoints = [...this.#savepoints.filter((other) => other !== name.toLowerCase()), name.toLowerCase()];
    if (this.#writing) this.#store.writer.exec(`SAVEPOINT ${quoted(name)}`);
  }

  rollbackTo(name: string): void {
    const index = this.#indexOf(name);
    this.#savepoints = this.#savepoints.slice(0, index + 1);
    if (this.#writing) this.#store.writer.exec(`ROLLBACK TO ${quoted(name)}`);
  }

  release(name: string): void {
    const index = this.#indexOf(name);
    this.#savepoints = this.#savepoints.slice(0, index);
    if (this.#writing) this.#store.writer.exec(`RELEASE ${quoted(name)}`);
  }

  #indexOf(name: string): number {
    const index = this.#savepoints.indexOf(name.toLowerCase());
    if (index < 0) throw new MysqlError('SAVEPOINT_UNKNOWN');
    return index;
  }

  #finish(how: 'COMMIT' | 'ROLLBACK'): void {
    this.#explicit = false;
    this.#readOnly = false;
    this.#savepoints = [];
    if (!this.#writing) return;
    this.#writing = false;
    try {
      this.#store.writer.exec(how);
    } finally {
      this.#store.lock.release(this.#owner);
    }
  }
}
