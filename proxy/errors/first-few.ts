/** So many are told; with all servers of a large cluster an error would be longer than a client's packet should be. */
const TOLD = 8;

/** Texts for one error message: the first few, and how many more there are. Empty for none. */
export function firstFew(texts: readonly string[]): string {
  const told = texts.slice(0, TOLD).join('; ');
  return texts.length <= TOLD ? told : `${told}; and ${texts.length - TOLD} more`;
}
