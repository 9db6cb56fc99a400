import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { passwordStage2 } from '../../wire/auth.ts';
import type { ClusterState } from '../cluster-state.ts';
import { type ParsedStatement, parseStatement } from '../translate/parse-statement.ts';
import { splitStatements, type Token } from '../translate/tokens.ts';
import { storedPassword } from './accounts.ts';
import type { DemoSession } from './session.ts';
import { TenantStore } from './tenant-store.ts';
import type { SharedTransaction } from './transaction-sharing.ts';

/** Longest text whose parsed form is kept. */
const MAX_KEPT_TEXT = 8192;

export interface StatementText {
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** Stage-1 SHA1 of the password of `proxyro@sys`, the user that a proxy asks the cluster's state with. */
const PROXYRO_STAGE1 = 'ee0e5138c912aed80b683c05303684be347ce81d';

/** Data and sessions of the whole demo cluster: what its servers have in common. */
export class DemoEngine {
  readonly state: ClusterState;
  readonly tenants = new Map<string, TenantStore>();
  readonly sessions = new Map<number, DemoSession>();
  /** Open transactions whose statements may go to several servers, by id. */
  readonly transactions = new Map<number, SharedTransaction>();
  readonly #parsed = new LRUCache<string, readonly StatementText[]>({ max: 500 });
  readonly #statements = new LRUCache<string, ParsedStatement>({ max: 500 });
  #lastConnectionId = 3_221_487_616;
  #lastTrace = 0;
  #lastTransactionId = 0;

  /** @param directory holds one file per tenant; made when it is missing */
  constructor(directory: string, state: ClusterState) {
    this.state = state;
    mkdirSync(directory, { recursive: true });
    const tenants: readonly [string, number][] = [
      ['sys', 1],
      ['trade', 1002],
    ];
    for (const [name, id] of tenants)
      this.tenants.set(name, new TenantStore(name, id, join(directory, `${name}.sqlite`)));
    this.#createFirstUsers();
  }

  tenant(name: string): TenantStore | undefined {
    return this.tenants.get(name);
  }

  newConnectionId(): number {
    this.#lastConnectionId++;
    return this.#lastConnectionId;
  }

  newTransactionId(): number {
    return ++this.#lastTransactionId;
  }

  /** A trace id as OceanBase writes it: `Y` + address in hex, dash, running number. */
  newTraceId(ip: string, rpcPort: number): string {
    this.#lastTrace++;
    const address = ip
      .split('.')
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('');
    return `Y${rpcPort.toString(16).toUpperCase()}${address.toUpperCase()}-${this.#lastTrace.toString(16).toUpperCase().padStart(16, '0')}-0-0`;
  }

  /** Cuts a request at its semicolons; kept by text. */
  split(sql: string): readonly StatementText[] {
    const kept = this.#parsed.get(sql);
    if (kept) return kept;
    const parts = splitStatements(sql);
    if (sql.length <= MAX_KEPT_TEXT) this.#parsed.set(sql, parts);
    return parts;
  }

  parse({ text, tokens }: StatementText): ParsedStatement {
    const kept = this.#statements.get(text);
    if (kept) return kept;
    const parsed = parseStatement(text, tokens);
    if (text.length <= MAX_KEPT_TEXT) this.#statements.set(text, parsed);
    return parsed;
  }

  /** Rolls back what is open and closes the files. */
  close(): void {
    for (const session of [...this.sessions.values()]) {
      session.interrupt();
      session.close();
    }
    for (const tenant of this.tenants.values()) tenant.close();
  }

  #createFirstUsers(): void {
    for (const tenant of this.tenants.values()) {
      if (tenant.accounts.all.length > 0) continue;
      tenant.accounts.save('root', null);
      for (const database of ['oceanbase', 'mysql', 'information_schema', 'test']) tenant.createDatabase(database);
      if (tenant.name === 'sys') tenant.accounts.save('proxyro', passwordStage2(Buffer.from(PROXYRO_STAGE1, 'hex')));
      else tenant.accounts.save('app', storedPassword('app-secret'));
    }
  }
}
