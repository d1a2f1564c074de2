import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import type { Batch, Connection, Row } from '../../../src/drivers/driver.ts';

const signal = new AbortController().signal;

async function connect(root: string, config: object = {}): Promise<Connection> {
  const context = { fileRoots: [root], forbiddenFiles: [], connectTimeoutMs: 1_000 };
  return csvDriver.connect({ path: '.', ...config }, context);
}

async function batchesOf(connection: Connection, args: object, options: object = {}): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of connection.read({ method: 'read', args, signal, ...options }))
    batches.push(batch);
  return batches;
}

async function rowsOf(connection: Connection, args: object, options: object = {}): Promise<Row[]> {
  return (await batchesOf(connection, args, options)).flatMap((batch) => batch.rows);
}

const faulted = (fault: string) => ({ fault, message: /./ });

t.test('types are found: integers, numbers, booleans, dates; codes stay text; blanks are null', async (t) => {
  const root = realpathSync(
    t.testdir({
      'a.csv':
        '\uFEFFid,zip,price,big,exact,on,day,at,note\r\n' +
        '1,01234,1.5,9007199254740993,0.1234567890123456789,true,2024-02-29,2024-02-29T10:00:00Z,\r\n' +
        '-2,99999,.25,1,2,FALSE,,,""\r\n',
    }),
  );
  const connection = await connect(root);
  const [batch] = await batchesOf(connection, { file: 'a.csv' });
  t.strictSame(
    batch?.columns.map((column) => `${column.name}:${column.type}`),
    [
      'id:integer',
      'zip:string',
      'price:number',
      'big:integer',
      'exact:decimal',
      'on:boolean',
      'day:date',
      'at:timestamp',
      'note:string',
    ],
  );
  t.strictSame(batch?.rows, [
    {
      id: 1,
      zip: '01234',
      price: 1.5,
      big: '9007199254740993',
      exact: '0.1234567890123456789',
      on: true,
      day: '2024-02-29',
      at: '2024-02-29T10:00:00Z',
      note: null,
    },
    { id: -2, zip: '99999', price: 0.25, big: 1, exact: '2', on: false, day: null, at: null, note: '' },
  ]);
  const untyped = await rowsOf(connection, { file: 'a.csv', typed: false, columns: ['price', 'id'] });
  t.strictSame(untyped[0], { price: '1.5', id: '1' });
});

t.test('each batch is of one type: a value that does not fit widens the column from there on', async (t) => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `${index},${index === 20_500 ? 'n/a' : index}`);
  lines[10_250] = '1.5,7';
  const root = realpathSync(t.testdir({ 'a.csv': `x,y\n${lines.join('\n')}` }));
  const batches = await batchesOf(await connect(root), { file: 'a.csv' });
  const rows = batches.flatMap((batch) => batch.rows);
  t.equal(rows.length, 30_000);
  t.strictSame(rows[10_250], { x: 1.5, y: 7 });
  t.strictSame(rows[20_500], { x: 20_500, y: 'n/a' });
  t.strictSame(rows[29_999], { x: 29_999, y: '29999' });
  const changes = batches.map((batch) => batch.columns.map((column) => column.type).join());
  t.strictSame([...new Set(changes)], ['integer,integer', 'number,integer', 'number,string']);
  const typeNames: Record<string, string> = { integer: 'number', number: 'number', string: 'string' };
  for (const { columns, rows: some } of batches) {
    for (const { name, type } of columns) {
      if (!some.every((row) => typeof row[name] === typeNames[type])) t.fail(`${name} is not all ${type}`);
    }
  }
});

t.test('a quoted line break lies over the border of two chunks', async (t) => {
  const long = `${'x'.repeat(262_144 - 8)}\n""quoted""\r\n${'ä'.repeat(300_000)}`;
  const root = realpathSync(t.testdir({}));
  writeFileSync(join(root, 'a.csv'), `a,b\n0,y\n1,"${long}"\n2,z\n`);
  const rows = await rowsOf(await connect(root), { file: 'a.csv' });
  t.strictSame(
    rows.map((row) => row['a']),
    [0, 1, 2],
  );
  t.equal(rows[1]?.['b'], long.replaceAll('""', '"'));
});

t.test('semicolons with a decimal comma, tabs by name and by \\t, pipes', async (t) => {
  const root = realpathSync(
    t.testdir({ 'de.csv': 'name;preis\nä;1,50\nö;-2\n', 'a.tsv': 'a\tb\n1,2\t3\n', 'p.csv': 'a|b\n1|2\n' }),
  );
  const connection = await connect(root);
  t.strictSame(await rowsOf(connection, { file: 'de.csv' }), [
    { name: 'ä', preis: 1.5 },
    { name: 'ö', preis: -2 },
  ]);
  for (const args of [
    {},
    { delimiter: 'tab' },
    { separator: '\\t' },
    { delimiter: '\t', separator: 'tab' },
  ]) {
    t.strictSame(await rowsOf(connection, { file: 'a.tsv', ...args }), [{ a: '1,2', b: 3 }]);
  }
  t.strictSame(await rowsOf(connection, { file: 'p.csv' }), [{ a: 1, b: 2 }]);
  t.strictSame(
    (await connection.describe('a.tsv', signal, { delimiter: ',' })).map((column) => column.name),
    ['a\tb', 'column_2'].slice(0, 1),
  );
  await t.rejects(rowsOf(connection, { file: 'a.tsv', delimiter: ',', separator: ';' }), faulted('CONFIG'));
  for (const delimiter of ['constructor', '__proto__'])
    await t.rejects(rowsOf(connection, { file: 'a.tsv', delimiter }), { message: /The delimiter "/ });
  await t.rejects(rowsOf(connection, { file: 'a.tsv', delimiter: 'abc' }), {
    message: /The delimiter "abc"/,
  });
});

t.test(
  'a configured delimiter that makes one column is refused, unless the call itself gives it',
  async (t) => {
    const root = realpathSync(t.testdir({ 'a.csv': 'a;b\n1;2\n' }));
    const connection = await connect(root, { delimiter: ',' });
    await t.rejects(rowsOf(connection, { file: 'a.csv' }), {
      fault: 'CONFIG',
      message:
        'With the delimiter "," the file "a.csv" has one column, and its header contains ";": set "delimiter" to ";"',
    });
    t.strictSame(await rowsOf(connection, { file: 'a.csv', delimiter: ',' }), [{ 'a;b': '1;2' }]);
  },
);

t.test('columns get names of their own: duplicates, blanks, __proto__, no header', async (t) => {
  const root = realpathSync(t.testdir({ 'a.csv': 'n,n,,__proto__,n_2\n1,2,3,4,5\n', 'b.csv': '1,x\n2,y\n' }));
  const connection = await connect(root);
  const [row] = await rowsOf(connection, { file: 'a.csv' });
  t.strictSame(Object.entries(row ?? {}), [
    ['n', 1],
    ['n_3', 2],
    ['column_3', 3],
    ['__proto__', 4],
    ['n_2', 5],
  ]);
  t.strictSame(await rowsOf(connection, { file: 'b.csv', header: false }), [
    { column_1: 1, column_2: 'x' },
    { column_1: 2, column_2: 'y' },
  ]);
  await t.rejects(rowsOf(connection, { file: 'a.csv', columns: ['zip'] }), {
    message: /There is no column "zip"/,
  });
});

t.test('encodings: latin1 on request, and bytes that are no UTF-8 are told', async (t) => {
  const root = realpathSync(t.testdir({}));
  writeFileSync(join(root, 'a.csv'), Buffer.from('a\nä\n', 'latin1'));
  const connection = await connect(root);
  await t.rejects(rowsOf(connection, { file: 'a.csv' }), {
    fault: 'DATA',
    message: /as windows-1252 it reads "ä"; set "encoding" to "windows-1252"/,
  });
  t.strictSame(await rowsOf(connection, { file: 'a.csv', encoding: 'latin1' }), [{ a: 'ä' }]);
});

t.test(
  'limit and batchRows are kept, a mistake behind the limit is not met, and an abort ends the read',
  async (t) => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `${index},x`);
    const root = realpathSync(t.testdir({ 'a.csv': `a,b\n${lines.join('\n')}\nbroken` }));
    const connection = await connect(root);
    const sizes = async (options: object) =>
      (await batchesOf(connection, { file: 'a.csv' }, options)).map((batch) => batch.rows.length);
    t.strictSame(await sizes({ limit: 250, batchRows: 100 }), [100, 100, 50]);
    t.strictSame(await sizes({ limit: 5_000, batchRows: 2_500 }), [2_500, 2_500]);
    await t.rejects(sizes({}), { message: /line 5002/ });
    const abort = new AbortController();
    const read = connection.read({
      method: 'read',
      args: { file: 'a.csv' },
      signal: abort.signal,
      batchRows: 10,
    });
    let seen = 0;
    await t.rejects(async () => {
      for await (const batch of read) {
        seen += batch.rows.length;
        abort.abort();
      }
    });
    t.equal(seen, 10);
  },
);

t.test('pages: filter, order, cursors bound to the file and the request', async (t) => {
  const lines = Array.from(
    { length: 100 },
    (_, index) => `${index},${index % 3 === 0 ? '' : `City ${index % 7}`}`,
  );
  const root = realpathSync(t.testdir({ 'a.csv': `id,city\n${lines.join('\n')}\n` }));
  const connection = await connect(root);
  const request = {
    resource: 'a.csv',
    limit: 7,
    signal,
    filter: { id: { gte: 50, ne: 60 }, city: { contains: 'CITY' } },
  };
  const ids: unknown[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await connection.page({ ...request, ...(cursor == null ? {} : { cursor }) });
    ids.push(...page.rows.map((row) => row['id']));
    cursor = page.next_cursor;
  } while (cursor !== null);
  t.strictSame(
    ids,
    Array.from({ length: 50 }, (_, index) => index + 50).filter((id) => id % 3 !== 0),
  );
  const sorted = await connection.page({
    resource: 'a.csv',
    limit: 3,
    sort: ['city', '-id'],
    columns: ['id'],
    filter: { city: { is_null: false } },
    signal,
  });
  t.strictSame(sorted.rows, [{ id: 98 }, { id: 91 }, { id: 77 }]);
  const first = await connection.page({ resource: 'a.csv', limit: 1, signal });
  const next = first.next_cursor ?? '';
  await t.rejects(
    connection.page({ resource: 'a.csv', limit: 1, sort: ['id'], cursor: next, signal }),
    faulted('CONFIG'),
  );
  writeFileSync(join(root, 'a.csv'), 'id,city\n1,x\n');
  await t.rejects(connection.page({ resource: 'a.csv', limit: 1, cursor: next, signal }), {
    message: /has changed/,
  });
  await t.rejects(connection.page({ resource: 'a.csv', limit: 1, filter: { id: { like: 1 } }, signal }), {
    message: /"like" is not a filter operator/,
  });
});

t.test('more rows than can be sorted are refused', async (t) => {
  const root = realpathSync(t.testdir({ 'a.csv': `id\n${'1\n'.repeat(100_001)}` }));
  const connection = await connect(root);
  await t.rejects(connection.page({ resource: 'a.csv', limit: 1, sort: ['id'], signal }), {
    fault: 'CONFIG',
    message: /Only 100,000 rows/,
  });
});

t.test('an empty file and a header alone give no rows; describe tells nulls of the sample', async (t) => {
  const root = realpathSync(t.testdir({ 'e.csv': '', 'h.csv': 'a,b\n', 'n.csv': 'a,b\n1,\n2,x' }));
  const connection = await connect(root);
  t.strictSame(await rowsOf(connection, { file: 'e.csv' }), []);
  t.strictSame(await rowsOf(connection, { file: 'h.csv' }), []);
  t.strictSame(await connection.describe('h.csv', signal), [
    { name: 'a', type: 'string', nullable: false },
    { name: 'b', type: 'string', nullable: false },
  ]);
  t.strictSame(await connection.describe('n.csv', signal), [
    { name: 'a', type: 'integer', nullable: false },
    { name: 'b', type: 'string', nullable: true },
  ]);
  t.equal(await connection.test(signal), '3 files');
});

t.test('a number that a double cannot hold stays as it is written', async (t) => {
  const numbers = ['1.5', '1e400', '-1e999', '1e-400', '1e308', '0e999'];
  const root = realpathSync(
    t.testdir({ 'a.csv': `v\n${numbers.join('\n')}\n`, 'b.csv': 'v\n1.5\n1e308\n0e999\n' }),
  );
  const connection = await connect(root);
  const batches = await batchesOf(connection, { file: 'a.csv' });
  t.strictSame(batches[0]?.columns[0]?.type, 'decimal');
  t.strictSame(
    batches.flatMap(({ rows }) => rows.map(({ v }) => v)),
    numbers,
  );
  t.strictSame(await rowsOf(connection, { file: 'b.csv' }), [{ v: 1.5 }, { v: 1e308 }, { v: 0 }]);
});
