/** Writes docs/errors.md from the error table and its advice. */
import { errorAdvice } from '../proxy/errors/advice.ts';
import { type ErrorCode, errorTable } from '../proxy/errors/table.ts';
import { cell, writeDoc } from './doc-files.ts';

export const ERRORS_DOC = 'docs/errors.md';

const codes = Object.keys(errorTable) as ErrorCode[];

const head = `# Errors

Made by \`npm run docs\` from \`proxy/errors/table.ts\` and \`proxy/errors/advice.ts\`: change those.

Every error that the proxy itself answers. A MySQL client sees the number, the SQLSTATE and the text; the console and the
control API see the HTTP status, the name and the same text. Errors of OBServers are passed on as they are and are not
listed here. Words in braces are filled in.
`;

export function renderErrorsDoc(): string {
  const index = codes
    .map((code) => ({ code, errno: errorTable[code].errno }))
    .sort((a, b) => a.errno - b.errno)
    .map(
      ({ code, errno }) =>
        `| ${errno} | [${code}](#${code.toLowerCase()}) | ${cell(errorTable[code].text.slice(0, 72))} |`,
    );
  const sections = codes.map((code) => {
    const { errno, sqlState, httpStatus, text } = errorTable[code];
    return `## ${code}\n\nMySQL ${errno} (${sqlState}), HTTP ${httpStatus}\n\n> ${text}\n\n${errorAdvice[code]}\n`;
  });
  return [head, '| MySQL number | Name | Text begins |', '|---|---|---|', ...index, '', ...sections].join('\n');
}

if (import.meta.main) await writeDoc(ERRORS_DOC, renderErrorsDoc());
