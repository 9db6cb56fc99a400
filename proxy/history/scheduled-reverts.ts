import type { Database, DatabaseWriter } from './database.ts';

/** That a parameter goes back by itself; see prisma/schema.prisma. */
export interface StoredRevert {
  readonly id: number;
  readonly change: string;
  readonly name: string;
  readonly value: string;
  readonly revision: number;
  readonly dueAt: Date;
  readonly setAt: Date;
  readonly setBy: string;
  readonly reason: string;
}

/** Everything that is still to come or overdue, the next first. */
export async function loadReverts(database: Database): Promise<StoredRevert[]> {
  return await database.scheduledRevert.findMany({ orderBy: [{ dueAt: 'asc' }, { id: 'asc' }] });
}

export async function saveRevert(writer: DatabaseWriter, revert: Omit<StoredRevert, 'id'>): Promise<StoredRevert> {
  return await writer.scheduledRevert.create({ data: revert });
}

/** @returns false when it is gone already: another process, or another request, was faster */
export async function removeRevert(writer: DatabaseWriter, id: number): Promise<boolean> {
  const { count } = await writer.scheduledRevert.deleteMany({ where: { id } });
  return count === 1;
}
