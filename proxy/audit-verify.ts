/** `odp audit verify`: whether the chain of the history holds, told on the command line. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readAuditKey } from './history/chain/audit-key.ts';
import { type ChainReport, verifyChain } from './history/chain/verify-chain.ts';
import { openDatabase } from './history/database.ts';
import { databaseErrorText } from './history/database-error.ts';

/** What is to be verified. */
export interface AuditVerifyOptions {
  /** Folder with `odp.db` and `audit.key`; a proxy may be running on it. */
  readonly home: string;
  /** A row's id and hash noted down earlier; null: nothing is compared. */
  readonly noted: { readonly id: number; readonly hash: string } | null;
}

/**
 * Verifies and tells the result.
 * @returns exit code: 0 when the chain holds and has what was noted down, 1 when not
 * @throws Error when there is nothing to read
 */
export async function auditVerify({ home, noted }: AuditVerifyOptions, print: (line: string) => void): Promise<number> {
  const file = join(home, 'odp.db');
  // Opening would make an empty one.
  if (!existsSync(file)) throw new Error(`there is no ${file}: set ODP_HOME to the proxy's home`);
  const key = readAuditKey(home);
  const database = openDatabase(file);
  try {
    const report = await verifyChain(database, { key, noted: noted ?? undefined });
    for (const line of reportLines(report)) print(line);
    if (key !== null) print(`key       ${key.fingerprint}`);
    const isGone = noted !== null && noted.id <= report.removedId;
    if (isGone) print(`entry ${noted.id} was removed by the retention rule and cannot be compared any more`);
    return report.state === 'intact' && !isGone ? 0 : 1;
  } catch (error) {
    throw new Error(`${file} cannot be verified: ${databaseErrorText(error)}`, { cause: error });
  } finally {
    await database.$disconnect();
  }
}

function reportLines({ state, rows, headId, headHash, removedId, keptRows, breaks, ...counts }: ChainReport): string[] {
  const lines = [
    state === 'intact' ? 'the history is intact: every entry fits the one before it' : 'THE HISTORY IS BROKEN',
    ...breaks.map(({ what }) => `  ${what}`),
  ];
  if (counts.breakCount > breaks.length) lines.push(`  and ${counts.breakCount - breaks.length} more`);
  lines.push(`entries   ${rows}, ${counts.checkpoints} signed checkpoints`);
  if (removedId > 0) lines.push(`retention removed entries up to ${removedId}, of which ${keptRows} are kept`);
  // What --head takes: to be noted down where the proxy's account cannot write.
  lines.push(`head      ${headId}:${headHash}`);
  return lines;
}
