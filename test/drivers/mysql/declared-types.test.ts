import t from 'tap';
import type { Column, Connection, Row, WriteRequest } from '../../../src/drivers/driver.ts';
import type { DeclaredType } from '../../../src/drivers/types/declared-type.ts';
import { withoutMariadb } from '../../support/mariadb.ts';
import { execute, load, never, rowsOf } from '../sql/engines.ts';
import { connectDatabase } from './mysql-database.ts';

const skip = withoutMariadb();

const SOURCE = `CREATE TABLE source (a int, b smallint unsigned NOT NULL, big bigint unsigned, t tinyint(1), m mediumint,
  c char(3) NOT NULL, v varchar(20) COLLATE utf8mb4_general_ci, w varchar(9) CHARACTER SET latin1, x text,
  d decimal(9,2), f float, ff float(7,2), dd double, dt datetime(2), ts timestamp(3) NULL, tm time(1), day date NOT NULL,
  y year, e enum('x','it''s') NOT NULL, s set('p','q'), bt bit(5), b1 bit(1), bin binary(3), vb varbinary(9), j json, u uuid,
  i6 inet6, PRIMARY KEY (b, a))`;

async function shapeOf(c: Connection, table: string): Promise<Row[]> {
  return rowsOf(
    c,
    `SELECT column_name AS name, column_type AS type, collation_name AS collation, is_nullable AS nullable, column_key AS k
     FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`,
    [table],
  );
}

async function copy(
  c: Connection,
  args: Row,
  request: Partial<WriteRequest> & Pick<WriteRequest, 'mode'>,
): Promise<void> {
  const writer = await c.openWriter(load(request));
  for await (const batch of c.read({ method: 'table' in args ? 'list' : 'query', args, signal: never }))
    await writer.write(batch);
  await writer.commit();
}

t.test('a copy of a table has its types, what may not be null, and its primary key', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await execute(
    c,
    SOURCE,
    `INSERT INTO source VALUES (1, 65535, 18446744073709551615, 1, -5, 'a', 'ü', 'é', 'x', 1.10, 0.1, 1.25, 1e300, '2024-01-01 10:00:00.25',
      '2024-01-01 10:00:00.125', '-10:00:00.5', '2024-01-01', 2024, 'it''s', 'p,q', 5, 1, 'abc', 'x', '{"a":1.10}',
      '6ccd780c-baba-1026-9564-5b8c656024db', '::1')`,
  );
  const source = await shapeOf(c, 'source');
  const rows = await rowsOf(c, 'SELECT * FROM source');
  await copy(c, { table: 'source' }, { mode: 'replace', object: 'replaced' });
  await copy(c, { table: 'source' }, { mode: 'merge', object: 'merged', key: ['a', 'b'] });
  const noNulls = ({ k, nullable, ...rest }: Row) => ({ ...rest, nullable });
  t.same(await shapeOf(c, 'replaced'), source);
  t.same((await shapeOf(c, 'merged')).map(noNulls), source.map(noNulls));
  await copy(c, { sql: 'SELECT * FROM source' }, { mode: 'append', object: 'appended' });
  t.same((await shapeOf(c, 'appended')).map(noNulls), source.map(noNulls));
  for (const table of ['replaced', 'merged', 'appended'])
    t.same(await rowsOf(c, `SELECT * FROM ${table}`), rows);
});

t.test(
  'parts that replace a table which is not there make it with types and key as well',
  { skip },
  async (t) => {
    const { connection: c } = await connectDatabase(t);
    await execute(
      c,
      'CREATE TABLE source (id int unsigned PRIMARY KEY, v varchar(7) NOT NULL)',
      `INSERT INTO source VALUES (1, 'x')`,
    );
    const ids = {
      loadId: 'p',
      partsId: 'p',
      key: [],
      allowEmpty: false,
      rowsMayFail: false,
      columnsAreFixed: true,
    };
    const parts = await c.openParts?.({ object: 'copied', mode: 'replace', ...ids, signal: never });
    await parts?.begin(never);
    const part = await parts?.openPart('1', never);
    for await (const batch of c.read({ method: 'list', args: { table: 'source' }, signal: never }))
      await part?.write(batch);
    await part?.commit();
    await parts?.publish(1, never);
    t.same(await shapeOf(c, 'copied'), await shapeOf(c, 'source'));
  },
);

t.test(
  'rows that have only a part of the key of their source go without a primary key',
  { skip },
  async (t) => {
    const { connection: c } = await connectDatabase(t);
    await execute(
      c,
      'CREATE TABLE source (a int, b int, PRIMARY KEY (a, b))',
      'INSERT INTO source VALUES (1, 1), (1, 2)',
    );
    await copy(c, { table: 'source', columns: ['a'] }, { mode: 'replace', object: 'part' });
    t.match(await shapeOf(c, 'part'), [{ name: 'a', nullable: 'NO', k: '' }]);
    t.equal(await c.call('count', { table: 'part' }, never), 2);
    await copy(
      c,
      { sql: 'SELECT s.a, o.b FROM source s LEFT JOIN source o ON o.a = s.a + 9' },
      { mode: 'replace', object: 'outer_join' },
    );
    t.match(await shapeOf(c, 'outer_join'), [
      { nullable: 'NO', k: '' },
      { type: 'int(11)', nullable: 'YES' },
    ]);
  },
);

t.test('types of other engines become the nearest', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  const cases: readonly [Column['type'], Omit<DeclaredType, 'engine' | 'sql'>, string, string?][] = [
    ['integer', { bits: 16 }, 'smallint(6)'],
    ['integer', { bits: 64, unsigned: true }, 'bigint(20) unsigned'],
    ['decimal', { precision: 9, scale: 2 }, 'decimal(9,2)'],
    ['decimal', { precision: 5, scale: -2 }, 'decimal(7,0)'],
    ['decimal', { precision: 2, scale: 5 }, 'decimal(5,5)'],
    ['decimal', { precision: 100, scale: 2 }, 'decimal(65,30)'],
    ['decimal', {}, 'decimal(65,30)'],
    ['string', { chars: 20 }, 'varchar(20)', 'utf8mb4_nopad_bin'],
    ['string', { chars: 100_000 }, 'longtext', 'utf8mb4_nopad_bin'],
    ['string', {}, 'longtext', 'utf8mb4_nopad_bin'],
    ['string', { uuid: true }, 'uuid'],
    ['number', { single: true }, 'float'],
    ['timestamp', { zone: false }, 'datetime(6)'],
    ['timestamp', { zone: true }, 'datetime(6)'],
    ['time', { zone: true }, 'varchar(32)', 'utf8mb4_nopad_bin'],
    ['time', { zone: false }, 'time(6)'],
  ];
  const columns = cases.map(
    ([type, facets], at): Column => ({
      name: `c${at}`,
      type,
      nullable: at % 2 === 0,
      declared: { engine: 'postgres', sql: 'none_of_ours', required: at % 2 === 1, ...facets },
    }),
  );
  const row = Object.fromEntries(
    columns.map(({ name, nullable, type }) => [name, nullable ? null : type === 'string' ? 'x' : 0]),
  );
  const times = { c13: '2024-01-01T00:00:00Z', c15: '10:00:00' };
  for (const mode of ['append', 'replace'] as const) {
    const writer = await c.openWriter(load({ mode, object: mode }));
    await writer.write({ columns, rows: [{ ...row, ...times }] });
    await writer.commit();
    const made = await shapeOf(c, mode);
    t.same(
      made.map(({ type, collation }) => [type, collation]),
      cases.map(([, , type, collation]) => [type, collation ?? null]),
    );
    t.same(
      made.map(({ nullable }) => nullable),
      columns.map(({ nullable }) => (nullable ? 'YES' : 'NO')),
    );
  }
  // More short texts than a row has room for.
  const texts = Array.from(
    { length: 60 },
    (_, at): Column => ({
      name: `t${at}`,
      type: 'string',
      nullable: true,
      declared: { engine: 'postgres', sql: 'varchar', chars: 500 },
    }),
  );
  const wide = await c.openWriter(load({ mode: 'append', object: 'wide' }));
  await wide.write({ columns: texts, rows: [Object.fromEntries(texts.map(({ name }) => [name, 'x']))] });
  t.same(await wide.commit(), { rows: 1 });
});
