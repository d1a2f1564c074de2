import type { Batch } from '../../../drivers/driver.ts';

/** The batch with null for all that its rows lack. The rows that came stay as they are: others may read them too. */
export function withNulls(batch: Batch): Batch {
  const { columns, rows } = batch;
  const lacks = rows.map((row) => columns.some(({ name }) => row[name] === undefined));
  if (!lacks.includes(true)) return batch;
  const blank = Object.fromEntries(columns.map(({ name }) => [name, null]));
  return {
    ...batch,
    rows: rows.map((row, index) => {
      if (!lacks[index]) return row;
      const given = Object.entries(row).filter(([, value]) => value !== undefined);
      return { ...blank, ...Object.fromEntries(given) };
    }),
  };
}
