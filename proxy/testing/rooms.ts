/**
 * The rooms of this tree: what each is for and what it may import. `proxy/imports.test.ts` holds the code to it, and
 * holds CONTRIBUTING.md to the same lines.
 */
export interface Room {
  /** Folder below the root, without a slash at its end. `proxy` itself stands for the files directly in it. */
  readonly path: string;
  readonly purpose: string;
  /** A room of a rank may import rooms of lower rank. Null: only what `imports` lists. */
  readonly rank: number | null;
  /** Paths it may import besides: rooms or single files. */
  readonly imports?: readonly string[];
  /** Bytes and decisions only: no sockets, files, processes or drivers. */
  readonly pure?: boolean;
}

export const rooms: readonly Room[] = [
  { path: 'proxy', rank: 17, purpose: 'start: the command line' },
  {
    path: 'proxy/supervisor',
    rank: 16,
    imports: ['proxy/options.ts', 'proxy/demo'],
    purpose: 'the processes: starts the proxy, the console and a demo cluster, and restarts what dies',
  },
  {
    path: 'proxy/coordinator',
    rank: 15,
    purpose: 'what there is once: configuration, cluster metadata, history, the control API',
  },
  { path: 'proxy/worker', rank: 14, purpose: 'the data plane: one thread that serves client sessions' },
  { path: 'proxy/control', rank: 13, purpose: 'HTTP API and event stream for the console; its contract' },
  {
    path: 'proxy/command',
    rank: 12,
    purpose: 'SHOW PROXY…, ALTER PROXYCONFIG and the other statements the proxy answers itself',
  },
  {
    path: 'proxy/upgrade',
    rank: 11,
    pure: true,
    purpose: 'replacing a generation by a new one: what is decided when, and how it is told',
  },
  {
    path: 'proxy/session',
    rank: 10,
    purpose: 'client and server sessions: login, variables, transactions, prepared statements',
  },
  { path: 'proxy/routing', rank: 9, pure: true, purpose: 'which server a request goes to, and why' },
  { path: 'proxy/congestion', rank: 8, pure: true, purpose: 'the blocklists: which servers receive nothing, and why' },
  { path: 'proxy/cluster', rank: 7, purpose: 'what is known of a cluster: servers, zones, table locations' },
  { path: 'proxy/config', rank: 6, purpose: 'the parameter table: type, unit, range, default, text of each' },
  { path: 'proxy/history', rank: 5, purpose: 'the SQLite store: values in force, who changed what, console users' },
  { path: 'proxy/sql', rank: 4, pure: true, purpose: 'lexer and classifier: kind of a statement, first table, hints' },
  { path: 'proxy/net', rank: 3, purpose: 'sockets: reading whole chunks, writing once per event, listening' },
  {
    path: 'proxy/wire',
    rank: 2,
    pure: true,
    purpose: 'the MySQL protocol as bytes: packets, log-in, response scanner',
  },
  { path: 'proxy/log', rank: 1, purpose: 'the log' },
  { path: 'proxy/errors', rank: 0, purpose: 'every error the proxy answers, declared once' },
  {
    path: 'proxy/demo',
    rank: null,
    imports: ['proxy/wire', 'proxy/sql', 'proxy/errors', 'proxy/log'],
    purpose: 'the demo clusters: embedded OBServers with faults on request, and genuine kernels',
  },
  {
    path: 'proxy/testing',
    rank: null,
    imports: ['proxy'],
    purpose: 'real parts for tests: kernels, MariaDB; never imported by the product',
  },
  { path: 'app', rank: null, imports: ['proxy/control/contract.ts'], purpose: 'the console: a Next.js application' },
  {
    path: 'e2e',
    rank: null,
    imports: ['proxy', 'app'],
    purpose: 'tests in a real browser, and the pictures of the README',
  },
  {
    path: 'bench',
    rank: null,
    imports: ['proxy'],
    purpose: 'benchmarks against a direct connection and HAProxy; servers that fail under load',
  },
  {
    path: 'scripts',
    rank: null,
    imports: ['proxy'],
    purpose: 'what npm start, npm test, npm run bench and npm run chaos do',
  },
  { path: 'prisma', rank: null, purpose: 'database schema and its migrations' },
  { path: 'public', rank: null, purpose: 'static files of the console' },
  { path: 'docs', rank: null, purpose: 'options, benchmarks, decisions, pictures' },
];
