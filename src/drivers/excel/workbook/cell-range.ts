/** Columns and rows of a sheet, both ends included. */
export interface CellRange {
  /** From 0 on: A is 0. */
  readonly columns: readonly [first: number, last: number];
  /** From 1 on, as in a sheet. */
  readonly rows: readonly [first: number, last: number];
}

/** Excel's own limit: column XFD. */
export const sheetColumnsMax = 16_384;

/** 0 for A, 26 for AA. */
export function columnIndex(letters: string): number {
  let index = 0;
  for (const letter of letters.toUpperCase()) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}

/** `AA` for 26. */
export function columnLetters(index: number): string {
  let letters = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

/** `B3:F200`, `B3` (all from there on), or `B:F`; null for anything else. */
export function cellRange(text: string): CellRange | null {
  const [, firstColumn, firstRow, lastColumn, lastRow] =
    /^\s*\$?([a-z]{1,3})(?:\$?([1-9]\d{0,6}))?(?::\$?([a-z]{1,3})(?:\$?([1-9]\d{0,6}))?)?\s*$/i.exec(text) ??
    [];
  if (firstColumn === undefined || (firstRow === undefined && lastColumn === undefined)) return null;
  const columns = [
    columnIndex(firstColumn),
    lastColumn === undefined ? sheetColumnsMax - 1 : columnIndex(lastColumn),
  ] as const;
  const rows = [Number(firstRow ?? 1), Number(lastRow ?? Number.POSITIVE_INFINITY)] as const;
  const isForward = columns[0] <= columns[1] && rows[0] <= rows[1] && columns[1] < sheetColumnsMax;
  return isForward ? { columns, rows } : null;
}
