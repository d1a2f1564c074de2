import { type Problem, validationError } from '../../base/errors.ts';

/** JSON of one row; the executor keeps no longer one either. */
export const ROW_BYTES_MAX = 256 * 1_024;

type Row = Readonly<Record<string, unknown>>;

/**
 * The JSON of rows that replace the stored ones, by their letters. `VALIDATION_ERROR` with every row that
 * is given twice, or that could not be kept as it is: what an executor sends is cut there, or altered.
 */
export function correctedRows(
  given: readonly { readonly id: number; readonly item: Row }[],
): ReadonlyMap<number, string> {
  const problems: Problem[] = [];
  const rows = new Map<number, string>();
  for (const [index, { id, item }] of given.entries()) {
    const path = `items.${index}`;
    if (rows.has(id))
      problems.push({ path: `${path}.id`, message: `The dead letter "${id}" is given twice` });
    const json = JSON.stringify(item);
    const message = isBeginning(item) ? BEGINNING : tooLong(json);
    if (message !== null) problems.push({ path: `${path}.item`, message });
    rows.set(id, json);
  }
  if (problems.length > 0) throw validationError(problems);
  return rows;
}

const BEGINNING =
  'This is only the stored beginning of a row that was too long: give the whole row as the step should receive it';

/** As the executor keeps the beginning of a row that is too long. */
function isBeginning(item: Row): boolean {
  return item['cut'] === true && 'bytes' in item && 'beginning' in item && Object.keys(item).length === 3;
}

function tooLong(json: string): string | null {
  const bytes = Buffer.byteLength(json);
  return bytes > ROW_BYTES_MAX ? `The row has ${bytes} bytes of JSON; the limit is ${ROW_BYTES_MAX}` : null;
}
