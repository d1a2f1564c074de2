/** Decimal digits that a number in four bytes always keeps, and those that tell any two of them apart. */
const [KEPT_DIGITS, DISTINCT_DIGITS] = [6, 9];
const NORMAL_MIN = 2 ** -126;

/** Whether IEEE 754 in four bytes shows this number, so that it comes back with the same digits, such as 0.1; or is the very same. */
export function isShownBySingle(value: number): boolean {
  const single = Math.fround(value);
  if (single === value) return true;
  if (!Number.isFinite(single) || single === 0) return false;
  const digits = String(value)
    .replace(/e.*|[-.]/g, '')
    .replace(/^0+|0+$/g, '').length;
  if (digits > DISTINCT_DIGITS) return false;
  if (digits <= KEPT_DIGITS && Math.abs(value) >= NORMAL_MIN) return true;
  return shortestSingle(single) === value;
}

/** The shortest number that is the same as this one in four bytes: `0.1`, and not `0.10000000149011612`. */
export function shortestSingle(single: number): number {
  for (let digits = 1; digits < DISTINCT_DIGITS; digits++) {
    const shorter = Number(single.toPrecision(digits));
    if (Math.fround(shorter) === single) return shorter;
  }
  return Number(single.toPrecision(DISTINCT_DIGITS));
}
