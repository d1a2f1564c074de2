export interface CasePair {
  readonly lower: string;
  readonly upper: string;
}

/** Each costs time per row, and a statement is not arbitrarily long. */
const casePairsMax = 100;

/**
 * The letters of a text that `lower` of an engine may not fold, as it folds ASCII alone without a fitting locale: every other one of
 * which both cases are one letter, up to the first 100. None of them means anything inside a quoted text of SQL.
 */
export function casePairs(text: string): readonly CasePair[] {
  const letters = new Set(text.toLowerCase().match(/[^\0-\x7f]/gu));
  const pairs = Array.from(letters, (lower) => ({ lower, upper: lower.toUpperCase() }));
  return pairs
    .filter(({ lower, upper }) => upper !== lower && [...upper].length === 1 && upper.toLowerCase() === lower)
    .slice(0, casePairsMax);
}
