/**
 * Milliseconds from a response, `answeredMs` after the page was opened, until the next refresh of something with the interval
 * `everyMs`. All intervals count from the opening of the page, so that what is due together is requested together, however long a
 * response took. A refresh due in less than half the interval is skipped.
 */
export function msToNextTurn(everyMs: number, answeredMs: number): number {
  const left = everyMs - (answeredMs % everyMs);
  return left < everyMs / 2 ? left + everyMs : left;
}
