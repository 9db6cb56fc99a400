/** Statements on the tables of the configuration, as root@proxysys sends them, on a store of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerTable } from '../command/config-table/answer-table.ts';
import { readTableStatement } from '../command/config-table/table-statement.ts';
import type { Caller, CommandServices } from '../command/services.ts';
import { ConfigStore } from '../config/config-store.ts';
import { type HistoryStore, openHistory } from '../history/history-store.ts';
import { changeTable, tableRows } from './tables.ts';

const actor = { actor: 'root@proxysys', source: 'sql', origin: '127.0.0.1', requestId: 'r1' } as const;

export interface TableBench {
  readonly history: HistoryStore;
  readonly store: ConfigStore;
  /** @returns rows as texts, or the number of affected rows */
  run(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

export async function openTables(): Promise<TableBench> {
  const log = { warn: () => undefined };
  const home = mkdtempSync(join(tmpdir(), 'odp-tables-'));
  const history = await openHistory(home, { log });
  const store = await ConfigStore.open({ history, log });
  const services: Pick<CommandServices, 'tableRows' | 'changeTable'> = {
    tableRows: async (table) => tableRows(store, table),
    changeTable: (change) => changeTable(store, change, actor),
  };
  return {
    history,
    store,
    run: async (sql) => {
      const statement = readTableStatement(sql);
      if (statement === null) throw new Error(`about no table: ${sql}`);
      const reply = await answerTable(statement, {} as Caller, services as CommandServices);
      if (reply.kind === 'rows') return reply.rows;
      return reply.kind === 'ok' ? reply.affectedRows : reply;
    },
    close: async () => {
      await history.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
