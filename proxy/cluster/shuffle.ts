/** Fisher–Yates with an injected chance. `random` gives numbers in [0, 1). */
function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const rest = [...items];
  const shuffled: T[] = [];
  while (rest.length > 0) shuffled.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return shuffled;
}

/**
 * All items in random order, those in `last` behind the others: a server that did not answer a moment ago is still tried,
 * but does not cost the next caller a time-out.
 */
export function shuffleWithLast<T>(items: readonly T[], last: ReadonlySet<T>, random: () => number): T[] {
  const shuffled = shuffle(items, random);
  return [...shuffled.filter((item) => !last.has(item)), ...shuffled.filter((item) => last.has(item))];
}
