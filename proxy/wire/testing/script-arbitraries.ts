/** Random reply scripts for property tests. */
import fc from 'fast-check';
import { buildColumn } from '../result-set.ts';
import type { OkExtras, ReplyScript, ResultStep, ScriptStep } from './reply-script.ts';

const bytes = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));

/** Messages and states on both sides of the 250-byte limit of one-byte lengths. */
const extras: fc.Arbitrary<OkExtras> = fc
  .record({
    message: fc.oneof(
      { weight: 4, arbitrary: fc.constant(Buffer.alloc(0)) },
      bytes(12),
      fc.constant(Buffer.alloc(300, 0x6d)),
    ),
    state: fc.oneof(
      { weight: 2, arbitrary: fc.constant(null) },
      { weight: 2, arbitrary: bytes(30) },
      fc.constant(Buffer.alloc(251, 0x73)),
      fc.constant(Buffer.alloc(0)),
    ),
    flagged: fc.boolean(),
    writesEmptyMessage: fc.boolean(),
  })
  .map((made) => (made.state === null || made.flagged ? made : { ...made, state: null }));

const warnings = fc.constantFrom(0, 1, 300);
const lengthValue = fc.constantFrom(0, 1, 250, 251, 65535, 65536, 0xffffff, 0x1000000, 2 ** 40);
const definition = fc
  .record({ name: fc.constantFrom('id', 'c', 'x'.repeat(64)), type: fc.constantFrom(3, 253) })
  .map((column) => Buffer.from(buildColumn(column)));

/** First bytes that a row may have: a length, NULL, a binary row's 0. 0xfe and 0xff only begin other packets here. */
const row = fc
  .tuple(fc.oneof(fc.constantFrom(0x00, 0x01, 0xfb, 0xfc, 0xfd), fc.integer({ min: 0, max: 0xfd })), bytes(20))
  .map(([first, rest]) => Buffer.concat([Buffer.of(first), rest]));

const result = (endings: readonly ResultStep['ending'][]): fc.Arbitrary<ResultStep> =>
  fc
    .tuple(extras, fc.array(definition, { minLength: 1, maxLength: 4 }), fc.array(row, { maxLength: 6 }), warnings)
    .chain(([made, columns, rows, warningCount]) =>
      fc.constantFrom(...endings).map((ending) => ({
        ...made,
        step: 'result' as const,
        columns,
        rows,
        ending,
        warnings: warningCount,
      })),
    );

const ok: fc.Arbitrary<ScriptStep> = fc
  .tuple(extras, lengthValue, lengthValue, warnings, fc.boolean())
  .map(([made, affectedRows, insertId, warningCount, inTransaction]) => ({
    ...made,
    step: 'ok' as const,
    affectedRows,
    insertId,
    warnings: warningCount,
    inTransaction,
  }));

const error: fc.Arbitrary<ScriptStep> = fc.constantFrom(1064, 1146, 4012).map((errno) => ({ step: 'error', errno }));
const end: fc.Arbitrary<ScriptStep> = fc
  .tuple(extras, warnings)
  .map(([made, warningCount]) => ({ ...made, step: 'end' as const, warnings: warningCount }));
const infile: fc.Arbitrary<ScriptStep[]> = fc
  .tuple(bytes(10), fc.oneof(ok, error))
  .map(([name, after]) => [{ step: 'infile' as const, name }, after]);

const steps: fc.Arbitrary<ScriptStep[]> = fc.oneof(
  { weight: 3, arbitrary: result(['end', 'error', 'cursor']).map((step) => [step]) },
  { weight: 2, arbitrary: ok.map((step) => [step]) },
  error.map((step) => [step]),
  end.map((step) => [step]),
  infile,
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.array(fc.oneof(result(['end']), ok), { minLength: 1, maxLength: 3 }),
        fc.oneof(
          result(['end', 'error']).map((step): ScriptStep[] => [step]),
          ok.map((step) => [step]),
          error.map((step) => [step]),
          infile,
        ),
      )
      .map(([before, last]) => [...before, ...last]),
  },
);

/** Any reply to any command. */
export const replyScript: fc.Arbitrary<ReplyScript> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('result' as const), steps, extra: extras }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('prepare' as const),
      errno: fc.constantFrom(null, null, null, 1064),
      serverId: fc.integer({ min: 1, max: 0xffffffff }),
      parameters: fc.array(definition, { maxLength: 3 }),
      columns: fc.array(definition, { maxLength: 3 }),
      extra: extras,
    }),
  },
  fc
    .record({
      kind: fc.constantFrom('rows' as const, 'fields' as const),
      body: result(['end', 'error']),
      extra: extras,
    })
    .map(
      (script): ReplyScript =>
        script.kind === 'fields' ? { ...script, body: { ...script.body, rows: script.body.columns } } : script,
    ),
  fc.record({
    kind: fc.constant('single' as const),
    errno: fc.constantFrom(null, null, 1227),
    text: bytes(40).map((text) => (text[0] === 0xff ? Buffer.of(0x55) : text)),
    extra: extras,
  }),
);
