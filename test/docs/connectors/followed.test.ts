import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { BSON } from 'mongodb';
import mysql from 'mysql2/promise';
import pg from 'pg';
import t, { type Test } from 'tap';
import { ofFullList } from '../../support/fault-list.ts';
import { createMongoDatabase, withoutMongodb } from '../../support/ferretdb.ts';
import { freePort } from '../../support/free-port.ts';
import { startReceiver } from '../../support/http-receiver.ts';
import { createMariadbDatabase, withoutMariadb } from '../../support/mariadb.ts';
import { createDatabase } from '../../support/postgres.ts';
import { follow } from './follow.ts';

t.test('csv', async (t) => {
  const { folder, stderr } = await follow(t, 'csv');
  t.notMatch(stderr, /was inferred as/, 'a whole number in a column of numbers is no other type');
  const second = gunzipSync(readFileSync(join(folder, 'out/day=2026-02-01/00001.csv.gz'))).toString();
  t.equal(second, 'id,total,shop\n2,3,shop-a.csv\n');
  t.match(readFileSync(join(folder, 'by-day.dead-letters.ndjson'), 'utf8'), /"file":"shop-b.csv","line":3/);
});

t.test('json', ofFullList, (t) => follow(t, 'json').then(() => undefined));
t.test('parquet', ofFullList, async (t) => {
  const { folder } = await follow(t, 'parquet');
  t.strictSame(await parquetRows(join(folder, 'lake/orders/day=2026-01-31/00001.parquet')), [
    { id: 1n, total: 2.5 },
    { id: 3n, total: 4 },
  ]);
});

t.test('files', ofFullList, async (t) => {
  const folder = realpathSync(t.testdir({ orders: { shop: {} } }));
  writeFileSync(
    join(folder, 'orders/shop/1.csv'),
    'order_id,day,amount\n1,2026-01-05,9.5\n2,2026-01-05,24\n',
  );
  writeFileSync(join(folder, 'orders/2.csv.gz'), gzipSync('order_id,day,amount\n3,2026-01-06,1.5\n'));
  const { rows } = await follow(t, 'files', { folder, heading: 'Reading many files' });
  t.strictSame(rows('warehouse.db', 'SELECT order_id, amount, file FROM orders ORDER BY order_id'), [
    { order_id: 1, amount: 9.5, file: 'orders/shop/1.csv' },
    { order_id: 2, amount: 24, file: 'orders/shop/1.csv' },
    { order_id: 3, amount: 1.5, file: 'orders/2.csv.gz' },
  ]);
  await follow(t, 'files', { folder, heading: 'Writing many files' });
  const written = (day: string) => parquetRows(join(folder, `orders/day=${day}/00001.parquet`));
  t.match(await written('2026-01-05'), [
    { order_id: 1n, amount: 9.5 },
    { order_id: 2n, amount: 24 },
  ]);
  t.match(await written('2026-01-06'), [{ order_id: 3n, amount: 1.5 }]);
});

t.test('sqlite', async (t) => {
  const { rows } = await follow(t, 'sqlite');
  t.strictSame(rows('readings.db', 'SELECT count(*) n, count(DISTINCT reading_id) ids FROM readings'), [
    { n: 3, ids: 3 },
  ]);
  t.strictSame(rows('readings.db', 'SELECT * FROM highest ORDER BY sensor'), [
    { sensor: 'attic', celsius: 22 },
    { sensor: 'cellar', celsius: 9 },
  ]);
});

t.test('xml', ofFullList, async (t) => {
  const { rows } = await follow(t, 'xml');
  t.strictSame(rows('books.db', 'SELECT * FROM books ORDER BY id LIMIT 1'), [
    { id: 1, title: 'Rain', price: 9.5, currency: 'EUR' },
  ]);
});

t.test('excel', ofFullList, async (t) => {
  const { rows } = await follow(t, 'excel');
  t.strictSame(rows('warehouse.db', 'SELECT sku, price, valid_from, file FROM prices ORDER BY sku'), [
    { sku: 'A-1', price: 9.5, valid_from: '2026-01-31', file: 'january.xlsx' },
    { sku: 'B-2', price: 12, valid_from: null, file: 'january.xlsx' },
  ]);
});

t.test('postgres', async (t) => {
  const [shop, warehouse] = [await createDatabase(t), await createDatabase(t)].map(({ url }) => new URL(url));
  if (shop === undefined || warehouse === undefined) throw new Error('There are no databases');
  const open = async (url: URL) => {
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    t.teardown(() => client.end());
    return client;
  };
  const clients = [await open(shop), await open(warehouse)];
  let blocks = 0;
  await follow(t, 'postgres', {
    replaced: {
      'host: shop-db.example.com': `host: ${shop.hostname}\n    port: ${shop.port}`,
      'database: shop': `database: ${shop.pathname.slice(1)}`,
      'user: reader': `user: ${shop.username}`,
      'ssl: verify-full': 'ssl: disable',
      'loader@': `${warehouse.username}@`,
      'warehouse.example.com/warehouse?sslmode=verify-full': `${warehouse.host}${warehouse.pathname}`,
      'password of reader': shop.password,
      'password of loader': warehouse.password,
    },
    sql: async (text) => void (await clients[blocks++]?.query(text)),
  });
  const { rows } =
    (await clients[1]?.query('SELECT order_id::int, amount::text FROM sales.orders ORDER BY 1')) ?? {};
  t.strictSame(rows, [
    { order_id: 1, amount: '9.50' },
    { order_id: 2, amount: '24.00' },
  ]);
});

t.test('mysql', { skip: withoutMariadb() || ofFullList.skip }, async (t) => {
  const { url } = await createMariadbDatabase(t);
  const { hostname, port, username, password, pathname } = new URL(url);
  await follow(t, 'mysql', {
    replaced: {
      'host: db.example.com': `host: ${hostname}\n    port: ${port}`,
      'database: shop': `database: ${pathname.slice(1)}`,
      'user: loader': `user: ${username}`,
      'ssl: verify-full': 'ssl: disable',
      'password of loader': password,
    },
  });
  const connection = await mysql.createConnection({ uri: url, dateStrings: true });
  t.teardown(() => connection.end());
  const [rows] = await connection.query('SELECT * FROM orders ORDER BY order_id');
  t.same(rows, [
    { order_id: 1, day: '2026-01-05', amount: 9.5 },
    { order_id: 2, day: '2026-01-05', amount: 24 },
  ]);
});

t.test('mongodb', { skip: withoutMongodb() || ofFullList.skip }, async (t) => {
  const { url, db } = await createMongoDatabase(t);
  const { rows } = await follow(t, 'mongodb', {
    replaced: { 'mongodb://loader@db.example.com/shop?authSource=admin&tls=true': url },
  });
  const documents = await db
    .collection('orders')
    .find({}, { projection: { _id: 0 }, sort: { order_id: 1 }, promoteValues: false })
    .toArray();
  t.same(BSON.EJSON.serialize(documents, { relaxed: false }), [
    { order_id: { $numberInt: '1' }, day: '2026-01-05', amount: { $numberDouble: '9.5' } },
    { order_id: { $numberInt: '2' }, day: '2026-01-05', amount: { $numberDouble: '24.0' } },
  ]);
  t.strictSame(rows('report.db', 'SELECT * FROM large_orders'), [
    { order_id: 2, day: '2026-01-05', amount: 24 },
  ]);
});

t.test('http', async (t) => {
  const port = await freePort();
  const { rows } = await follow(t, 'http', {
    replaced: {
      'https://api.example.com': `http://127.0.0.1:${port}`,
      'listen(8010': `listen(${port}`,
      'token of the API': 'secret',
    },
    saved: async (file) => {
      if (file.endsWith('.mjs')) await startServer(t, file, port);
    },
  });
  t.strictSame(rows('contacts.db', 'SELECT count(*) n, max(updated_at) last FROM contacts'), [
    { n: 450, last: '2026-01-01T07:29:00.000Z' },
  ]);
});

t.test('https-files', ofFullList, async (t) => {
  const server = await startReceiver(t);
  const folder = realpathSync(t.testdir());
  server.answer = (response, { path }) => {
    const file = join(folder, 'www', path);
    if (existsSync(file)) createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  };
  const { rows } = await follow(t, 'https-files', {
    folder,
    replaced: { 'https://data.example.com': `http://127.0.0.1:${server.port}` },
  });
  t.strictSame(rows('rates.db', 'SELECT sum(rate) n FROM rates'), [{ n: 2.25 }]);
});

function parquetRows(file: string): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: new Uint8Array(readFileSync(file)).buffer });
}

async function startServer(t: Test, file: string, port: number): Promise<void> {
  const server = spawn(process.execPath, [file], { stdio: 'inherit' });
  t.teardown(async () => {
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  for (let tries = 0; tries < 300; tries++) {
    const socket = connect(port, '127.0.0.1');
    const answers = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (answers) return;
    await sleep(20);
  }
  throw new Error('The server of the page does not answer');
}
