/** Writes docs/sessions.md: the state machines as they stand in the code, and what they are about. */
import { arrivalStates, departureStates } from '../proxy/session/handover/hand-over-states.ts';
import { clientStates, requestStates, serverStates } from '../proxy/session/session-states.ts';
import { cell, writeDoc } from './doc-files.ts';

export const SESSIONS_DOC = 'docs/sessions.md';

const head = `# Sessions

Made by \`npm run docs\` from \`proxy/session/session-states.ts\`: change that. A test (\`session-states.test.ts\`) holds
running sessions to these states, in whatever order things happen.

A **client session** belongs to one client connection. It has one **server session** for each OBServer that a request of
its went to, logged in with the answer the client gave at its own log-in, and no two client sessions share one (C2, C3).
`;

const rest = `## What keeps server sessions alike

Before a request its server session gets what it lacks (C1, C11, C12): the several-statements option, the current
database, changed variables, the prepared statement, a BEGIN that was held back. All of it goes out at once, so that it
takes one round trip, and the replies stay in the proxy; a session that lacks nothing is sent nothing. In protocol 2.0 a
server answers one request at a time: there the statements go one by one.

- System variables come from what servers report, never from the text of a SET; user variables as literals.
- A server session whose log-in tells a newer version of the global variables gets the client's own log-in values.
- One value that a server refuses keeps back none of the others, and is not tried again until something changes.

## What ties a client to one server session

| | until |
|---|---|
| an open transaction | the status flag of a reply says that it is over (C5, C10) |
| SET TRANSACTION | the next transaction, be it a single statement, is over |
| a temporary table | it is dropped by that name; one that has been renamed, or came and went in a text of several statements, for good |
| GET_LOCK, LOCK TABLES, FLUSH TABLES | as many releases have followed |
| a statement prepared as text | DEALLOCATE |
| an open cursor (only its statement) | the last row, COM_STMT_RESET, or the next EXECUTE |
| long data beyond what is kept (only its statement) | its EXECUTE |

COM_RESET_CONNECTION and COM_CHANGE_USER end them all. When the server session is lost, the client is told what it lost.

## What waits for the first statement of a transaction

BEGIN and START TRANSACTION are answered at once and sent with the next statement, whose table decides the server; so is
XA START in its plain form (\`enable_xa_route\`), and behind any of them a SET of user variables to literals, which could
be sent anywhere. A consistent snapshot is taken at once. Ended before that, BEGIN and COMMIT reach no server. What a
server has against an XA START is told with the first statement; nothing runs outside of the transaction until the
client has ended it.

A COMMIT, or anything else that changes data, whose answer does not come is never sent again: the error says so.

## Long data

COM_STMT_SEND_LONG_DATA has no reply. Up to 256 KiB for each statement, and 1 MiB for each client session, are kept until
EXECUTE, for whichever server that goes to, also when one is lost on the way. Beyond that the statement stays with the server that
has the pieces; when that is lost, EXECUTE gets error 10014 and the data has to be sent again.
`;

const between = `## Between two generations

In an upgrade the client sessions go from the workers of the old process to those of the new one (C17), each with its
connections: to the client and to the servers. They are passed over a Unix socket between the two workers, with the
session's state (\`session/handover/session-state.ts\`, a numbered form); the system keeps a connection alive as long as
one of the two processes has it, and what the client sends meanwhile. So a transaction, a temporary table, a lock or an
open cursor moves along. One session is on the way at a time on each channel; its client waits for a few round trips
between the two processes.

A session moves when no request of it is being served, be it between two statements of a transaction or two requests of
a pipeline; what has been read of its next requests goes along. It stays

- while it is logging in, or a request is being served: it goes behind that;
- when its client is connected over TLS: keys and counters of the encryption are inside OpenSSL in the process, which
  gives them to nobody;
- for the same reason when a server session over TLS holds what no other one has: a transaction, what the table above
  names, the variables of a server that does not report them, and for a second the answer that the next request may ask
  about. Without any such tie that server session is closed, and the other side opens a new one when it needs one.

| dies | while the session is | the session is |
|---|---|---|
| the new side | on the way, not \`started\` | the old side's: it goes on reading as if nothing had happened |
| the old side | not yet told \`go\` | lost with all the others of that process |
| the old side | told \`go\` | the new side's |
| either | \`started\` | the new side's |

A connection id goes along, and no worker gives one out that a moved session has (\`session/session-ids.ts\`).
`;

type Machine =
  | typeof clientStates
  | typeof requestStates
  | typeof serverStates
  | typeof departureStates
  | typeof arrivalStates;

/** Names of different machines must not meet in one drawing. */
function moves({ first, moves: leads }: Machine, indent: string, prefix: string): string[] {
  const lines = [`${indent}[*] --> ${prefix}${first}`];
  for (const [from, targets] of Object.entries(leads)) {
    for (const to of Object.keys(targets)) lines.push(`${indent}${prefix}${from} --> ${prefix}${to}`);
  }
  return lines;
}

function labels({ states }: Machine, indent: string, prefix: string): string[] {
  return Object.keys(states).map((state) => `${indent}${prefix}${state}: ${state}`);
}

function tables({ states, moves: leads }: Machine): string[] {
  const meanings = Object.entries(states).map(([state, meaning]) => `| ${state} | ${cell(meaning)} |`);
  const rows = Object.entries(leads).flatMap(([from, targets]) =>
    Object.entries<string>(targets).map(([to, when]) => `| ${from} → ${to} | ${cell(when)} |`),
  );
  return ['| state | |', '|---|---|', ...meanings, '', '| | when |', '|---|---|', ...rows, ''];
}

export function renderSessionsDoc(): string {
  const client = [
    ...labels(clientStates, '  ', ''),
    ...moves(clientStates, '  ', ''),
    '  state ready {',
    ...labels(requestStates, '    ', 'request_'),
    ...moves(requestStates, '    ', 'request_'),
    '  }',
  ];
  const server = [...labels(serverStates, '  ', ''), ...moves(serverStates, '  ', '')];
  const drawn = (lines: readonly string[]): string[] => ['```mermaid', 'stateDiagram-v2', ...lines, '```', ''];
  return [
    head,
    '## Client session\n',
    ...drawn(client),
    ...tables(clientStates),
    'The request of a client session that is ready:\n',
    ...tables(requestStates),
    '## Server session\n',
    ...drawn(server),
    ...tables(serverStates),
    rest,
    between,
    'The side that has the sessions, for each channel:\n',
    ...drawn([...labels(departureStates, '  ', ''), ...moves(departureStates, '  ', '')]),
    ...tables(departureStates),
    'The side that they come to:\n',
    ...drawn([...labels(arrivalStates, '  ', ''), ...moves(arrivalStates, '  ', '')]),
    ...tables(arrivalStates),
  ].join('\n');
}

if (import.meta.main) await writeDoc(SESSIONS_DOC, renderSessionsDoc());
