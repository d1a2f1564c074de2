import { join } from 'node:path';
import t from 'tap';
import writeExcelFile from 'write-excel-file/node';
import type { Batch, Row } from '../../../src/drivers/driver.ts';
import { xmlDriver } from '../../../src/drivers/xml/driver.ts';
import { connect } from '../excel/connect-excel.ts';
import { contextOf, never } from '../sql/engines.ts';
import { loadAll, type MatrixStore, readAll, stores } from './stores.ts';

/** In order, without the key that MongoDB gives. */
const sortedRows = (batches: readonly Batch[]): Row[] =>
  batches
    .flatMap(({ rows }) => rows)
    .map(({ _id: _, ...row }) => row)
    .sort((one, other) => Number(one['id']) - Number(other['id']));

async function workbook(t: Parameters<MatrixStore['prepare']>[0]): Promise<Batch[]> {
  const folder = t.testdir({});
  const day = { value: new Date(Date.UTC(2024, 1, 29)), format: 'yyyy-mm-dd' };
  const data = [
    ['id', 'num', 'yes', 'day', 'text'],
    [1, 0.1, true, day, 'Zoë 漢字 👩‍🚀 "x",\n;'],
    [2, -1e300, false, day, '\\N'],
    [3, null, null, null, null],
  ];
  await writeExcelFile([{ data, sheet: 'All' }] as Parameters<typeof writeExcelFile>[0]).toFile(
    join(folder, 'a.xlsx'),
  );
  const connection = await connect(folder, { path: join(folder, 'a.xlsx') });
  const batches: Batch[] = [];
  for await (const batch of connection.read({ method: 'read', args: {}, signal: never })) batches.push(batch);
  await connection.close();
  return batches;
}

t.test('a workbook goes into every store with nothing lost', async (t) => {
  const read = await workbook(t);
  t.match(read[0]?.columns, [
    { name: 'id', type: 'integer' },
    { name: 'num', type: 'number' },
    { name: 'yes', type: 'boolean' },
    { name: 'day', type: 'date' },
    { name: 'text', type: 'string' },
  ]);
  for (const target of stores)
    await t.test(target.name, { skip: target.skip }, async (t) => {
      const to = await (await target.prepare(t))(t);
      await loadAll(target, to, 'copy', read);
      t.strictSame(sortedRows(await readAll(target, to, 'copy')), sortedRows(read));
    });
});

t.test(
  'the texts, nulls and nested elements of an XML file go into every store with nothing lost',
  async (t) => {
    const text = 'Zoë 漢字 👩‍🚀 "x",\n; \\N';
    const folder = t.testdir({
      'a.xml': `<r><i><id>1</id><text>${text}</text><doc><a>1</a><a>ü</a></doc></i><i><id>2</id><text/></i></r>`,
    });
    const from = await xmlDriver.connect({ path: folder, records: 'r/i' }, contextOf(folder));
    t.teardown(() => from.close());
    const read: Batch[] = [];
    for await (const batch of from.read({ method: 'read', args: { file: 'a.xml' }, signal: never }))
      read.push(batch);
    const rows = sortedRows(read);
    t.strictSame(rows, [
      { id: '1', text, doc: { a: ['1', 'ü'] } },
      { id: '2', text: null, doc: undefined },
    ]);
    const kept: Row[] = rows.map((row) => ({ ...row, doc: row['doc'] ?? null }));
    // Cells are text: nothing says which of them is JSON, and digits alone are a number.
    const inCells = kept.map(({ id, doc, ...row }) => ({
      ...row,
      id: Number(id),
      doc: doc === null ? null : JSON.stringify(doc),
    }));
    for (const target of stores)
      await t.test(target.name, { skip: target.skip }, async (t) => {
        const to = await (await target.prepare(t))(t);
        await loadAll(target, to, 'copy', read);
        // Tables and columns have a place for what a record lacks; documents have none.
        const stored = sortedRows(await readAll(target, to, 'copy')).map((row) => ({
          ...row,
          doc: row['doc'] ?? null,
        }));
        t.strictSame(stored, target.name === 'csv' ? inCells : kept);
      });
  },
);
