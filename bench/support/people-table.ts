import { join } from 'node:path';
import { BareInsert } from './bare-insert.ts';

const columns = ['id', 'name', 'email', 'company', 'city', 'country', 'amount', 'quantity', 'day', 'note'];

/** Makes a SQLite file in `folder` with a table `people` of ten columns; gives its path. `idColumn`: how the id is declared. */
export function makePeopleTable(folder: string, rows: number, idColumn = 'id'): string {
  const path = join(folder, 'people.db');
  const insert = new BareInsert(path, 'people', [idColumn, ...columns.slice(1)]);
  for (let id = 1; id <= rows; id++) {
    const texts = [
      `Person ${id}`,
      `person.${id}@example.com`,
      `Company ${id % 500}`,
      `City ${id % 90}`,
    ] as const;
    insert.add(id, ...texts, `C${id % 50}`, (id % 1_000) / 7, id % 40, id % 365, `a note of person ${id}`);
  }
  insert.commit();
  return path;
}
