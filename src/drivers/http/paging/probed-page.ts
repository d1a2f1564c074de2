import { isDeepStrictEqual } from 'node:util';

/** Statuses with which APIs answer a page that is not there. */
export const NO_SUCH_PAGE: readonly number[] = [400, 404, 410, 416, 422];

/**
 * Whether a page that was asked for to find the end shows it: it is empty, or the last page once more, which some APIs give for every
 * number beyond it. The second page proves nothing by being the first one: the API may ignore the parameter.
 */
export function isEnd(before: readonly unknown[], values: readonly unknown[], pages: number): boolean {
  if (values.length === 0) return true;
  return pages > 2 && isDeepStrictEqual(before, values) && !isDeepStrictEqual(values[0], values[1]);
}

/**
 * How many records at the beginning of a page the one before has as its last ones: an API that hides records counts them in its offsets.
 * Records count only where the page before has them once, since a list may hold equal ones side by side.
 */
export function overlapOf(before: readonly unknown[], values: readonly unknown[]): number {
  const [first] = values;
  for (let at = Math.max(0, before.length - values.length); at < before.length; at++) {
    if (!isDeepStrictEqual(before[at], first)) continue;
    const again = before.slice(at);
    if (!isDeepStrictEqual(again, values.slice(0, again.length))) return 0;
    const isUnique = before.every((one, place) => place === at || !isDeepStrictEqual(one, first));
    return isUnique ? again.length : 0;
  }
  return 0;
}

/** Whether a page is the one before once more. Equal records prove it only where those of a page differ. */
export function isSamePage(
  before: { readonly values: readonly unknown[]; readonly body: Buffer },
  { values, body }: { readonly values: readonly unknown[]; readonly body: Buffer },
): boolean {
  if (values.length === 0 || !isDeepStrictEqual(before.values, values)) return false;
  return before.body.equals(body) || (values.length > 1 && !isDeepStrictEqual(values[0], values[1]));
}
