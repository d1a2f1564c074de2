import { closeSync, openSync, writeSync } from 'node:fs';

export const PEOPLE_COLUMNS = [
  'id',
  'name',
  'email',
  'company',
  'amount',
  'quantity',
  'active',
  'created_at',
  'country',
  'note',
] as const;

const countries = ['DE', 'FR', 'IT', 'ES', 'PL', 'US', 'JP', 'BR'];
const rowsPerWrite = 10_000;

/** Writes a CSV file of ten typed columns, about 107 bytes a row; the same for the same `rows`. */
export function writePeopleCsv(path: string, rows: number): void {
  const file = openSync(path, 'w');
  let text = `${PEOPLE_COLUMNS.join(',')}\n`;
  for (let id = 1; id <= rows; id++) {
    const amount = ((id * 7_919) % 1_000_000) / 100;
    const at = new Date(1_700_000_000_000 + id * 1_000).toISOString();
    const country = countries[id % countries.length];
    const note = id % 10 === 0 ? `"said ""yes"", twice"` : `note ${id % 97}`;
    text += `${id},Person ${id},person${id}@example.com,Company ${id % 500},${amount.toFixed(2)},${id % 40},${id % 3 === 0},${at},${country},${note}\n`;
    if (id % rowsPerWrite === 0 || id === rows) {
      writeSync(file, text);
      text = '';
    }
  }
  closeSync(file);
}
