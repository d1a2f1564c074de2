/**
 * Milliseconds from an answer until what is renewed every `everyMs` has its turn; `answeredMs` is since the page was opened. Turns are
 * counted from then for everything on the page: what is due together is asked for together, however long one answer took or the page
 * was busy. A turn that comes before half of the interval is left to the next.
 */
export function msToNextTurn(everyMs: number, answeredMs: number): number {
  const left = everyMs - (answeredMs % everyMs);
  return left < everyMs / 2 ? left + everyMs : left;
}
