import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { SchemaElement } from 'hyparquet';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import t from 'tap';
import { sqlFault } from '../../../src/engine/sql/sql-fault.ts';
import { oneIn } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';
import { queriesOf } from './file-queries.ts';

const folder = t.testdir({});
const queried = queriesOf('parquet', folder);
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
await connection.run("SET TimeZone = 'UTC'");
t.teardown(() => {
  connection.closeSync();
  instance.closeSync();
});

/** A file of these columns: SQL values of rows, one after another. */
async function writeFile(columns: Readonly<Record<string, readonly string[]>>, name = 'in.parquet') {
  const names = Object.keys(columns);
  const length = Math.max(...Object.values(columns).map((values) => values.length));
  const rows = Array.from(
    { length },
    (_, at) =>
      `SELECT ${names.map((column) => `${columns[column]?.[at] ?? 'NULL'} AS "${column}"`).join(', ')}`,
  );
  await connection.run(
    `COPY (${rows.join(' UNION ALL ')}) TO '${join(folder, name)}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
  );
}

/** The query over the file and over its rows; `taken` says whether the engine read the file. */
async function both(query: string, taken: boolean): Promise<void> {
  const direct = await queried(query, false);
  const rows = await queried(query, true);
  t.strictSame(direct.made, rows.made, query);
  t.equal(direct.made.status, 'success', `${query}: ${direct.made.failure?.message ?? ''}`);
  t.equal(direct.taken, taken, `${query}: whether the engine reads the file`);
}

const EXACT: Readonly<Record<string, readonly string[]>> = {
  id: ['1::BIGINT', '9007199254740993', '(-9223372036854775807 - 1)', '0'],
  small: ['1::TINYINT', '-128', '127'],
  whole: ['1::INTEGER', '-2147483648'],
  double: ['1.5::DOUBLE', "'nan'::DOUBLE", "'-inf'::DOUBLE", '-0.0::DOUBLE'],
  float: ['0.1::FLOAT', '16777217::FLOAT', "'inf'::FLOAT"],
  flag: ['true', 'false'],
  text: ["'a'", "''", "'żółć 🙂'", "'x' || chr(10) || 'y'"],
  bytes: ["'\\x00\\xFF'::BLOB", "''::BLOB"],
  day: ["DATE '2024-02-29'", "DATE '0001-01-01'", "DATE '9999-12-31'"],
  at: ["TIMESTAMPTZ '2026-01-05 10:00:00.123456+02'", "TIMESTAMPTZ '1900-01-01 00:00:00+00'"],
  local: ["TIMESTAMP '2026-01-05 10:00:00.5'", "TIMESTAMP '0001-01-01 00:00:00'"],
  millis: ["TIMESTAMP_MS '2026-01-05 10:00:00.123'"],
  price: ['12.30::DECIMAL(9,2)', '-0.01', '9999999.99'],
  cents: ['123456789012345.678::DECIMAL(18,3)'],
};

t.test('every column that the engine reads has the values of rows', async (t) => {
  await writeFile(EXACT);
  await both('SELECT * FROM t', true);
  for (const name of seeded(t).someOf(Object.keys(EXACT), oneIn(3, 1))) {
    await both(`SELECT "${name}", typeof("${name}") AS type FROM t`, true);
    await both(`SELECT min("${name}") AS least, count("${name}") AS n FROM t`, true);
  }
  await both('SELECT count(*) AS n FROM t', true);
  await both('SELECT sum(price) AS price, avg(double) AS double, sum(id) AS id FROM t', true);
});

t.test(
  'columns of other types come as rows where the query reads them, or where rows may be refused',
  async () => {
    await writeFile({
      id: ['1'],
      list: ['[1, 2]'],
      uuid: ["'0b5d5e1e-6d62-4f0e-9d1c-0d6a4c1a2b3c'::UUID"],
      big: ['5::UBIGINT'],
    });
    await both('SELECT id FROM t', true);
    for (const name of ['list', 'uuid', 'big', '*']) await both(`SELECT ${name} FROM t`, false);
    const refusable = {
      time: "TIME '10:00:00.25'",
      nanos: "TIMESTAMP_NS '2026-01-05 10:00:00.123456000'",
      wide: '1.5::DECIMAL(38,10)',
    };
    for (const [name, value] of Object.entries(refusable)) {
      await writeFile({ id: ['1'], [name]: [value] });
      await both('SELECT id FROM t', false);
      await both('SELECT * FROM t', false);
    }
  },
);

t.test('what only shows while the file is read brings rows, too', async (t) => {
  await writeFile({ id: ['1', '2'], price: ['NULL::DECIMAL(9,2)', 'NULL'] });
  const direct = await queried('SELECT coalesce(price, 1.5) AS price FROM t', false);
  const rows = await queried('SELECT coalesce(price, 1.5) AS price FROM t', true);
  t.strictSame(direct.made, rows.made);
  await writeFile({ id: ['1'], day: ["DATE '12000-01-01'"] });
  for (const [query, isSelf] of [
    ['SELECT id FROM t', true],
    ['SELECT day FROM t', false],
  ] as const) {
    const [file, byRows] = [await queried(query, false), await queried(query, true)];
    t.strictSame(file.made, byRows.made, query);
    const said = file.keeper.logs.some(({ message }) => /The table "t" is read row by row/.test(message));
    t.equal(said, !isSelf, `${query}: said in the log`);
  }
});

t.test('what only the newer annotations say, which the engine does not read, brings rows', async () => {
  const text = (value: string) => new TextEncoder().encode(value);
  const fields: readonly (readonly [Omit<SchemaElement, 'name'>, unknown[]])[] = [
    [{ type: 'BYTE_ARRAY', logical_type: { type: 'STRING' } }, [text('a'), text("żół'ć"), null]],
    [{ type: 'BYTE_ARRAY', logical_type: { type: 'ENUM' } }, [text('a'), text('\\x'), null]],
    [{ type: 'INT32', logical_type: { type: 'DECIMAL', precision: 9, scale: 2 } }, [1234, -1, null]],
    [{ type: 'INT32', logical_type: { type: 'DATE' } }, [20_000, 0, null]],
    // The engine cannot open a file with this one.
    [{ type: 'INT32', logical_type: { type: 'INTEGER', bitWidth: 8, isSigned: true } }, [1, -2, null]],
  ];
  for (const [field, data] of fields) {
    const columnData: ColumnSource[] = [
      { name: 'id', data: [1, 2, 3] },
      { name: 'x', data },
    ];
    const schema: SchemaElement[] = [
      { name: 'root', num_children: 2 },
      { name: 'id', type: 'INT32', repetition_type: 'OPTIONAL' },
      { name: 'x', repetition_type: 'OPTIONAL', ...field },
    ];
    writeFileSync(join(folder, 'in.parquet'), Buffer.from(parquetWriteBuffer({ columnData, schema })));
    for (const query of ['SELECT x FROM t', 'SELECT typeof(x) AS type, max(x) AS most FROM t GROUP BY 1'])
      await both(query, false);
  }
});

t.test('a file of several row groups keeps its order and its number of rows', async (t) => {
  await connection.run(
    `COPY (SELECT range AS id, 'n' || (range % 7) AS name FROM range(10000)) TO '${join(folder, 'in.parquet')}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
  );
  const direct = await queried('SELECT id, name FROM t', false);
  t.strictSame(direct.made, (await queried('SELECT id, name FROM t', true)).made);
  t.strictSame([direct.taken, direct.made.read, direct.made.rows.length], [true, 10_000, 10_000]);
});

t.test('the rows of an empty file pass through the step', async (t) => {
  const query = 'SELECT count(*) AS n FROM t';
  await connection.run(
    `COPY (SELECT 1 AS id WHERE false) TO '${join(folder, 'none.parquet')}' (FORMAT parquet)`,
  );
  const direct = await queried(query, false, 'none.parquet');
  t.strictSame(direct.made, (await queried(query, true, 'none.parquet')).made);
  t.notOk(direct.taken);
});

const malformed = (element: Omit<SchemaElement, 'name'>, data: unknown[]): Buffer => {
  const columnData: ColumnSource[] = [
    { name: 'id', data: [1, 2, 3] },
    { name: 'x', data },
  ];
  const schema: SchemaElement[] = [
    { name: 'root', num_children: 2 },
    { name: 'id', type: 'INT32', repetition_type: 'OPTIONAL' },
    { name: 'x', repetition_type: 'OPTIONAL', ...element },
  ];
  return Buffer.from(parquetWriteBuffer({ columnData, schema }));
};

t.test('a file on which the engine fails while it plans the query is read row by row', async (t) => {
  const file = malformed({ type: 'BYTE_ARRAY', converted_type: 'ENUM', precision: 5, scale: 2 }, [
    new Uint8Array(7).fill(5),
    new Uint8Array([2]),
    null,
  ]);
  // The writer has no decimals of any length: its element says so here.
  const name = file.indexOf(Buffer.from('1801782508', 'hex'));
  t.not(name, -1);
  file[name + 4] = 10;
  writeFileSync(join(folder, 'in.parquet'), file);
  const query = 'SELECT id, x FROM t';
  const direct = await queried(query, false);
  t.strictSame(direct.made, (await queried(query, true)).made);
  t.match(direct.made, { status: 'success', rows: [{ x: '14128940007436.85' }, { x: '0.02' }, { x: null }] });
  t.ok(direct.keeper.logs.some(({ message }) => /^The table "t" is read row by row/.test(message)));
  t.match((await queried('SELECT id, z FROM t', false)).made.failure, {
    message: /^Line 1 of the query: Binder Error: Referenced column "z" not found/,
  });
});

t.test('an error of the engine itself is told without the stack of its library', async (t) => {
  const path = join(folder, 'in.parquet');
  const element = { type: 'INT32', converted_type: 'DECIMAL', precision: 4, scale: 2 } as const;
  writeFileSync(path, malformed(element, [2147483600n, -1n, null]));
  const error = await connection
    .run(`SELECT x FROM '${path}' WHERE x > 0`)
    .catch((thrown: unknown) => thrown);
  t.match(error, { message: /Stack Trace:[\s\S]*libduckdb/ });
  t.equal(
    sqlFault(error, 'query').message,
    'INTERNAL Error: Information loss on integer cast: value 2147483600 outside of target range [-32768, 32767]',
  );
});

t.test('a time beyond the engine’s years is named with its column', async (t) => {
  const path = join(folder, 'in.parquet');
  const times = malformed({ type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }, [
    9223372036854775807n,
    0n,
    null,
  ]);
  writeFileSync(path, times);
  t.match(
    (await queried('SELECT x FROM t', false)).made.failure?.message,
    /^The column "x" of the table "t" has a value that does not fit the type timestamp: .*"\+294247-01-10T04:00:54\.775807Z"/,
  );
  writeFileSync(path, malformed({ type: 'INT32', converted_type: 'DATE' }, [2147483647, -2147483648, null]));
  t.match(
    (await queried('SELECT x FROM t', false)).made.failure?.message,
    /^The column "x" of the table "t" has a value that does not fit the type date: .*"\+5881580-07-11"/,
  );
});
