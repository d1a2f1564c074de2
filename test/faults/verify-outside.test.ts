// Long list: it reads what was loaded by programs of others, over random tables; quick: test/engine/verify/verify.test.ts, test/engine/verify/compared-values.test.ts.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import pg from 'pg';
import t, { type Test } from 'tap';
import { runYaml } from '../engine/support/task-run.ts';
import { fewOrMany } from '../support/fault-list.ts';
import { findProgram } from '../support/find-program.ts';
import { createDatabase } from '../support/postgres.ts';
import { seeded } from '../support/seed.ts';

/*
 * What `verify` calls equal is so for readers of others, too: Python's for CSV and SQLite, DuckDB's for Parquet. After one cell has
 * changed, both name that cell and no other.
 */

const TABLES = fewOrMany(1, 8);
const python = findProgram(process.env['PYTHON_PATH'], ['python3']);
const skip = python === null && 'no python3 on the PATH';
const reader = join(import.meta.dirname, '../engine/verify/support/outside-reader.py');

const COLUMNS = {
  k: 'integer',
  n: 'decimal',
  f: 'number',
  b: 'boolean',
  d: 'date',
  ts: 'timestamp',
  s: 'string',
} as const;
const TABLE =
  'k bigint PRIMARY KEY, n numeric(18, 6), f double precision, b boolean, d date, ts timestamptz, s text';
/** How the cell of a row is changed. */
const CHANGES: Readonly<Record<string, string>> = {
  n: 'coalesce(n, 0) + 0.000001',
  f: 'CASE WHEN f IS NULL OR abs(f) < 1e-200 THEN 0.1 ELSE f + abs(f) * 2.3e-16 END',
  b: 'NOT coalesce(b, false)',
  d: "coalesce(d, '2000-01-01') + 1",
  ts: "coalesce(ts, '2000-01-01Z') + interval '1 microsecond'",
  s: "CASE WHEN s IS NULL THEN 'x' ELSE s || ' ' END",
};

const cells = fc.record({
  n: fc.option(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n })),
  f: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })),
  b: fc.option(fc.boolean()),
  d: fc.option(fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })),
  micros: fc.option(fc.integer({ min: 0, max: 4_000_000_000_000_000 })),
  s: fc.option(fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0'))),
});
const tables = fc.record({
  keys: fc.uniqueArray(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), {
    minLength: 1,
    maxLength: 12,
  }),
  rows: fc.array(cells, { minLength: 12, maxLength: 12 }),
  changedRow: fc.nat(),
  changedColumn: fc.constantFrom(...Object.keys(CHANGES)),
});
type Table = typeof tables extends fc.Arbitrary<infer T> ? T : never;

async function fill(client: pg.Client, { keys, rows }: Table): Promise<void> {
  await client.query(`DROP TABLE IF EXISTS items; CREATE TABLE items (${TABLE})`);
  for (const [index, key] of keys.entries()) {
    const { n, f, b, d, micros, s } = rows[index] as Table['rows'][number];
    await client.query(
      `INSERT INTO items VALUES ($1, $2::numeric / 1000000, $3, $4, $5::date, timestamptz 'epoch' + $6::bigint * interval '1 microsecond', $7)`,
      [key, n, f === null ? null : String(f), b, d?.toISOString().slice(0, 10) ?? null, micros, s],
    );
  }
}

const OBJECTS = { csv: 'items.csv', sqlite: 'items', parquet: 'items.parquet' } as const;
type Kind = keyof typeof OBJECTS;
const KINDS = Object.keys(OBJECTS) as readonly Kind[];

const LOADS = KINDS.map(
  (kind) =>
    `  - { id: to_${kind}, kind: load, input: read, connector: ${kind}, object: ${OBJECTS[kind]}, mode: replace }`,
).join('\n');
const CHECKS = KINDS.map(
  (kind) => `
  - id: check_${kind}
    kind: verify
    source: { connector: source, object: items }
    target: { connector: ${kind}, object: ${OBJECTS[kind]} }
    key: [k]
    on_difference: warn`,
).join('');
const yaml = (steps: string) => `
version: 1
name: items
connectors: { source: {type: postgres}, csv: {type: csv}, sqlite: {type: sqlite}, parquet: {type: parquet} }
steps:
${steps}`;
const READ = '  - { id: read, kind: extract, connector: source, method: list, args: {table: items} }';

/** The texts of all cells in the order of the columns, as PostgreSQL has them. */
async function textsOf(client: pg.Client): Promise<unknown[][]> {
  const names = Object.keys(COLUMNS).map((name) => `${name}::text`);
  const { rows } = await client.query({ text: `SELECT ${names.join(', ')} FROM items`, rowMode: 'array' });
  return rows;
}

async function parquetTexts(file: string): Promise<unknown[][]> {
  const db = await DuckDBInstance.create(':memory:');
  const connection = await db.connect();
  const names = Object.keys(COLUMNS).map((name) =>
    name === 'ts' ? "strftime(make_timestamp(epoch_us(ts)), '%Y-%m-%d %H:%M:%S.%f')" : `${name}::varchar`,
  );
  try {
    const read = await connection.runAndReadAll(`SELECT ${names.join(', ')} FROM '${file}'`);
    return read.getRowsJson() as unknown[][];
  } finally {
    connection.closeSync();
    db.closeSync();
  }
}

/** The cells of each target that are not as in PostgreSQL, by other readers. */
async function seenOutside(client: pg.Client, folder: string): Promise<Record<Kind, unknown>> {
  const input = JSON.stringify({
    columns: COLUMNS,
    reference: await textsOf(client),
    csv: join(folder, 'items.csv'),
    sqlite: join(folder, 'items.db'),
    texts: await parquetTexts(join(folder, 'items.parquet')),
  });
  const { csv, sqlite, texts } = JSON.parse(
    execFileSync(python ?? '', [reader], { input, encoding: 'utf8' }),
  );
  return { csv, sqlite, parquet: texts };
}

t.setTimeout(300_000);

t.test(
  'what is equal, and the cell that differs, are the same for readers of others',
  { skip },
  async (t: Test) => {
    const { url } = await createDatabase(t);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.teardown(() => client.end());
    await client.query("SET TimeZone = 'UTC'; SET extra_float_digits = 1");
    const folder = t.testdir();
    const connectors = {
      source: { type: 'postgres', config: { url } },
      csv: { type: 'csv', config: { path: '.' } },
      sqlite: { type: 'sqlite', config: { path: 'items.db' } },
      parquet: { type: 'parquet', config: { path: '.' } },
    };
    let runs = 0;
    const run = async (steps: string) => {
      const input = { run: { id: ++runs, attempt: 1 } };
      const { failure, steps: ended } = await runYaml({ folder, yaml: yaml(steps), connectors, input });
      if (failure !== null) throw new Error(failure.message);
      return new Map(ended.map(({ step_id, verification }) => [step_id, verification]));
    };
    for (const table of fc.sample(tables, { numRuns: TABLES, seed: seeded(t).seed })) {
      await fill(client, table);
      const loaded = await run(`${READ}\n${LOADS}${CHECKS}`);
      for (const kind of KINDS)
        t.match(loaded.get(`check_${kind}`), { equal: true, rows_source: table.keys.length }, kind);
      t.same(await seenOutside(client, folder), { csv: [], sqlite: [], parquet: [] }, 'as others see it');

      const { changedColumn: column, changedRow } = table;
      const key = String(table.keys[changedRow % table.keys.length]);
      await client.query(`UPDATE items SET ${column} = ${CHANGES[column]} WHERE k = $1`, [key]);
      const changed = await run(CHECKS);
      for (const kind of KINDS)
        t.match(
          changed.get(`check_${kind}`),
          {
            equal: false,
            differing: 1,
            missing: 0,
            surplus: 0,
            columns: [...Object.keys(COLUMNS)]
              .filter((name) => name !== 'k')
              .map((name) => ({ column: name, differing: name === column ? 1 : 0 })),
            differences: [{ kind: 'differing', key: { k: key }, columns: [{ column }] }],
          },
          kind,
        );
      const cell = [[key, column]];
      t.same(
        await seenOutside(client, folder),
        { csv: cell, sqlite: cell, parquet: cell },
        'as others see it',
      );
    }
  },
);
