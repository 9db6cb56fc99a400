import type { Database, DatabaseWriter } from './database.ts';

/** The stored text of a parameter that was ever changed. */
export interface StoredParameter {
  readonly name: string;
  readonly value: string;
  /** Grows by one with each change; 1 is the first. */
  readonly revision: number;
  readonly changedAt: Date;
  readonly changedBy: string;
}

/** Everything that is stored; parameters never changed have no row. */
export async function loadParameters(database: Database): Promise<StoredParameter[]> {
  return await database.parameter.findMany();
}

/**
 * Writes a new text if the row still has the revision before it.
 * @returns false when another process was faster: nothing is written.
 */
export async function saveParameter(writer: DatabaseWriter, parameter: StoredParameter): Promise<boolean> {
  const { name, ...data } = parameter;
  if (parameter.revision > 1) {
    const { count } = await writer.parameter.updateMany({ where: { name, revision: parameter.revision - 1 }, data });
    return count === 1;
  }
  if ((await writer.parameter.count({ where: { name } })) > 0) return false;
  await writer.parameter.create({ data: parameter });
  return true;
}
