import { expect, it } from 'vitest';
import { readText } from './doc-files.ts';
import { renderSessionsDoc, SESSIONS_DOC } from './sessions-doc.ts';

it('docs/sessions.md is up to date (npm run docs)', async () => {
  expect(await readText(SESSIONS_DOC)).toBe(renderSessionsDoc());
});
