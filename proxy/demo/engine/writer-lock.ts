import { MysqlError } from '../mysql-error.ts';

interface Waiter {
  readonly owner: object;
  readonly grant: () => void;
}

/**
 * The one lock under which a tenant's data change: first come, first served. A holder keeps it from its first write to
 * the end of its transaction.
 */
export class WriterLock {
  #holder: object | null = null;
  readonly #waiters: Waiter[] = [];

  isHeldBy(owner: object): boolean {
    return this.#holder === owner;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  /**
   * Waits for the lock.
   * @param timeoutMs LOCK_WAIT_TIMEOUT after so long
   * @param interrupt rejects the wait with its reason (KILL)
   */
  async acquire(owner: object, timeoutMs: number, interrupt: AbortSignal): Promise<void> {
    if (this.#holder === owner) return;
    interrupt.throwIfAborted();
    if (this.#holder === null) {
      this.#holder = owner;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (reason: unknown): void => {
        const index = this.#waiters.indexOf(waiter);
        if (index >= 0) this.#waiters.splice(index, 1);
        finish();
        reject(reason);
      };
      const timer = setTimeout(() => leave(new MysqlError('LOCK_WAIT_TIMEOUT')), timeoutMs);
      const interrupted = (): void => leave(interrupt.reason);
      const finish = (): void => {
        clearTimeout(timer);
        interrupt.removeEventListener('abort', interrupted);
      };
      const waiter: Waiter = {
        owner,
        grant: () => {
          finish();
          resolve();
        },
      };
      interrupt.addEventListener('abort', interrupted, { once: true });
      this.#waiters.push(waiter);
    });
  }

  release(owner: object): void {
    if (this.#holder !== owner) return;
    const next = this.#waiters.shift();
    this.#holder = next?.owner ?? null;
    next?.grant();
  }
}
