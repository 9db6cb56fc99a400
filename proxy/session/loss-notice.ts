import { OdpError } from '../errors/odp-error.ts';
import { COM } from '../wire/constants.ts';

/** Commands that say nothing of a lost transaction: they have no reply, or do not depend on one. */
const SILENT: ReadonlySet<number> = new Set<number>([COM.QUIT, COM.PING, COM.STMT_CLOSE, COM.STMT_SEND_LONG_DATA]);
/** Commands that end every transaction anyway. */
const ENDS_TRANSACTION: ReadonlySet<number> = new Set<number>([COM.RESET_CONNECTION, COM.CHANGE_USER]);

/** What a client has lost while it sent nothing, and has not been told of yet (C6). */
export class LossNotice {
  #loss: string | null = null;

  get text(): string | null {
    return this.#loss;
  }

  note(loss: string): void {
    this.#loss = loss;
  }

  clear(): void {
    this.#loss = null;
  }

  /** @returns the error that answers this command in the place of a server; null: there is nothing to tell */
  answerTo(command: number): OdpError | null {
    const loss = this.#loss;
    if (loss === null || SILENT.has(command)) return null;
    this.#loss = null;
    return ENDS_TRANSACTION.has(command) ? null : new OdpError('SERVER_CLOSED', { detail: loss });
  }
}
