import { expect, it } from 'vitest';
import { replaceSection } from './page-section.ts';

it('replaces what stands between the marks, and nothing else', () => {
  const page = 'before\n<!-- bench: start -->\nold\n<!-- bench: end -->\nafter\n';
  const replaced = replaceSection(page, 'new', 'bench');
  expect(replaced).toBe('before\n<!-- bench: start -->\n\nnew\n\n<!-- bench: end -->\nafter\n');
  expect(replaceSection(replaced, 'new', 'bench')).toBe(replaced);
  expect(() => replaceSection('no marks', 'new', 'bench')).toThrow('bench: start');
});
