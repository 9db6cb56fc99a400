import type { Database, DatabaseWriter } from './database.ts';

/** Which row: one text for each of these. Cluster and tenant are compared whatever the case of their letters. */
export interface OverrideKey {
  readonly cluster: string;
  readonly tenant: string;
  readonly vip: string;
  readonly vport: number;
  readonly vid: number;
  readonly name: string;
}

/** A parameter's stored text for a part of the sessions; see prisma/schema.prisma. */
export interface StoredOverride extends OverrideKey {
  readonly level: string;
  readonly value: string;
  readonly revision: number;
  readonly changedAt: Date;
  readonly changedBy: string;
}

/** Everything that is stored, in the order of the key. */
export async function loadOverrides(database: Database): Promise<StoredOverride[]> {
  return await database.parameterOverride.findMany({
    orderBy: [{ cluster: 'asc' }, { tenant: 'asc' }, { vip: 'asc' }, { vport: 'asc' }, { vid: 'asc' }, { name: 'asc' }],
  });
}

/**
 * Writes a text, or removes it, if the row still has the revision before.
 * @param before revision of the row; null: there is none
 * @param after null: remove
 * @returns false when another process was faster: nothing is written.
 */
export async function saveOverride(
  writer: DatabaseWriter,
  key: OverrideKey,
  before: number | null,
  after: Omit<StoredOverride, keyof OverrideKey> | null,
): Promise<boolean> {
  const { cluster, tenant, vip, vport, vid, name } = key;
  const where = { cluster, tenant, vip, vport, vid, name };
  if (before === null) {
    if (after === null) return (await writer.parameterOverride.count({ where })) === 0;
    if ((await writer.parameterOverride.count({ where })) > 0) return false;
    await writer.parameterOverride.create({ data: { ...where, ...after } });
    return true;
  }
  const guarded = { ...where, revision: before };
  const { count } =
    after === null
      ? await writer.parameterOverride.deleteMany({ where: guarded })
      : await writer.parameterOverride.updateMany({ where: guarded, data: after });
  return count === 1;
}
