/**
 * What of a client session goes from one generation of the proxy to another, besides its sockets: all that a client or a
 * server could notice the lack of. Log-in answers are in it, so it is written to nobody but the other generation.
 */
import { z } from 'zod';

/** Of the form below. Another form is another number: who does not know it leaves the session where it is. */
export const STATE_VERSION = 1;

const bytes = z.codec(z.base64(), z.custom<Buffer>(Buffer.isBuffer), {
  decode: (text): Buffer => Buffer.from(text, 'base64'),
  encode: (value) => value.toString('base64'),
});
const whole = z.int();
const named = z.tuple([z.string(), z.string()]);
const versioned = z.tuple([z.string(), z.string(), whole]);
const address = z.strictObject({ host: z.string(), port: whole });

const credentials = z.strictObject({
  serverUser: z.string(),
  authAnswer: bytes,
  authPlugin: z.string(),
  scramble: bytes,
  capabilities: whole,
  maxPacketBytes: whole,
  collation: whole,
  database: z.string(),
  clientAttributes: z.array(z.tuple([z.string(), bytes])),
  cluster: z.string(),
  tenant: z.string(),
  idVersion: whole,
  connectedAtMs: z.number(),
});

const framing = z.strictObject({
  isNewExtraInfo: z.boolean(),
  level: whole,
  requestId: whole,
  versions: z.strictObject({ offered: whole, current: whole, types: z.array(z.tuple([whole, whole])) }),
});

const serverState = z.strictObject({
  address: z.string(),
  database: z.string(),
  databaseVersion: whole,
  multiStatements: z.boolean(),
  requestCount: whole,
  clientCapabilities: whole,
  serverCapabilities: whole,
  extraOk: z.boolean(),
  connectionId: whole,
  synced: z.strictObject({ version: whole, values: z.array(named), differing: z.array(z.string()) }),
  /** Protocol 2.0; null: the plain one. */
  framing: framing.nullable(),
});

/** Which server session: its place in `servers`. */
const server = whole;

const statement = z.strictObject({
  id: whole,
  text: bytes,
  isTextWhole: z.boolean(),
  dialect: z.strictObject({
    charset: z.enum(['utf8mb4', 'gbk', 'gb18030', 'big5', 'latin1']),
    ansiQuotes: z.boolean(),
    noBackslashEscapes: z.boolean(),
  }),
  parameterCount: whole,
  parameterTypes: bytes.nullable(),
  serverIds: z.array(z.tuple([server, whole])),
  typedServers: z.array(server),
  /** An address: its end is still to be told. */
  holder: z.union([server, z.string()]).nullable(),
  hasCursor: z.boolean(),
  longData: z.array(bytes),
});

const sessionState = z.strictObject({
  stateVersion: z.literal(STATE_VERSION),
  id: whole,
  host: z.string(),
  port: whole,
  vip: address,
  connectedAtMs: z.number(),
  /** How long the client has been idle. */
  idleMs: z.number(),
  identity: z.enum(['proxysys', 'inspector', 'rootsys', 'ordinary']),
  user: z.string(),
  tenant: z.string(),
  clusterName: z.string(),
  /** Key of the cluster; null: a session of the proxy's own tenant. */
  cluster: z.string().nullable(),
  credentials: credentials.nullable(),
  database: z.string(),
  databaseVersion: whole,
  status: whole,
  multiStatements: z.boolean(),
  isOceanBase: z.boolean(),
  /** Its servers know clients' ids. */
  sharesIds: z.boolean(),
  heldBegin: bytes.nullable(),
  heldSets: z.array(bytes),
  transactionCount: whole,
  /** Unix time. */
  transactionBeganAtMs: z.number(),
  /** What is lost and has not been told. */
  loss: z.string().nullable(),
  variables: z.strictObject({
    version: whole,
    login: z.array(named),
    system: z.array(versioned),
    user: z.array(versioned),
    changes: z.strictObject({ hot: whole, system: whole, user: whole, lastInsertId: whole }),
  }),
  imposed: z.strictObject({ isReadOnly: z.boolean(), isWeak: z.boolean(), maxStaleUs: whole }),
  prepared: z.strictObject({ lastId: whole, statements: z.array(statement) }),
  servers: z.array(serverState),
  last: server.nullable(),
  lastInsertIdAt: server.nullable(),
  bound: server.nullable(),
  routesInside: z.boolean(),
  pinned: server.nullable(),
  pins: z.array(z.string()),
  lockCount: whole,
  stayOnLast: z.boolean(),
  routeAddress: z.string().nullable(),
  blocks: z.strictObject({ version: whole, blocks: z.array(z.tuple([whole, bytes, whole])) }),
  /** Bytes of the client that have been read, and belong to requests that have not begun. */
  unserved: bytes,
});

export type SessionState = z.output<typeof sessionState>;
export type ServerState = z.output<typeof serverState>;

/** As text without a line break. */
export function encodeState(state: SessionState): string {
  return JSON.stringify(z.encode(sessionState, state));
}

/** @throws Error with what is wrong with the text, none of whose values is in it */
export function decodeState(text: string): SessionState {
  const value: unknown = readJson(text);
  const version = (value as { stateVersion?: unknown } | null)?.stateVersion;
  if (version !== STATE_VERSION)
    throw new Error(`state version ${String(version)} is not known, only ${STATE_VERSION}`);
  const result = z.safeDecode(sessionState, value as z.input<typeof sessionState>);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`state of version ${STATE_VERSION}: ${issue?.path.join('.')} ${issue?.code}`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The error would quote what it does not understand.
    throw new Error('state that is no JSON');
  }
}
