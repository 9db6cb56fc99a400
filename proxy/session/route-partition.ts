/** The partition that a request needs, and where it is: the work is done only for partitioned tables. */
import type { KeyColumn, Partition, Partitioning } from '../cluster/partitioning.ts';
import type { TableLocation } from '../cluster/topology.ts';
import { OdpError } from '../errors/odp-error.ts';
import { conditionsText, partitioningText } from '../routing/partition/describe-key.ts';
import { keyColumnsOf, type OperandResolver, partitionFor } from '../routing/partition/key-ranges.ts';
import type { Constant } from '../routing/partition/key-value.ts';
import type { SqlDialect } from '../sql/classify.ts';
import { type KeyConditions, readKeyConditions } from '../sql/key-conditions.ts';
import type { KeyOperand } from '../sql/key-operand.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import { COM, HEADER_LENGTH } from '../wire/constants.ts';
import { readParameters } from './execute-parameters.ts';
import type { ClientRequest } from './request.ts';
import { goesByPartition, rememberPlaces } from './route-memo.ts';
import type { RoutedSession } from './routed-session.ts';
import type { SessionCluster } from './session-context.ts';

/** What the calculation needs of a request. */
export type KeyedRequest = Pick<ClientRequest, 'info' | 'command' | 'bytes' | 'complete' | 'statement'>;

/** What a text says of a table's key. Texts that come again, and prepared ones, are read once. */
interface KeyReading {
  readonly partitioning: Partitioning;
  readonly dialect: SqlDialect;
  readonly columns: readonly KeyColumn[];
  readonly conditions: KeyConditions | null;
  /** The answer, when it hangs on nothing but the text; undefined: it does. */
  readonly partition: Partition | null | undefined;
}

const readings = new WeakMap<StatementInfo, KeyReading>();

/** Nothing of a request is needed to know it. */
const isFixed = ({ kind }: KeyOperand): boolean => kind !== 'parameter' && kind !== 'variable';
const constantsOnly: OperandResolver = (operand) =>
  operand.kind === 'parameter' || operand.kind === 'variable' ? undefined : operand;

const isPartitioned = (session: RoutedSession, location: TableLocation): boolean =>
  location.partitionCount > 1 && goesByPartition(session);

/** Null: more than one may be needed, or it isn't known which. */
function neededPartition(session: RoutedSession, request: KeyedRequest, partitioning: Partitioning): Partition | null {
  const { info } = request;
  if (info === null || info.table === null) return null;
  const { dialect } = session;
  let reading = readings.get(info);
  if (reading?.partitioning !== partitioning || reading.dialect !== dialect) {
    reading = read(request, info, info.table.name, partitioning, dialect);
    readings.set(info, reading);
  }
  const { partition, conditions, columns } = reading;
  if (partition !== undefined || conditions === null) return partition ?? null;
  return partitionFor(partitioning, columns, conditions, resolverFor(session, request));
}

function read(
  request: KeyedRequest,
  info: StatementInfo,
  table: string,
  partitioning: Partitioning,
  dialect: SqlDialect,
): KeyReading {
  const columns = keyColumnsOf(partitioning);
  const { tableAt, truncated } = info;
  const positions = columns.map(({ insert }) => insert?.position ?? null);
  const question = { table, tableAt, columns: columns.map(({ name }) => name), positions, truncated };
  const text = textOf(request);
  const conditions = text === null ? null : readKeyConditions(text, dialect, question);
  const isSettled = conditions === null || conditions.terms.every(({ operand }) => isFixed(operand));
  const partition =
    conditions === null ? null : isSettled ? partitionFor(partitioning, columns, conditions, constantsOnly) : undefined;
  return { partitioning, dialect, columns, conditions, partition };
}

function textOf({ command, bytes, statement }: KeyedRequest): Buffer | null {
  if (command === COM.QUERY || command === COM.STMT_PREPARE) return bytes.subarray(HEADER_LENGTH + 1);
  return statement?.isTextWhole ? statement.text : null;
}

function resolverFor(session: RoutedSession, request: KeyedRequest): OperandResolver {
  let parameters: (Constant | undefined)[] | null | undefined;
  return (operand) => {
    if (operand.kind === 'parameter') {
      if (parameters === undefined) parameters = parametersOf(session, request);
      return parameters?.[operand.index];
    }
    return operand.kind === 'variable' ? userVariable(session, operand.name) : operand;
  };
}

/** Null: not whole, without types, or none at all. Texts are taken only in the character set they are compared in. */
function parametersOf(session: RoutedSession, request: KeyedRequest): (Constant | undefined)[] | null {
  const { command, bytes, complete, statement } = request;
  if (command !== COM.STMT_EXECUTE || !complete || statement === null) return null;
  const payload = bytes.subarray(HEADER_LENGTH);
  let values: ReturnType<typeof readParameters>;
  try {
    values = readParameters(payload, statement.parameterCount, statement.parameterTypes);
  } catch (error) {
    // Parameters that are cut off are the server's to refuse (case B49).
    if (error instanceof OdpError) return null;
    throw error;
  }
  if (session.dialect.charset === 'utf8mb4') return values;
  return values?.map((value) => (value?.kind === 'string' && !isAscii(value.bytes) ? undefined : value)) ?? null;
}

const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80);

/** From the literal that the servers have told; texts only in their plainest form. */
function userVariable(session: RoutedSession, name: string): Constant | undefined {
  const literal = session.variables.userVariable(name);
  if (literal === undefined) return undefined;
  if (/^-?\d+(\.\d+)?$/.test(literal)) return { kind: 'number', text: literal };
  const text = /^'([ -&(-[\]-~]*)'$/.exec(literal)?.[1];
  return text === undefined ? undefined : { kind: 'string', bytes: Buffer.from(text) };
}

/** A request's partition as told to people. */
export interface NeededPartition {
  /** Null: not one for certain. */
  readonly name: string | null;
  readonly tabletId: string | null;
  /** What it was found by, or why it was not, in words. */
  readonly because: string;
}

/** The place of a text's partition, or of its table, and which partition that is; null: its table goes by none. */
export async function explainPartition(
  session: RoutedSession,
  cluster: SessionCluster,
  info: StatementInfo,
  sql: Buffer,
  location: TableLocation,
): Promise<{ readonly location: TableLocation; readonly partition: NeededPartition | null }> {
  if (!isPartitioned(session, location)) return { location, partition: null };
  const bytes = Buffer.concat([Buffer.alloc(HEADER_LENGTH + 1), sql]);
  const request: KeyedRequest = { info, command: COM.QUERY, bytes, complete: true, statement: null };
  const partitioning = await cluster.partitioning(location);
  const found = partitioning === null ? null : neededPartition(session, request, partitioning);
  const place = found === null ? null : await cluster.locatePartition(location, found);
  const because = partitionReason(info, partitioning, found);
  return {
    location: place ?? location,
    partition: { name: found?.name ?? null, tabletId: found?.tabletId ?? null, because },
  };
}

function partitionReason(info: StatementInfo, partitioning: Partitioning | null, found: Partition | null): string {
  if (partitioning === null) return 'the proxy cannot calculate how this table is partitioned, or nobody could tell';
  const key = partitioningText(partitioning);
  const reading = readings.get(info);
  if (info.isMulti) return `${key}: several statements in one text`;
  if (reading === undefined || reading.conditions === null) return `${key}: the statement says nothing certain of it`;
  const known = `${key}: ${conditionsText(reading.conditions, reading.columns)}`;
  return found === null ? `${known}, which does not fix one partition` : known;
}

/**
 * The place of the request's partition; of its table when the partition isn't known. A promise only when something has
 * to be asked for.
 */
export function locateNeeded(
  session: RoutedSession,
  cluster: SessionCluster,
  request: KeyedRequest,
  location: TableLocation,
): TableLocation | Promise<TableLocation> {
  if (!isPartitioned(session, location)) {
    if (request.info !== null) rememberPlaces(session, cluster, request.info, location, location);
    return location;
  }
  const partitioning = cluster.partitioning(location);
  if (partitioning instanceof Promise) {
    return partitioning.then((found) => locateIn(session, cluster, request, location, found));
  }
  return locateIn(session, cluster, request, location, partitioning);
}

function locateIn(
  session: RoutedSession,
  cluster: SessionCluster,
  request: KeyedRequest,
  location: TableLocation,
  partitioning: Partitioning | null,
): TableLocation | Promise<TableLocation> {
  const { info } = request;
  const partition = partitioning === null ? null : neededPartition(session, request, partitioning);
  const place = partition === null ? location : cluster.locatePartition(location, partition);
  if (place instanceof Promise) return place.then((found) => found ?? location);
  // Otherwise another value of a parameter or variable leads elsewhere.
  const isOfText = partitioning === null || (info !== null && readings.get(info)?.partition !== undefined);
  if (info !== null && place !== null && isOfText) rememberPlaces(session, cluster, info, location, place);
  return place ?? location;
}
