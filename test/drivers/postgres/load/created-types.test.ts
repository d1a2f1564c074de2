import t from 'tap';
import type { Batch, Column, Connection, WriteMode } from '../../../../src/drivers/driver.ts';
import { withoutKey } from '../../../../src/drivers/types/declared-type.ts';
import { column, engines, execute, load, never, rowsOf, writeAll } from '../../sql/engines.ts';

const engine = engines.find(({ name }) => name === 'postgres');
const open = await engine?.prepare(t);
if (open === undefined) throw new Error('There is no PostgreSQL');

const TYPES: Readonly<Record<string, string>> = {
  a: 'smallint',
  b: 'integer NOT NULL',
  c: 'bigint',
  d: 'numeric(9,2)',
  e: 'numeric',
  f: 'real',
  g: 'double precision',
  h: 'character varying(20)',
  i: 'character(3)',
  j: 'text',
  k: 'uuid',
  l: 'text[]',
  m: 'timestamp(3) without time zone',
  n: 'timestamp with time zone',
  o: 'time with time zone',
  p: 'date',
  q: 'bit(3)',
  r: 'inet',
  s: 'interval',
  t: 'jsonb',
  u: 'json',
  v: 'bytea',
  w: 'numeric(9,2)[]',
  x: 'tstzrange',
  y: 'boolean',
};
const VALUES = `1, 2, 3, 4.50, 5, 0.5, 0.25, 'v', 'ab', 't', '00000000-0000-0000-0000-000000000001', '{a,NULL}', '2020-01-01 01:00',
  '2020-01-01 01:00+02', '01:00+02', '2020-01-01', '101', '10.0.0.1/8', 'P1DT2H', '{"a": 1}', '{"b":1}', '\\x00ff', '{1.50}',
  '[2020-01-01 00:00+00,2020-01-02 00:00+00)', true`;

const typesOf = (c: Connection, table: string) =>
  rowsOf(
    c,
    `SELECT attname AS name, format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END AS type
     FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 ORDER BY attnum`,
  );
const keyOf = async (c: Connection) =>
  (
    await rowsOf(
      c,
      `SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE conrelid = 'people'::regclass AND contype = 'p'`,
    )
  )[0]?.['key'];

async function listed(c: Connection, args: Record<string, unknown>): Promise<Batch> {
  const all: Batch[] = [];
  for await (const batch of c.read({ method: 'list', args, signal: never })) all.push(batch);
  return all[0] as Batch;
}

t.test(
  'a table that a load makes has the types of the table that it comes from, and its values',
  async (t) => {
    const c = await open(t);
    const lines = Object.entries(TYPES).map(([name, type]) => `${name} ${type}`);
    await execute(c, `CREATE TABLE source (${lines.join(', ')})`, `INSERT INTO source VALUES (${VALUES})`);
    const rows = `SELECT source::text AS row FROM source`;
    for (const mode of ['append', 'replace'] as const) {
      await execute(c, 'DROP TABLE IF EXISTS people');
      await writeAll(c, { mode, loadId: mode }, await listed(c, { table: 'source' }));
      t.strictSame(await typesOf(c, 'people'), await typesOf(c, 'source'), mode);
      t.strictSame(await rowsOf(c, rows.replaceAll('source', 'people')), await rowsOf(c, rows));
    }
  },
);

t.test('the primary key comes along where a table is replaced and all of the key was read', async (t) => {
  const c = await open(t);
  await execute(
    c,
    'CREATE TABLE source (id int, part int, v text, PRIMARY KEY (id, part))',
    `INSERT INTO source VALUES (1, 1, 'a')`,
  );
  const cases: readonly (readonly [WriteMode, readonly string[] | undefined, string | undefined])[] = [
    ['replace', undefined, 'PRIMARY KEY (id, part)'],
    ['truncate_insert', ['part', 'id'], 'PRIMARY KEY (part, id)'],
    ['replace', ['id', 'v'], undefined],
    ['append', undefined, undefined],
  ];
  for (const [at, [mode, columns, wanted]] of cases.entries()) {
    await execute(c, 'DROP TABLE IF EXISTS people');
    await writeAll(c, { mode, loadId: `${at}` }, await listed(c, { table: 'source', columns }));
    t.equal(await keyOf(c), wanted, `${mode} ${columns}`);
  }
  await execute(c, 'DROP TABLE people');
  const batch = await listed(c, { table: 'source' });
  const twice = { columns: batch.columns.map(withoutKey), rows: [...batch.rows, ...batch.rows] };
  await writeAll(c, { mode: 'replace' }, twice);
  t.equal(await keyOf(c), undefined, 'rows that were multiplied have no key');
});

t.test('what another engine declares becomes the nearest type', async (t) => {
  const c = await open(t);
  const of = (name: string, type: Column['type'], declared: Partial<Column['declared']>): Column => ({
    ...column(name, type),
    declared: { engine: 'mysql', sql: 'x', ...declared },
  });
  const columns = [
    of('a', 'integer', { bits: 8, unsigned: true }),
    of('b', 'integer', { bits: 32, unsigned: true }),
    of('c', 'integer', { bits: 64, unsigned: true }),
    of('d', 'decimal', { precision: 9, scale: 2 }),
    of('e', 'string', { chars: 20 }),
    of('f', 'timestamp', { zone: false }),
    of('g', 'number', { single: true }),
    of('h', 'string', { uuid: true }),
    of('i', 'decimal', { precision: 1_001 }),
  ];
  const rows = [
    { a: 255, b: 4_294_967_295, c: '18446744073709551615', d: '1.50', e: 'x', f: '2020-01-01T00:00:00Z' },
  ];
  await writeAll(c, { mode: 'append' }, { columns, rows });
  t.strictSame(
    (await typesOf(c, 'people')).map(({ type }) => type),
    [
      'smallint',
      'bigint',
      'numeric(20,0)',
      'numeric(9,2)',
      'character varying(20)',
      'timestamp without time zone',
      'real',
      'uuid',
      'numeric',
    ],
  );
});

t.test(
  'a source that declares a type and a target that is wider exchange values without a look at each',
  async (t) => {
    const c = await open(t);
    await execute(
      c,
      'CREATE TABLE source (n numeric(9,2))',
      'INSERT INTO source VALUES (1.50)',
      'CREATE TABLE people (n numeric(9,1))',
    );
    const writing = c.openWriter(load({ mode: 'append' })).then(async (writer) => {
      await writer.write(await listed(c, { table: 'source' }));
      return writer.commit();
    });
    t.strictSame(await writing, { rows: 1 }, '1.50 is 1.5');
    t.strictSame(await rowsOf(c, 'SELECT n::text FROM people'), [{ n: '1.5' }]);
  },
);
