/**
 * SQL LIKE as SHOW uses it: `%` any text, `_` one character, a backslash takes the meaning from the character after it;
 * letters of either case. An empty pattern fits only an empty text (case B98). Null: everything fits.
 */
export function likeMatch(pattern: string | null, text: string): boolean {
  if (pattern === null) return true;
  const wanted = patternSteps(pattern);
  const given = [...text.toLowerCase()];
  // Greedy matching with one place to come back to: the last `%`. Its cost is bounded by pattern × text.
  let step = 0;
  let at = 0;
  let backStep = -1;
  let backAt = 0;
  while (at < given.length) {
    const current = wanted[step];
    if (current?.any) {
      backStep = step;
      backAt = at;
      step += 1;
    } else if (current !== undefined && (current.character === null || current.character === given[at])) {
      step += 1;
      at += 1;
    } else if (backStep >= 0) {
      step = backStep + 1;
      backAt += 1;
      at = backAt;
    } else return false;
  }
  while (wanted[step]?.any) step += 1;
  return step === wanted.length;
}

interface PatternStep {
  /** `%` */
  readonly any: boolean;
  /** Null: any one character. */
  readonly character: string | null;
}

function patternSteps(pattern: string): PatternStep[] {
  const characters = [...pattern.toLowerCase()];
  const steps: PatternStep[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '\\' && at + 1 < characters.length) {
      at += 1;
      steps.push({ any: false, character: characters[at] ?? '' });
    } else if (character === '%') steps.push({ any: true, character: null });
    else steps.push({ any: false, character: character === '_' ? null : character });
  }
  return steps;
}
