import t from 'tap';
import type { Column, ColumnType } from '../../../src/drivers/driver.ts';
import { column, fault, load, writeAll } from '../sql/engines.ts';
import { CELLS, REFUSED, STRICT_CELLS, type Verdict } from './cells.ts';
import { type Place, placeOf, sql } from './support.ts';

async function verdict({ connection, path }: Place, from: Column, value: unknown): Promise<Verdict> {
  const columns = [column('id', 'integer'), from];
  const writer = await connection.openWriter(
    load({ mode: 'append', object: 'c', loadId: Math.random().toString() }),
  );
  try {
    await writer.write({ columns, rows: [{ id: 1, v: value }] });
    await writer.commit();
  } catch (error) {
    if ((error as { fault?: string }).fault === 'DATA' && (error as { column?: string }).column === 'v')
      return REFUSED;
    throw error;
  } finally {
    await writer.abort();
  }
  const [row] = sql(
    path,
    `SELECT typeof(v) || '|' || CASE typeof(v) WHEN 'blob' THEN hex(v) ELSE CAST(v AS TEXT) END AS v FROM c`,
  );
  return String(row?.['v']);
}

for (const [suffix, cells] of [
  ['', CELLS],
  [' STRICT', STRICT_CELLS],
] as const)
  t.test(`a value is in the column as it is, by a stated rule, or refused${suffix}`, async (t) => {
    const place = await placeOf(t);
    for (const [type, value, columns] of cells)
      for (const [declared, wanted] of Object.entries(columns)) {
        sql(place.path, 'DROP TABLE IF EXISTS c', `CREATE TABLE c (id INT, v ${declared})${suffix}`);
        const got = await verdict(place, column('v', type), value);
        t.equal(got, wanted, `${type} ${JSON.stringify(value)} into ${declared || 'no type'}`);
      }
  });

t.test(
  'a refusal names the column, its type, the table and the value; the rows before it stay out',
  async (t) => {
    const { connection, path } = await placeOf(t);
    sql(path, 'CREATE TABLE c (id INTEGER PRIMARY KEY, v REAL)');
    const rows = [
      { id: 1, v: '1.5' },
      { id: 2, v: '9007199254740993' },
    ];
    await t.rejects(
      writeAll(
        connection,
        { mode: 'append', object: 'c' },
        { columns: [column('id', 'integer'), column('v', 'decimal')], rows },
      ),
      fault('DATA', /^"9007199254740993" does not fit the column "v" \(REAL\) of "c": /),
    );
    t.strictSame(sql(path, 'SELECT * FROM c'), []);
  },
);

t.test('what may lose something does, and is counted', async (t) => {
  const { connection, path } = await placeOf(t);
  sql(path, 'CREATE TABLE c (id INTEGER PRIMARY KEY, v REAL)');
  const lossy = new Map([['v', 'round']] as const);
  const writer = await connection.openWriter(load({ mode: 'merge', object: 'c', lossy }));
  const columns = [column('id', 'integer'), column('v', 'decimal')];
  await writer.write({
    columns,
    rows: [
      { id: 1, v: '9007199254740993' },
      { id: 2, v: '1.5' },
    ],
  });
  await t.rejects(
    writer.write({
      columns,
      rows: [
        { id: 3, v: '9007199254740993' },
        { id: null, v: '1' },
      ],
    }),
    fault('DATA'),
  );
  t.strictSame(await writer.commit(), { rows: 2, lossy: new Map([['v', 1]]) });
  t.equal(sql(path, 'SELECT v FROM c WHERE id = 1')[0]?.['v'], 9007199254740992);
});

t.test('two keys of the rows never become one', async (t) => {
  const { connection, path } = await placeOf(t);
  for (const [declared, type, value] of [
    ['INTEGER', 'string', '007'],
    ['NUMERIC', 'string', '1e1'],
    ['REAL', 'string', '7.0'],
    ['DECIMAL_BLOB', 'string', '7.0'],
    ['BOOLEAN', 'string', 'true'],
    ['TEXT', 'json', 7],
  ] as const) {
    sql(path, 'DROP TABLE IF EXISTS k', `CREATE TABLE k (id ${declared} PRIMARY KEY, v TEXT)`);
    const columns = [column('id', type), column('v', 'string')];
    for (const mode of ['merge', 'insert_only', 'delete'] as const)
      await t.rejects(
        writeAll(connection, { mode, object: 'k' }, { columns, rows: [{ id: value, v: 'x' }] }),
        Object.assign(fault('DATA'), { column: 'id' }),
        `${declared}, ${mode}`,
      );
  }
  sql(path, 'DROP TABLE k', 'CREATE TABLE k (id INTEGER PRIMARY KEY, v TEXT)');
  const columns = [column('id', 'string'), column('v', 'string')];
  await writeAll(connection, { mode: 'merge', object: 'k' }, { columns, rows: [{ id: '7', v: 'x' }] });
  t.match(sql(path, 'SELECT id, v FROM k'), [{ id: 7, v: 'x' }]);
});

t.test('a column that a later batch brings with another type has no quotes of JSON in it', async (t) => {
  const { connection, path } = await placeOf(t);
  const batch = (type: ColumnType, id: number, v: unknown) => ({
    columns: [column('id', 'integer'), column('v', type)],
    rows: [{ id, v }],
  });
  await writeAll(
    connection,
    { mode: 'append', object: 'c' },
    batch('integer', 1, 5),
    batch('json', 2, 'abc'),
  );
  t.strictSame(
    sql(path, 'SELECT typeof(v) AS t, v FROM c ORDER BY id').map(({ t, v }) => [t, v]),
    [
      ['integer', 5],
      ['text', 'abc'],
    ],
  );
});
