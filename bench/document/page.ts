/** docs/benchmarks.md: the sections that follow from the figures, between their marks. */
import type { AllFigures } from '../figures.ts';
import { replaceSection } from '../page-section.ts';
import { goalsSection } from './goals-section.ts';
import { consoleSection, idleSection, workersSection } from './other-sections.ts';
import { sqlSection } from './sql-section.ts';

export const BENCHMARKS_PAGE = 'docs/benchmarks.md';

const NOT_YET = 'Not measured yet.';

export function renderPage(page: string, all: AllFigures): string {
  const { bench, workers, console: pages, idle, 'bench-pinned': pinned, 'bench-kernel': kernel } = all.figures;
  const told = <Found>(found: Found | undefined, section: (found: Found) => string): string =>
    found === undefined ? NOT_YET : section(found);
  const sections = {
    goals: goalsSection(all),
    bench: told(bench, sqlSection),
    'bench-pinned': told(pinned, sqlSection),
    'bench-kernel': told(kernel, sqlSection),
    workers: told(workers, workersSection),
    console: told(pages, consoleSection),
    idle: told(idle, idleSection),
  };
  return Object.entries(sections).reduce((text, [name, section]) => replaceSection(text, section, name), page);
}
