import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import t from 'tap';
import { fewOrMany } from '../../support/fault-list.ts';
import { queriesOf } from './file-queries.ts';

const folder = t.testdir({});
const queried = queriesOf('parquet', folder);
const path = join(folder, 'in.parquet');
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
await connection.run("SET TimeZone = 'UTC'");
t.teardown(() => {
  connection.closeSync();
  instance.closeSync();
});

/** What queries ask of the columns `id`, `x` and `y`. */
const query = fc
  .constantFrom(
    '*',
    'id',
    'x',
    'y, x',
    'id, typeof(x) AS tx, typeof(y) AS ty',
    'count(*) AS n, count(x) AS nx, min(x) AS least, max(y) AS most',
    'id, coalesce(x, x) AS x',
  )
  .chain((select) =>
    fc.constantFrom('', ' WHERE x IS NOT NULL', ' WHERE y = y').map((where) => [select, where]),
  )
  .map(([select, where]) => `SELECT ${select} FROM t${where}`);

let taken = 0;
let made = 0;

async function holds(text: string, about: unknown): Promise<void> {
  const direct = await queried(text, false);
  const rows = await queried(text, true);
  made += 1;
  if (direct.taken) taken += 1;
  const said = JSON.stringify({ text, about }, (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value instanceof Uint8Array ? [...value] : value,
  );
  // A run that fails may have read more rows or fewer by then.
  const read = direct.made.status === 'success' ? rows.made.read : direct.made.read;
  t.strictSame(direct.made, { ...rows.made, read }, said);
}

/** Columns of DuckDB: a type, and texts of values that it can cast. */
const DUCKDB: Readonly<Record<string, readonly string[]>> = {
  TINYINT: ['-128', '0', '127'],
  UTINYINT: ['0', '255'],
  SMALLINT: ['-32768', '32767'],
  USMALLINT: ['0', '65535'],
  INTEGER: ['-2147483648', '0', '2147483647'],
  UINTEGER: ['0', '4294967295'],
  BIGINT: ['-9223372036854775808', '-1', '9007199254740993', '9223372036854775807'],
  UBIGINT: ['0', '18446744073709551615'],
  HUGEINT: ['1', '-170141183460469231731687303715884105728'],
  FLOAT: ['0.1', '-0', 'nan', 'inf', '3.4e38'],
  DOUBLE: ['0.1', '-0', 'nan', '-inf', '1e308', '5e-324'],
  BOOLEAN: ['true', 'false'],
  VARCHAR: ['', 'a', ' ', 'żółć 🙂', "it's", '\ufeffx', '{"a": 1}', '2024-01-05', '1'],
  JSON: ['{"a": [1, null]}', '"x"', '1'],
  BLOB: ['', 'a', '\\x00\\xFF'],
  UUID: ['0b5d5e1e-6d62-4f0e-9d1c-0d6a4c1a2b3c'],
  DATE: ['2024-02-29', '0001-01-01', '9999-12-31', '1969-12-31', '12000-01-01', 'infinity'],
  TIME: ['00:00:00', '23:59:59.999999'],
  TIMESTAMP: ['2026-01-05 10:00:00.123456', '1900-01-01 00:00:00', '0001-01-01 00:00:00', 'infinity'],
  TIMESTAMP_S: ['2026-01-05 10:00:00'],
  TIMESTAMP_MS: ['2026-01-05 10:00:00.123', '1969-12-31 23:59:59.999'],
  TIMESTAMP_NS: ['2026-01-05 10:00:00.123456789', '2026-01-05 10:00:00'],
  TIMESTAMPTZ: ['2026-01-05 10:00:00.5+02', '0001-01-01 00:00:00+00', '-infinity'],
  'DECIMAL(4,2)': ['12.30', '-0.01', '99.99'],
  'DECIMAL(9,0)': ['999999999', '-1'],
  'DECIMAL(18,18)': ['0.000000000000000001'],
  'DECIMAL(38,10)': ['1.5', '-9999999999999999999999999999.9999999999'],
  'INTEGER[]': ['[1, 2]', '[]'],
};

const duckdbColumn = fc
  .constantFrom(...Object.keys(DUCKDB))
  .chain((type) =>
    fc
      .array(fc.option(fc.constantFrom(...(DUCKDB[type] ?? [])), { freq: 4 }), { minLength: 1, maxLength: 6 })
      .map((values) => ({ type, values })),
  );

const duckdbFile = fc.record({
  x: duckdbColumn,
  y: duckdbColumn,
  repeat: fc.constantFrom(1, 1, 1_500),
  options: fc
    .tuple(
      fc.constantFrom('snappy', 'zstd', 'gzip', 'uncompressed'),
      fc.constantFrom('V1', 'V2'),
      fc.constantFrom(2_048, 100_000),
    )
    .map(
      ([codec, version, rows]) =>
        `FORMAT parquet, COMPRESSION ${codec}, PARQUET_VERSION ${version}, ROW_GROUP_SIZE ${rows}`,
    ),
});

t.test('files of DuckDB have the values of rows', async (t) => {
  const literal = (text: string | null | undefined) =>
    text === null || text === undefined ? 'NULL' : `'${text.replaceAll("'", "''")}'`;
  const property = fc.asyncProperty(duckdbFile, query, async (file, text) => {
    const { x, y, repeat, options } = file;
    const rows = Array.from(
      { length: Math.max(x.values.length, y.values.length) },
      (_, at) =>
        `SELECT ${at} AS no, ${literal(x.values[at])}::${x.type} AS x, ${literal(y.values[at])}::${y.type} AS y`,
    ).join(' UNION ALL ');
    await connection.run(
      `COPY (SELECT r * 10 + no AS id, x, y FROM range(${repeat}) many(r), (${rows}) few ORDER BY id) TO '${path}' (${options})`,
    );
    await holds(text, file);
  });
  taken = 0;
  await fc.assert(property, { numRuns: fewOrMany(12, 60) });
  t.ok(taken > 0, `${taken} files were read by the engine`);
});

const bytes = (text: string) => new TextEncoder().encode(text);
type Element = Omit<SchemaElement, 'name'>;
interface DeclaredColumn {
  readonly element: Element;
  readonly data: readonly unknown[];
}
interface DeclaredFile {
  readonly x: DeclaredColumn;
  readonly y: DeclaredColumn;
  readonly codec: 'SNAPPY' | 'UNCOMPRESSED';
  readonly statistics: boolean;
  readonly rowGroupSize: number;
}

/** Columns of hyparquet-writer: how one is declared, and values as the file holds them. */
const DECLARED: readonly (readonly [Element, readonly unknown[]])[] = [
  [{ type: 'BOOLEAN' }, [true, false]],
  [{ type: 'INT32' }, [-2147483648, 0, 2147483647]],
  [{ type: 'INT64' }, [-9223372036854775808n, 0n, 9007199254740993n]],
  [{ type: 'FLOAT' }, [0.5, Number.NaN, -0, Number.POSITIVE_INFINITY]],
  [{ type: 'DOUBLE' }, [0.1, Number.NaN, -0, Number.NEGATIVE_INFINITY, 5e-324]],
  [{ type: 'BYTE_ARRAY' }, [bytes('a'), bytes(''), new Uint8Array([0, 255])]],
  [{ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, ['a', '', 'żółć 🙂', '\ufeffx']],
  [{ type: 'BYTE_ARRAY', converted_type: 'ENUM' }, [bytes('a'), bytes('b')]],
  [{ type: 'BYTE_ARRAY', logical_type: { type: 'STRING' } }, [bytes('a'), bytes("it's")]],
  [{ type: 'BYTE_ARRAY', converted_type: 'JSON' }, [{ a: 1 }, 'x', [1, null]]],
  [{ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 3 }, [bytes('abc'), new Uint8Array([0, 1, 255])]],
  [{ type: 'INT32', converted_type: 'DATE' }, [0, -1, 20_000, 2932896, -719162, 2147483647, -2147483648]],
  [
    { type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 2 },
    [1234n, -1n, 999999999n, 2147483647n],
  ],
  // More digits than it is declared with: the engine fails on the file's own bounds.
  [{ type: 'INT32', converted_type: 'DECIMAL', precision: 4, scale: 2 }, [1234n, 2147483600n]],
  [
    { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 0 },
    [1234n, -999999999999999999n, 9223372036854775807n],
  ],
  [{ type: 'INT64', converted_type: 'DECIMAL', precision: 9, scale: 3 }, [1234n, 9223372036854775807n]],
  [{ type: 'INT64', logical_type: { type: 'DECIMAL', precision: 18, scale: 3 } }, [1234n, -1n]],
  [{ type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }, [0n, -1n, 1_767_607_200_123n, 9223372036854775n]],
  [
    { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
    [0n, -1n, 1_767_607_200_123_456n, 9223372036854775807n],
  ],
  [
    { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } },
    [0n, 1_767_607_200_123_456n],
  ],
  [
    { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' } },
    [0n, 1_767_607_200_123_456_789n],
  ],
  [{ type: 'INT64', converted_type: 'TIME_MICROS' }, [0n, 86_399_999_999n]],
  [{ type: 'INT32', converted_type: 'INT_8' }, [-128, 127, 300]],
  [{ type: 'INT32', converted_type: 'UINT_32' }, [0, 5]],
  [{ type: 'INT64', converted_type: 'UINT_64' }, [0n, 5n]],
];

/** The engine keeps the first value in two bytes, and without statistics it does not see that it has more. */
const WRAPPED: DeclaredFile = {
  x: {
    element: { type: 'INT32', converted_type: 'DECIMAL', precision: 4, scale: 2 },
    data: [2147483600n, 1n],
  },
  y: { element: { type: 'INT32', converted_type: 'INT_8' }, data: [300, 1] },
  codec: 'SNAPPY',
  statistics: false,
  rowGroupSize: 1_000,
};

const declaredColumn = fc
  .constantFrom(...DECLARED)
  .chain(([element, values]) =>
    fc
      .array(fc.option(fc.constantFrom(...values), { freq: 4 }), { minLength: 4, maxLength: 4 })
      .map((data) => ({ element, data })),
  );

t.test('files of hyparquet-writer have the values of rows', async (t) => {
  const file: fc.Arbitrary<DeclaredFile> = fc.record({
    x: declaredColumn,
    y: declaredColumn,
    codec: fc.constantFrom('SNAPPY' as const, 'UNCOMPRESSED' as const),
    statistics: fc.boolean(),
    rowGroupSize: fc.constantFrom(1, 3, 1_000),
  });
  const property = fc.asyncProperty(file, query, async (drawn, text) => {
    const { x, y, ...options } = drawn;
    const schema: SchemaElement[] = [
      { name: 'root', num_children: 3 },
      { name: 'id', type: 'INT32', repetition_type: 'REQUIRED' },
      { name: 'x', repetition_type: 'OPTIONAL', ...x.element },
      { name: 'y', repetition_type: 'OPTIONAL', ...y.element },
    ];
    const columnData = [
      { name: 'id', data: [1, 2, 3, 4].slice(0, x.data.length) },
      { name: 'x', data: [...x.data] },
      { name: 'y', data: [...y.data] },
    ];
    writeFileSync(path, Buffer.from(parquetWriteBuffer({ columnData, schema, ...options })));
    await holds(text, drawn);
  });
  taken = 0;
  await fc.assert(property, { numRuns: fewOrMany(15, 75), examples: [[WRAPPED, 'SELECT x FROM t']] });
  t.ok(taken > 0, `${taken} of ${made} files were read by the engine`);
});
