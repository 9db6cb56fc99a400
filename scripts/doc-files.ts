/** Pages under docs/ that are made from the tree itself: written by `npm run docs`, compared by unit tests. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Full path of a file of this tree. */
export function inTree(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

export function readText(path: string): Promise<string> {
  return readFile(inTree(path), 'utf8');
}

export async function writeDoc(path: string, text: string): Promise<void> {
  await writeFile(inTree(path), text);
  console.log(`${path} written`);
}

/** A cell of a Markdown table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
}
