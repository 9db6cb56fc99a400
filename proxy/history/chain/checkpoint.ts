import type { DatabaseWriter } from '../database.ts';
import type { HistoryRow } from '../history-row.ts';
import type { AuditKey } from './audit-key.ts';
import { chainStart, rowHash } from './row-hash.ts';

/** What the history was at a moment; see HistoryCheckpoint in prisma/schema.prisma. */
export interface Checkpoint {
  readonly at: Date;
  readonly format: number;
  readonly sealedId: number;
  readonly sealedHash: string;
  readonly removedId: number;
  readonly removedHash: string;
  readonly keptRows: number;
  readonly keptHash: string;
  readonly signature: string;
}

/** What a signature is over. */
function signedText(checkpoint: Omit<Checkpoint, 'signature'>): string {
  const { format, at, sealedId, sealedHash, removedId, removedHash, keptRows, keptHash } = checkpoint;
  return JSON.stringify([format, at.toISOString(), sealedId, sealedHash, removedId, removedHash, keptRows, keptHash]);
}

const checkpointFormat = 1;

/** Whether a checkpoint is as it was signed, with this key. */
export function isGenuine(checkpoint: Checkpoint, key: AuditKey): boolean {
  return checkpoint.format === checkpointFormat && key.verify(signedText(checkpoint), checkpoint.signature);
}

/** The newest checkpoint; null: the chain has not begun. */
export async function lastCheckpoint(reader: Pick<DatabaseWriter, 'historyCheckpoint'>): Promise<Checkpoint | null> {
  return await reader.historyCheckpoint.findFirst({ orderBy: { id: 'desc' } });
}

/** Signs and writes a checkpoint, inside the caller's transaction. */
export async function writeCheckpoint(
  writer: DatabaseWriter,
  key: AuditKey,
  facts: Omit<Checkpoint, 'format' | 'signature'>,
): Promise<void> {
  const data = { format: checkpointFormat, ...facts };
  await writer.historyCheckpoint.create({ data: { ...data, signature: key.sign(signedText(data)) } });
}

/** The last row's id and hash, or what the last checkpoint says of it when retention has taken it. */
export interface ChainHead {
  readonly id: number;
  readonly hash: string;
}

/** Where the next row is chained to. Counts only inside a transaction, which holds other writers back. */
export async function chainHead(writer: DatabaseWriter): Promise<ChainHead> {
  const row = await writer.historyRow.findFirst({ orderBy: { id: 'desc' }, select: { id: true, hash: true } });
  const checkpoint = await lastCheckpoint(writer);
  if (checkpoint !== null && (row === null || row.id < checkpoint.removedId)) {
    return { id: checkpoint.removedId, hash: checkpoint.removedHash };
  }
  return row ?? { id: 0, hash: chainStart };
}

/** One hash over the content of rows that stay when those around them are removed, in the order of their ids. */
export function contentHash(rows: readonly HistoryRow[]): string {
  return rows.reduce((before, row) => rowHash(before, row) ?? '', chainStart);
}
