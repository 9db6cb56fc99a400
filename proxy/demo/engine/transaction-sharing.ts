/**
 * Transactions whose statements go to several servers (C9). The server where one began coordinates it; others take part
 * once a proxy has brought them the state blocks. Every request on the way raises the version: whoever has not been
 * told of the newest one has been left behind by the proxy, and that ends the transaction.
 */
import { blockValue, makeBlock, SESSION_BLOCK, type SessionBlock } from '../../wire/ob20/session-blocks.ts';
import { MysqlError } from '../mysql-error.ts';
import type { Statement } from '../translate/ast.ts';
import type { DemoSession } from './session.ts';
import { Transaction } from './transaction.ts';

/** What one transaction's servers have in common. */
export interface SharedTransaction {
  readonly id: number;
  readonly coordinator: DemoSession;
  readonly transaction: Transaction;
  /** Ids of servers that have run a request of it. */
  readonly servers: Set<number>;
  version: number;
}

/** Statements that a server runs which only takes part (as a genuine one: DML and SET). */
const FOR_PARTICIPANTS: ReadonlySet<Statement['kind']> = new Set(['select', 'insert', 'update', 'delete', 'set']);

export interface RequestOutcome {
  readonly blocks: readonly SessionBlock[];
  /** The transaction goes on, and its statements may go to several servers. */
  readonly grantsRouting: boolean;
}

const NO_OUTCOME: RequestOutcome = { blocks: [], grantsRouting: false };

/** One session's part in it. */
export class TransactionSharing {
  readonly #session: DemoSession;
  #shared: SharedTransaction | null = null;
  #isOffered = false;
  /** Refuses to take part, be the statement what it may. */
  refusesToTakePart = false;
  /** What the proxy has told of the transaction. */
  #toldId = 0;
  #toldVersion = 0;
  #staticId = 0;

  constructor(session: DemoSession) {
    this.#session = session;
  }

  get #takesPart(): boolean {
    return this.#shared !== null && this.#shared.coordinator !== this.#session;
  }

  /** A request has come with these blocks. */
  requestBegins(blocks: readonly SessionBlock[], isOffered: boolean): void {
    this.#isOffered = isOffered;
    for (const block of blocks) {
      const [id = 0, version = 0] = blockValue(block).toString('latin1').split(' ').map(Number);
      if (block.type === SESSION_BLOCK.TRANSACTION_STATIC) this.#staticId = id;
      if (block.type === SESSION_BLOCK.TRANSACTION_DYNAMIC) {
        this.#toldId = id;
        this.#toldVersion = version;
      }
    }
    const told = this.#session.engine.transactions.get(this.#toldId) ?? null;
    if (told === this.#shared || told?.coordinator === this.#session) return;
    if (told !== null && told.id === this.#staticId) this.#join(told);
    else if (this.#takesPart) this.#leave();
  }

  #join(shared: SharedTransaction): void {
    this.#shared = shared;
    this.#session.transaction = shared.transaction;
  }

  #leave(): void {
    this.#shared = null;
    this.#session.transaction = new Transaction(this.#session, this.#session.store);
  }

  /** @throws MysqlError when this statement cannot be run here now */
  check(kind: Statement['kind'], isAlone: boolean): void {
    const shared = this.#shared;
    if (shared === null) return;
    if (this.#toldId !== shared.id || this.#toldVersion !== shared.version) {
      shared.transaction.rollback();
      throw new MysqlError('TRANSACTION_STATE_OLD', { told: this.#toldVersion, version: shared.version });
    }
    if (!this.#takesPart) return;
    if (this.refusesToTakePart || !isAlone || !FOR_PARTICIPANTS.has(kind)) throw new MysqlError('NOT_FOR_PARTICIPANTS');
  }

  /** @returns what the answer has to tell the proxy */
  requestEnds(): RequestOutcome {
    const { transaction, identity } = this.#session;
    if (this.#shared === null) {
      if (!transaction.open || !this.#isOffered) return NO_OUTCOME;
      this.#begin();
    } else if (!transaction.open) return this.#end(this.#shared);
    const shared = this.#shared;
    if (shared === null) return NO_OUTCOME;
    shared.version++;
    shared.servers.add(identity.server.id);
    this.#toldId = shared.id;
    this.#toldVersion = shared.version;
    const text = (type: number, value: string): SessionBlock => makeBlock(type, Buffer.from(value));
    const blocks = [
      text(SESSION_BLOCK.TRANSACTION_DYNAMIC, `${shared.id} ${shared.version}`),
      text(SESSION_BLOCK.TRANSACTION_PARTICIPANTS, [...shared.servers].join(' ')),
    ];
    if (!this.#takesPart) {
      blocks.push(
        text(SESSION_BLOCK.TRANSACTION_STATIC, `${shared.id} ${identity.connectionId}`),
        text(SESSION_BLOCK.TRANSACTION_EXTRA, transaction.savepoints.join(' ')),
      );
    }
    return { blocks, grantsRouting: true };
  }

  #begin(): void {
    const { engine, transaction } = this.#session;
    const shared: SharedTransaction = {
      id: engine.newTransactionId(),
      coordinator: this.#session,
      transaction,
      servers: new Set(),
      version: 0,
    };
    engine.transactions.set(shared.id, shared);
    this.#shared = shared;
  }

  #end(shared: SharedTransaction): RequestOutcome {
    this.#session.engine.transactions.delete(shared.id);
    if (this.#takesPart) this.#leave();
    this.#shared = null;
    this.#toldId = 0;
    this.#toldVersion = 0;
    const ended = [SESSION_BLOCK.TRANSACTION_STATIC, SESSION_BLOCK.TRANSACTION_DYNAMIC];
    return { blocks: ended.map((type) => makeBlock(type, Buffer.from('0 0'))), grantsRouting: false };
  }

  /** The session is over: what it coordinates is rolled back, what it only takes part in goes on. */
  close(): void {
    if (!this.#takesPart) this.#session.transaction.rollback();
    if (this.#shared?.coordinator === this.#session) this.#session.engine.transactions.delete(this.#shared.id);
    this.#shared = null;
  }
}
