/** Writes docs/faults.md from the table that the fault suite runs. */
import {
  type Activity,
  activities,
  type FaultName,
  faultTable,
  outcomes,
  serverFaults,
} from '../proxy/session/testing/fault-table.ts';
import { cell, writeDoc } from './doc-files.ts';

export const FAULTS_DOC = 'docs/faults.md';

const head = `# What a client sees when a server fails

Made by \`npm run docs\` from \`proxy/session/testing/fault-table.ts\`: change that. Every cell is a test of its own
(\`proxy/session/suites/fault-table.suite.ts\`), run on the demo cluster; the rows "crash" and "freeze" also on two genuine
OceanBase kernels. A test brings a client to where the column says, lets the server fail as the row says, and looks at
what the client gets, at the connection afterwards (its variables and prepared statements, at the other server and at
the one that failed), and at the rows: a change has been made once or not at all.

Rows are what happens to the server that works for the client; columns are what the client is doing at that moment.

Most of the faults can be tried in the browser, with a running load beside them: the console's page Lab, where the proxy runs with
its embedded demo ([operations.md](operations.md#the-demo-lab)).
`;

const rest = `## Bounds

- "at once": as soon as the proxy's side of the connection is closed or reset. A server that the detection has found dead
  (B9) counts as such, too: whoever waits for it goes on elsewhere or gets error 10014.
- "when the time is up": \`ob_query_timeout\` of the session, or the hint \`query_timeout\`, and
  \`observer_query_timeout_delta\`. The server's own error for a time-out comes before that, if it still speaks.
- Connecting to a server takes 2 s at most, logging in there 5 s; then the next server is tried.

## What is done again elsewhere

Only what cannot do anything twice: requests that had not been sent, plain SELECTs outside a transaction of which the
client has seen nothing, and preparing a statement. A COMMIT or a change whose outcome is not known is never sent again:
the error says so, and the client has to look.
`;

export function renderFaultsDoc(): string {
  const columns = Object.keys(activities) as Activity[];
  const names = Object.keys(faultTable) as FaultName[];
  const table = [
    `| | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...names.map((name) => `| **${name}** | ${columns.map((column) => faultTable[name][column]).join(' | ')} |`),
  ];
  return [
    head,
    ...table,
    '',
    list('The faults', serverFaults),
    list('What the client is doing', activities),
    list('What it sees', outcomes),
    rest,
  ].join('\n');
}

function list(title: string, meanings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(meanings).map(([word, meaning]) => `| ${word} | ${cell(meaning)} |`);
  return [`## ${title}\n`, '| | |', '|---|---|', ...lines, ''].join('\n');
}

if (import.meta.main) await writeDoc(FAULTS_DOC, renderFaultsDoc());
