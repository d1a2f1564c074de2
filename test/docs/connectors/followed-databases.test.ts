// Long list: it starts a program for each command of the pages; quick: test/docs/connectors/followed.test.ts, test/drivers/mysql/guide.test.ts, test/drivers/mongodb/guide.test.ts.
import mysql from 'mysql2/promise';
import t from 'tap';
import { createMongoDatabase, withoutMongodb } from '../../support/ferretdb.ts';
import { createMariadbDatabase, withoutMariadb } from '../../support/mariadb.ts';
import { follow } from './follow.ts';

t.test('mysql', { skip: withoutMariadb() }, async (t) => {
  const { url, name } = await createMariadbDatabase(t);
  const { hostname, port, username, password } = new URL(url);
  const { again } = await follow(t, 'mysql', {
    replaced: {
      'host: db.example.com': `host: ${hostname}\n    port: ${port}`,
      'database: shop': `database: ${name}`,
      'user: loader': `user: ${username}`,
      'ssl: verify-full': 'ssl: disable',
      'password of loader': password,
    },
  });
  const connection = await mysql.createConnection({ uri: url, dateStrings: true });
  t.teardown(() => connection.end());
  const orders = async () => {
    const [rows] = await connection.query('SELECT order_id, day, amount FROM orders ORDER BY order_id');
    return (rows as { order_id: unknown; day: unknown; amount: unknown }[]).map((row) => ({
      order_id: Number(row.order_id),
      day: String(row.day),
      amount: Number(row.amount),
    }));
  };
  const loaded = [
    { order_id: 1, day: '2026-01-05', amount: 9.5 },
    { order_id: 2, day: '2026-01-05', amount: 24 },
  ];
  t.strictSame(await orders(), loaded);
  await connection.query('UPDATE orders SET amount = 0');
  t.equal(await again(), 2, 'each further run updates them');
  t.strictSame(await orders(), loaded);
});

t.test('mongodb', { skip: withoutMongodb() }, async (t) => {
  const { url, db } = await createMongoDatabase(t);
  const { rows } = await follow(t, 'mongodb', {
    replaced: {
      // The server of the tests has no users.
      'mongodb://loader@db.example.com/shop?authSource=admin&tls=true': url,
      '\n    password: "${env:SHOP_PASSWORD}"': '',
    },
  });
  const orders = await db
    .collection('orders')
    .find({}, { projection: { _id: 0 } })
    .toArray();
  t.strictSame(
    orders.sort((a, b) => a['order_id'] - b['order_id']),
    [
      { order_id: 1, day: '2026-01-05', amount: 9.5 },
      { order_id: 2, day: '2026-01-05', amount: 24 },
    ],
  );
  t.strictSame(rows('report.db', 'SELECT * FROM large_orders'), [
    { order_id: 2, day: '2026-01-05', amount: 24 },
  ]);
});
