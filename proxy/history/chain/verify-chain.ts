import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database.ts';
import type { HistoryRow } from '../history-row.ts';
import type { AuditKey } from './audit-key.ts';
import { type Checkpoint, contentHash, isGenuine } from './checkpoint.ts';
import { chainStart, rowHash } from './row-hash.ts';

/** One place where the chain does not hold. */
interface ChainBreak {
  /** The first entry that does not fit; null: it is none in particular. */
  readonly id: number | null;
  readonly what: string;
}

/** What a look at the whole chain found. */
export interface ChainReport {
  readonly state: 'intact' | 'broken';
  /** Rows looked at. */
  readonly rows: number;
  /** Id and hash of the newest row; what somebody notes down today proves tomorrow that nothing before it was altered. */
  readonly headId: number;
  readonly headHash: string;
  /** Rows up to this one were removed by the retention rule, but for the kept ones; 0: none. */
  readonly removedId: number;
  readonly keptRows: number;
  readonly checkpoints: number;
  /** The first ones, in the order of their ids. */
  readonly breaks: readonly ChainBreak[];
  /** Breaks in all. */
  readonly breakCount: number;
}

/** How the chain is looked at. */
export interface VerifyOptions {
  /** Null: missing. */
  readonly key: AuditKey | null;
  /** A row's id and hash noted down earlier. */
  readonly noted?: { readonly id: number; readonly hash: string } | undefined;
  /** Ends the look: it rejects with the reason. */
  readonly signal?: AbortSignal;
  /** Told the rows looked at so far and those that there are, about. */
  readonly onProgress?: (rows: number, total: number) => void;
}

/** Rows read at a time: each batch holds the thread for some milliseconds. */
const batchRows = 1_000;

/** Breaks that are told one by one. */
const maxBreaks = 20;

/**
 * Reads the whole history and checks every hash, every signature, and that nothing is missing at either end. Only reads;
 * rows may be added and removed by the retention rule meanwhile.
 */
export async function verifyChain(database: Database, options: VerifyOptions): Promise<ChainReport> {
  for (;;) {
    const checkpoints = await database.historyCheckpoint.findMany({ orderBy: { id: 'asc' } });
    const report = await new ChainReader(database, options, checkpoints).read();
    const [last] = await database.historyCheckpoint.findMany({ orderBy: { id: 'desc' }, take: 1 });
    // Rows were taken away under the reader's hands: what it found missing says nothing.
    if (last?.removedId === checkpoints.at(-1)?.removedId) return report;
  }
}

class ChainReader {
  readonly #database: Database;
  readonly #options: VerifyOptions;
  readonly #checkpoints: readonly Checkpoint[];
  readonly #breaks: ChainBreak[] = [];
  #breakCount = 0;

  constructor(database: Database, options: VerifyOptions, checkpoints: readonly Checkpoint[]) {
    this.#database = database;
    this.#options = options;
    this.#checkpoints = checkpoints;
  }

  async read(): Promise<ChainReport> {
    const last = this.#checkpoints.at(-1);
    const { removedId, removedHash, keptRows } = last ?? { removedId: 0, removedHash: chainStart, keptRows: 0 };
    this.#checkSignatures();
    if (last !== undefined) await this.#checkKept(last);
    const head = await this.#checkRows({ id: removedId, hash: removedHash });
    await this.#checkEnd(head.id);
    return {
      state: this.#breakCount === 0 ? 'intact' : 'broken',
      rows: head.rows + keptRows,
      headId: head.id,
      headHash: head.hash,
      removedId,
      keptRows,
      checkpoints: this.#checkpoints.length,
      breaks: this.#breaks,
      breakCount: this.#breakCount,
    };
  }

  #checkSignatures(): void {
    const { key } = this.#options;
    if (this.#checkpoints.length === 0) this.#broken(null, 'the checkpoint with which the chain begins is missing');
    else if (key === null) this.#broken(null, 'the key is missing (audit.key): checkpoints cannot be verified');
    else {
      const forged = this.#checkpoints.filter((checkpoint) => !isGenuine(checkpoint, key));
      if (forged.length === 0) return;
      const at = forged[0]?.at.toISOString();
      this.#broken(
        null,
        `${forged.length} checkpoints are not signed with the key ${key.fingerprint}, the first of ${at}`,
      );
    }
  }

  /** What retention has kept of the rows it removed is as it was when the checkpoint was signed. */
  async #checkKept({ removedId, keptHash }: Checkpoint): Promise<void> {
    const rows = await this.#database.$queryRaw<HistoryRow[]>`
      SELECT * FROM "HistoryRow" WHERE id <= ${removedId} ORDER BY id`;
    if (contentHash(rows) !== keptHash) {
      this.#broken(rows[0]?.id ?? null, `the entries kept up to ${removedId} are not those of the last checkpoint`);
    }
  }

  async #checkRows(start: { id: number; hash: string }): Promise<{ id: number; hash: string; rows: number }> {
    const sealed = new Map(this.#checkpoints.map(({ sealedId, sealedHash }) => [sealedId, sealedHash]));
    const total = (await this.#newestId()) - start.id;
    let { id, hash } = start;
    let rows = 0;
    for (;;) {
      const batch = await this.#database.$queryRaw<HistoryRow[]>`
        SELECT * FROM "HistoryRow" WHERE id > ${id} ORDER BY id LIMIT ${batchRows}`;
      for (const row of batch) {
        this.#checkRow(row, { id, hash });
        if ((sealed.get(row.id) ?? row.hash) !== row.hash)
          this.#broken(row.id, `entry ${row.id} is not the one sealed`);
        ({ id, hash } = row);
      }
      rows += batch.length;
      this.#options.onProgress?.(rows, Math.max(rows, total));
      if (batch.length < batchRows) break;
      await nextTurn();
      this.#options.signal?.throwIfAborted();
    }
    const missing = [...sealed.keys()].filter((one) => one > id);
    if (missing.length > 0)
      this.#broken(id + 1, `entries ${id + 1} to ${Math.max(...missing)}, once sealed, are missing`);
    const { noted } = this.#options;
    if (noted !== undefined && noted.id > id) this.#broken(noted.id, `entry ${noted.id}, noted down, is missing`);
    return { id, hash, rows };
  }

  #checkRow(row: HistoryRow, before: { id: number; hash: string }): void {
    const { noted } = this.#options;
    if (noted?.id === row.id && noted.hash !== row.hash) {
      this.#broken(row.id, `entry ${row.id} has another hash than the one noted down`);
    }
    if (row.chainFormat === 0) this.#broken(row.id, `entry ${row.id} is not part of the chain`);
    else if (rowHash(before.hash, row) === null) this.#broken(row.id, `entry ${row.id} is of a newer version's format`);
    else if (rowHash(before.hash, row) !== row.hash) {
      const gap = row.id - before.id - 1;
      const missing =
        gap === 1 ? `entry ${before.id + 1} is missing` : `entries ${before.id + 1} to ${row.id - 1} are missing`;
      const reason = gap > 0 ? missing : 'it, or what stands before it, was altered';
      this.#broken(row.id, `entry ${row.id} does not fit the one before it: ${reason}`);
    }
  }

  /** Ids are given in one run: the database remembers the last, also when its row is gone. */
  async #checkEnd(headId: number): Promise<void> {
    const given = await this.#database.$queryRaw<{ seq: bigint | number }[]>`
      SELECT seq FROM sqlite_sequence WHERE name = 'HistoryRow'`;
    const lastGiven = Number(given[0]?.seq ?? 0);
    // A row may have come in since the last batch was read.
    const newest = Math.max(headId, await this.#newestId());
    if (lastGiven > newest) this.#broken(headId + 1, `entries ${newest + 1} to ${lastGiven} at the end are missing`);
  }

  async #newestId(): Promise<number> {
    const newest = await this.#database.historyRow.findFirst({ orderBy: { id: 'desc' }, select: { id: true } });
    return newest?.id ?? 0;
  }

  #broken(id: number | null, what: string): void {
    this.#breakCount += 1;
    if (this.#breaks.length < maxBreaks) this.#breaks.push({ id, what });
  }
}
