import t from 'tap';
import type { PageRequest, Row } from '../../../src/drivers/driver.ts';
import { mysqlDriver } from '../../../src/drivers/mysql/driver.ts';
import { withoutMariadb } from '../../support/mariadb.ts';
import { batchOf, column, contextOf, execute, never, rowsOf, writeAll } from '../sql/engines.ts';
import { connectDatabase } from './mysql-database.ts';

const skip = withoutMariadb();

const TABLE = `CREATE TABLE v (id int PRIMARY KEY, tiny tinyint, truth tinyint(1), small smallint unsigned, big bigint,
  huge bigint unsigned, price decimal(12,2), exact decimal(65,30), f float, d double, b1 bit(1), b9 bit(9), b64 bit(64),
  kind enum('b','a'), tags set('x','y','z'), doc json, bin varbinary(9), raw blob, day date, clock time(3),
  moment datetime(6), stamp timestamp NULL, y year, word varchar(20) CHARACTER SET latin1, note text)`;

const ROW: Row = {
  id: 1,
  tiny: -128,
  truth: true,
  small: 65_535,
  big: '-9223372036854775808',
  huge: '18446744073709551615',
  price: '1234567890.10',
  exact: '0.000000000000000000000000000001',
  f: 0.1,
  d: 1e-300,
  b1: true,
  b9: 511,
  b64: '18446744073709551615',
  kind: 'a',
  tags: 'x,z',
  doc: { a: [1, null, 'ü'], b: { c: '\\' } },
  bin: Buffer.from([0, 255, 9]).toString('base64'),
  raw: Buffer.from('\t\n\\N\0').toString('base64'),
  day: '2024-02-29',
  clock: '-12:30:00.25',
  moment: '2024-02-29T23:59:59.999999Z',
  stamp: '2024-06-30T22:00:00Z',
  y: 2024,
  word: 'Grüße',
  note: '😀 漢\0\x1a',
};

const columns = Object.entries(ROW).map(([name, value]) => {
  if (name === 'doc') return column(name, 'json');
  if (name === 'bin' || name === 'raw') return column(name, 'binary');
  if (name === 'b64') return column(name, 'integer');
  return column(name, typeof value === 'number' ? 'integer' : 'string');
});

for (const bulk_load of [true, false]) {
  t.test(
    `every type comes back as it went in, ${bulk_load ? 'by LOAD DATA' : 'by INSERT'}`,
    { skip },
    async (t) => {
      const { connection: c } = await connectDatabase(t, { bulk_load });
      await execute(c, TABLE, 'CREATE TABLE target LIKE v');
      const rows = Array.from({ length: 150 }, (_, i) => ({ ...ROW, id: i }));
      rows.push(
        Object.fromEntries(Object.keys(ROW).map((name) => [name, name === 'id' ? 999 : null])) as Row & {
          id: number;
        },
      );
      for (const columnsAreFixed of [true, false]) {
        await writeAll(
          c,
          { mode: 'append', object: 'v', columnsAreFixed, loadId: String(columnsAreFixed) },
          { columns, rows },
        );
        t.strictSame(await rowsOf(c, 'SELECT * FROM v ORDER BY id'), rows);
        await execute(c, 'DELETE FROM v');
      }
      t.match(await c.describe('v', never), [
        { name: 'id', type: 'integer', key: true, nullable: false },
        { name: 'tiny', type: 'integer', native_type: 'tinyint(4)' },
        { type: 'boolean' },
        { native_type: 'smallint(5) unsigned' },
        {},
        { native_type: 'bigint(20) unsigned', type: 'integer' },
        { type: 'decimal', native_type: 'decimal(12,2)' },
      ]);
    },
  );
}

t.test('moments with a zone are stored in UTC', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await execute(c, 'CREATE TABLE m (id int, at datetime(3), day date)');
  const rows = [
    { id: 1, at: '2024-03-01T01:00:00.5+02:00', day: '2024-03-01' },
    { id: 2, at: '2024-03-01 01:00', day: null },
  ];
  await writeAll(c, { mode: 'append', object: 'm' }, batchOf(rows));
  t.strictSame(await rowsOf(c, 'SELECT id, at FROM m ORDER BY id'), [
    { id: 1, at: '2024-02-29T23:00:00.5Z' },
    { id: 2, at: '2024-03-01T01:00:00Z' },
  ]);
});

t.test(
  'zero dates are null, or text where that is asked for, and are then taken as well',
  { skip },
  async (t) => {
    const { connection: c, url } = await connectDatabase(t);
    await execute(c, 'CREATE TABLE z (id int PRIMARY KEY, day date, at datetime)');
    await execute(
      c,
      `SET STATEMENT sql_mode = '' FOR INSERT INTO z VALUES (1, '0000-00-00', '0000-00-00 00:00:00'), (2, '2024-00-10', NULL)`,
    );
    t.strictSame(await rowsOf(c, 'SELECT * FROM z ORDER BY id'), [
      { id: 1, day: null, at: null },
      { id: 2, day: null, at: null },
    ]);
    const texts = await mysqlDriver.connect({ url, zero_dates: 'text' }, contextOf('/'));
    t.teardown(() => texts.close());
    const found = await rowsOf(texts, 'SELECT id, day FROM z ORDER BY id');
    t.strictSame(found, [
      { id: 1, day: '0000-00-00' },
      { id: 2, day: '2024-00-10' },
    ]);
    await writeAll(
      texts,
      { mode: 'append', object: 'copy' },
      { columns: [column('id', 'integer'), column('day', 'date')], rows: found },
    );
    t.strictSame(await rowsOf(texts, 'SELECT id, day FROM copy ORDER BY id'), found);
    const refused = writeAll(
      c,
      { mode: 'append', object: 'z', loadId: 'x' },
      batchOf([{ id: 3, day: '0000-00-00' }]),
    );
    t.match(await refused.catch((error: unknown) => error), { fault: 'DATA', column: 'day' });
  },
);

t.test(
  'pages are in order of enums, bits and exact numbers, and each row comes once',
  { skip },
  async (t) => {
    const { connection: c } = await connectDatabase(t);
    await execute(
      c,
      `CREATE TABLE p (id int PRIMARY KEY, kind enum('b','a','c'), n decimal(30,10), u bigint unsigned, bits bit(9), at datetime(6), raw varbinary(9), word varchar(9))`,
    );
    const rows = Array.from({ length: 24 }, (_, id) => ({
      id,
      kind: ['b', 'a', 'c', null][id % 4],
      n: id % 5 === 0 ? null : `1234567890123456789.${String(id % 3).padStart(10, '0')}`,
      u: `184467440737095516${String(id % 7).padStart(2, '0')}`,
      bits: id % 3,
      at: `2024-01-01T00:00:00.00000${id % 4}Z`,
      raw: Buffer.from([id % 4, 200]).toString('base64'),
      word: ['é', 'E', 'e', 'z'][id % 4],
    }));
    const { columns } = batchOf(rows);
    await writeAll(
      c,
      { mode: 'append', object: 'p' },
      { columns: columns.map((one) => (one.name === 'raw' ? column('raw', 'binary') : one)), rows },
    );
    for (const name of ['kind', 'n', 'u', 'bits', 'at', 'raw', 'word']) {
      for (const sort of [[name], [`-${name}`]]) {
        const whole = await c.page({ resource: 'p', sort, limit: 100, signal: never });
        const found: Row[] = [];
        let cursor: string | undefined;
        do {
          const request: PageRequest = { resource: 'p', sort, limit: 5, signal: never };
          const page = await c.page(cursor === undefined ? request : { ...request, cursor });
          found.push(...page.rows);
          cursor = page.next_cursor ?? undefined;
        } while (cursor !== undefined);
        t.strictSame(
          found.map((row) => row['id']),
          whole.rows.map((row) => row['id']),
          sort[0] ?? '',
        );
        t.equal(new Set(found.map((row) => row['id'])).size, 24);
      }
    }
  },
);
