import { MysqlError } from '../mysql-error.ts';
import type { Insert, Statement } from '../translate/ast.ts';
import { bindValues } from './bind-values.ts';
import { makePlan } from './plan.ts';
import { type LocalFileResult, type OkResult, ok } from './result.ts';
import { runWrite } from './run-write.ts';
import type { DemoSession } from './session.ts';

type LoadData = Extract<Statement, { kind: 'loadData' }>;

const ROWS_AT_ONCE = 200;

/** LOAD DATA LOCAL INFILE: asks the client for the file; its rows go in like those of an INSERT. */
export function loadData(session: DemoSession, statement: LoadData): LocalFileResult {
  const database = statement.table.database || session.database;
  if (database === '') throw new MysqlError('NO_DATABASE');
  session.findTable(database, statement.table.name);
  if (session.variables.get('local_infile', 'global') !== 'ON') throw new MysqlError('LOCAL_FILES_OFF');
  return { kind: 'localFile', file: statement.file, load: (content) => load(session, statement, content) };
}

async function load(session: DemoSession, statement: LoadData, content: Buffer): Promise<OkResult> {
  const records = splitRecords(content.toString('utf8'), statement).slice(statement.ignoreLines);
  return session.write((connection) => {
    const now = new Date();
    let affected = 0;
    for (let at = 0; at < records.length; at += ROWS_AT_ONCE) {
      const insert: Insert = {
        kind: 'insert',
        mode: statement.mode,
        table: statement.table,
        columns: statement.columns,
        rows: records
          .slice(at, at + ROWS_AT_ONCE)
          .map((record) =>
            record.map((field) => (field === null ? { kind: 'null' } : { kind: 'string', value: field })),
          ),
        query: null,
        onDuplicate: [],
      };
      const plan = makePlan(session.environment([]), insert);
      if (plan.kind === 'insert' && plan.insert.table.autoIncrementColumn)
        session.store.prepareAutoIncrement(plan.insert.table);
      const values = bindValues(plan.binds, [], session, now);
      affected += runWrite(connection, plan, values, { foundRows: false, firstId: () => 0n }).affectedRows;
    }
    const skipped = Math.max(0, records.length - affected);
    return ok(affected, 0n, `Records: ${records.length}  Deleted: 0  Skipped: ${skipped}  Warnings: 0`);
  });
}

/** Cuts a file into records and fields; `\N` is NULL, a backslash takes the next character as it is. */
function splitRecords(text: string, format: Pick<LoadData, 'fieldEnd' | 'lineEnd' | 'enclosed'>): (string | null)[][] {
  const { fieldEnd, lineEnd, enclosed } = format;
  const records: (string | null)[][] = [];
  let record: (string | null)[] = [];
  let field = '';
  let isNull = false;
  let at = 0;
  const endField = (): void => {
    record.push(isNull ? null : field);
    field = '';
    isNull = false;
  };
  while (at < text.length) {
    if (enclosed !== '' && field === '' && text.startsWith(enclosed, at)) {
      const { value, end } = readEnclosed(text, at + enclosed.length, enclosed);
      field = value;
      at = end;
    } else if (text.startsWith(lineEnd, at)) {
      endField();
      records.push(record);
      record = [];
      at += lineEnd.length;
    } else if (text.startsWith(fieldEnd, at)) {
      endField();
      at += fieldEnd.length;
    } else if (text[at] === '\\' && at + 1 < text.length) {
      const next = text[at + 1] ?? '';
      if (next === 'N' && field === '') isNull = true;
      else
        field += ({ n: '\n', t: '\t', r: '\r', b: '\b', '0': '\0' } as Readonly<Record<string, string>>)[next] ?? next;
      at += 2;
    } else {
      field += text[at];
      at++;
    }
  }
  if (field !== '' || isNull || record.length > 0) {
    endField();
    records.push(record);
  }
  return records;
}

function readEnclosed(text: string, from: number, enclosed: string): { value: string; end: number } {
  let value = '';
  let at = from;
  while (at < text.length) {
    if (text.startsWith(enclosed + enclosed, at)) {
      value += enclosed;
      at += enclosed.length * 2;
    } else if (text.startsWith(enclosed, at)) return { value, end: at + enclosed.length };
    else if (text[at] === '\\' && at + 1 < text.length) {
      value += text[at + 1];
      at += 2;
    } else {
      value += text[at];
      at++;
    }
  }
  return { value, end: at };
}
