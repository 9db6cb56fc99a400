/** From the bytes of a request to what its statement is. */
import { RequestIntake } from '../../../proxy/session/request-intake.ts';
import { classifyStatement, defaultDialect } from '../../../proxy/sql/classify.ts';
import { StatementCache } from '../../../proxy/sql/statement-cache.ts';
import type { StatementKind } from '../../../proxy/sql/statement-info.ts';
import { COM } from '../../../proxy/wire/constants.ts';
import { framePackets } from '../../../proxy/wire/writer.ts';
import type { MicroOperation } from '../operation.ts';

export const pointSelect = 'SELECT c FROM sbtest1 WHERE id=5021';
const update = "UPDATE sbtest3 SET c='68487932199-96439406143-93774651418-41631865787-96406072701' WHERE id=4987";
const rangeSelect = 'SELECT DISTINCT c FROM sbtest2 WHERE id BETWEEN 4810 AND 4909 ORDER BY c';
const join =
  'SELECT /*+ READ_CONSISTENCY(WEAK) */ o.id, u.name FROM shop.orders o JOIN users u ON u.id = o.user_id WHERE o.id = 7';
const noLimits = { maxBytes: 64 * 1024, incomplete: false };

function classifying(name: string, sql: string, kind: StatementKind): MicroOperation {
  const text = Buffer.from(sql);
  const run = (): void => {
    if (classifyStatement(text, defaultDialect, noLimits).kind !== kind) throw new Error(`${name}: not ${kind}`);
  };
  return { name: `classify: ${name}`, run };
}

function remembering(): MicroOperation {
  const statements = new StatementCache();
  const text = Buffer.from(pointSelect);
  const run = (): void => {
    if (statements.classify(text, defaultDialect, noLimits).table?.name !== 'sbtest1') throw new Error('no table');
  };
  return { name: 'classify: point select, remembered', run };
}

function takingIn(): MicroOperation {
  const chunk = framePackets(Buffer.concat([Buffer.of(COM.QUERY), Buffer.from(pointSelect)]), 0);
  let begun = 0;
  const intake = new RequestIntake({
    mayBegin: true,
    begin: () => {
      begun += 1;
    },
    pauseReading: () => undefined,
    resumeReading: () => undefined,
    closeWith: (reason) => {
      throw new Error(reason);
    },
  });
  return {
    name: 'read: one request in a chunk',
    run: () => {
      const before = begun;
      intake.take(chunk, 0, chunk.length);
      if (begun !== before + 1) throw new Error('no request was begun');
    },
  };
}

export const statementOperations: readonly MicroOperation[] = [
  takingIn(),
  classifying('BEGIN', 'BEGIN', 'begin'),
  classifying('point select', pointSelect, 'select'),
  classifying('range with DISTINCT', rangeSelect, 'select'),
  classifying('UPDATE', update, 'update'),
  classifying('join with a hint', join, 'select'),
  remembering(),
];
