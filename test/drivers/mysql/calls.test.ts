import t from 'tap';
import { mysqlDriver } from '../../../src/drivers/mysql/driver.ts';
import { withoutMariadb } from '../../support/mariadb.ts';
import { batchOf, column, contextOf, execute, fault, never, rowsOf, writeAll } from '../sql/engines.ts';
import { connectDatabase } from './mysql-database.ts';

const skip = withoutMariadb();

t.test('a call writes its values exactly, or is refused', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await execute(
    c,
    `CREATE TABLE one (id int PRIMARY KEY, n int DEFAULT 7, d decimal(5,2), at datetime(3), b bit(4), t tinyint(1), e enum('a','1'),
       bin varbinary(9), y year, j json)`,
  );
  const call = (method: string, args: object) => c.call(method, { table: 'one', ...args }, never);
  const good = {
    d: '1.25',
    at: '2024-01-01T10:00:00.5+02:00',
    b: 5,
    t: true,
    e: 'a',
    y: 2024,
    j: { a: [1] },
  };
  await call('insert', {
    rows: [
      { id: 1, ...good },
      { id: 2, n: null },
    ],
  });
  const wanted = { id: 1, n: 7, ...good, at: '2024-01-01T08:00:00.5Z', bin: null };
  t.same(await rowsOf(c, 'SELECT * FROM one WHERE id = 1'), [wanted]);
  t.match(await rowsOf(c, 'SELECT n, d FROM one WHERE id = 2'), [{ n: null, d: null }]);
  for (const [name, value] of [
    ['n', 1.5],
    ['d', 1.555],
    ['at', '2024-01-01T10:00:00.1234Z'],
    ['b', 16],
    ['e', 2],
    ['bin', 'aGVsbG8='],
    ['y', 70],
  ] as const) {
    for (const [method, args] of [
      ['insert', { rows: [{ id: 3, [name]: value }] }],
      ['update', { set: { [name]: value }, filter: { id: 1 } }],
      ['upsert', { key: ['id'], rows: [{ id: 1, [name]: value }] }],
    ] as const)
      await t.rejects(
        call(method, args),
        fault('DATA', new RegExp(`does not fit the column "${name}"`)),
        `${method} ${name}`,
      );
  }
  await t.rejects(call('insert', { rows: [{ id: 4, n: 1, N: 2 }] }), fault('CONFIG', /"n" and "N" are one/));
  await call('update', { set: { n: 8, at: '2024-02-29', j: 'null' }, filter: { id: 1 } });
  t.match(await rowsOf(c, 'SELECT n, at FROM one WHERE id = 1'), [{ n: 8, at: '2024-02-29T00:00:00Z' }]);
  t.equal(await call('count', {}), 2);
});

t.test('what only rows bring about is their fault, and not that of the settings', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await execute(c, 'CREATE TABLE n (n bigint unsigned)', 'INSERT INTO n VALUES (1), (2)');
  for (const sql of [
    'SELECT n - 5 AS x FROM n',
    'SELECT (SELECT n FROM n) AS x',
    'SELECT exp(n * 1000) AS x FROM n',
  ])
    await t.rejects(rowsOf(c, sql), fault('DATA', /^The rows cannot be computed/), sql);
  await t.rejects(c.call('execute', { sql: 'INSERT INTO n SELECT 1 / 0' }, never), fault('DATA'));
  await t.rejects(rowsOf(c, 'SELECT nothing FROM n'), fault('CONFIG'));
});

t.test(
  'dates with zeros come and go as text where that is asked for, whatever else is checked',
  { skip },
  async (t) => {
    const { connection: c, url } = await connectDatabase(t);
    const texts = await mysqlDriver.connect({ url, zero_dates: 'text' }, contextOf('/'));
    t.teardown(() => texts.close());
    await execute(c, 'CREATE TABLE z (id int PRIMARY KEY, day date, at datetime(3), stamp timestamp NULL)');
    const rows = Array.from({ length: 150 }, (_, id) => ({
      id,
      day: id === 1 ? '2024-00-10' : '0000-00-00',
      at: '0000-00-00 00:00:00',
      stamp: '0000-00-00 00:00:00',
    }));
    const columns = [
      column('id', 'integer'),
      column('day', 'date'),
      column('at', 'timestamp'),
      column('stamp', 'timestamp'),
    ];
    await writeAll(texts, { mode: 'append', object: 'z', columnsAreFixed: true }, { columns, rows });
    t.same(await rowsOf(texts, 'SELECT * FROM z ORDER BY id'), rows);
    const late = writeAll(texts, { mode: 'merge', object: 'z' }, batchOf([{ id: 1, day: '2024-02-30' }]));
    await t.rejects(late, fault('DATA', /"day"/));
  },
);
