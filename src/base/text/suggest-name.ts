/** Names longer than this are not compared. */
const LENGTH_MAX = 64;

/** The candidate that `name` most likely misspells, or null. Case is ignored; a third of the letters may differ. */
export function suggestName(name: string, candidates: Iterable<string>): string | null {
  if (name.length > LENGTH_MAX) return null;
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance);
    // Words that have no letter in common are not each other's misspellings.
    if (distance < bestDistance && distance < Math.max(name.length, candidate.length)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `; did you mean "retry"?`, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const suggestion = suggestName(name, candidates);
  return suggestion === null ? '' : `; did you mean "${suggestion}"?`;
}

/** The name that was most likely meant, else all there are, as in `; it has a, b`: `has` is what comes before them. */
export function didYouMeanOneOf(name: string, names: readonly string[], has = 'it has'): string {
  return didYouMean(name, names) || (names.length === 0 ? `; ${has} none` : `; ${has} ${names.join(', ')}`);
}

/** Insertions, deletions, replacements and swaps of neighbours between two words; `limit` where it is that or more. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit || b.length > LENGTH_MAX) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? limit;
}
