/** What `compression_algorithm` may say, whatever the case and with blanks as the reference takes them. */
const KNOWN = /^\s*zlib\s*:\s*([0-9])\s*$/i;

/** zlib's level, 0 for no compression; null: the text is nothing that is known. */
export function compressionLevel(text: string): number | null {
  if (text === '') return 0;
  const level = KNOWN.exec(text)?.[1];
  return level === undefined ? null : Number(level);
}
