/** A table: titles, how columns are aligned (`-` left, `>` right), cells. */
export function markdownTable(
  columns: readonly (readonly [title: string, align: '-' | '>'])[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = `|${columns.map(([, align]) => (align === '>' ? '--:' : '---')).join('|')}|`;
  return [line(columns.map(([title]) => title)), rule, ...rows.map(line)].join('\n');
}

/** Empty when it is not known. */
export function digits(value: number | null, count: number): string {
  return value === null ? '' : value.toFixed(count);
}
