/**
 * How well an entry of the palette fits what is typed, 0 to 1; 0: not at all. Every word must be found, in the name or in
 * what is said about it. A name's initials find it too (`cfw`: congestion_fail_window); letters strewn over a description
 * do not.
 */
export function paletteScore(name: string, typed: string, about: readonly string[] = []): number {
  const [lower, text] = [name.toLowerCase(), typed.trim().toLowerCase()];
  if (text === '' || lower === text) return 1;
  const words = text.split(/[\s_]+/).filter((word) => word !== '');
  const initials = lower
    .split(/[\s_]+/)
    .map((part) => part.charAt(0))
    .join('');
  if (lower.startsWith(text)) return 0.9;
  if (text.length > 1 && initials.startsWith(text)) return 0.8;
  if (words.every((word) => lower.includes(word))) return 0.7;
  const all = `${lower} ${about.join(' ').toLowerCase()}`;
  return words.every((word) => all.includes(word)) ? 0.3 : 0;
}
