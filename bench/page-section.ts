/**
 * A page with what stands between its marks `<!-- NAME: start -->` and `<!-- NAME: end -->` replaced.
 * @throws Error when it lacks the marks
 */
export function replaceSection(page: string, section: string, name: string): string {
  const startMark = `<!-- ${name}: start -->`;
  const endMark = `<!-- ${name}: end -->`;
  const start = page.indexOf(startMark);
  const end = page.indexOf(endMark);
  if (start === -1 || end < start) throw new Error(`the page needs a line ${startMark} and, below it, ${endMark}`);
  return `${page.slice(0, start + startMark.length)}\n\n${section}\n\n${page.slice(end)}`;
}
