/** Guesses the name that was meant. */

/** The known name nearest to `wrong`, if it is near enough to be a slip of the hand; ties go to the earlier one. */
export function nearestName(wrong: string, known: readonly string[]): string | null {
  if (wrong.length > MAX_NAME_LENGTH) return null;
  const lower = wrong.toLowerCase().replaceAll('-', '_');
  let best: string | null = null;
  let bestDistance = Math.min(MAX_DISTANCE, Math.ceil(wrong.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(lower, name.toLowerCase());
    if (distance >= bestDistance) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}

/** Levenshtein's distance: insertions, deletions and substitutions, each one. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

const MAX_DISTANCE = 3;
/** Longer names are no slips. */
const MAX_NAME_LENGTH = 40;
