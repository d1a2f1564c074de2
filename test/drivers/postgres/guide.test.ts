import t from 'tap';
import { parse } from 'yaml';
import { postgresDriver } from '../../../src/drivers/postgres/driver.ts';
import { codeBlocks } from '../../docs/markdown-files.ts';
import { createKeeper, runYaml } from '../../engine/support/task-run.ts';
import { createDatabase } from '../../support/postgres.ts';
import { contextOf, execute, rowsOf } from '../sql/engines.ts';

function guide(name: string) {
  const blocks = codeBlocks(`docs/connectors/${name}.md`);
  const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';
  return { yaml: textOf('yaml task'), connectors: parse(textOf('yaml connectors')) };
}

t.test('postgres: orders go from one database into another, and then those that have changed', async (t) => {
  const { yaml, connectors } = guide('postgres');
  for (const { config } of Object.values<{ config: unknown }>(connectors))
    t.ok(postgresDriver.config.safeParse(config).success);
  const [shop, warehouse] = [await createDatabase(t), await createDatabase(t)];
  connectors.shop.config = { url: shop.url };
  connectors.warehouse.config = { url: warehouse.url, schema: 'sales' };
  const open = async (config: unknown) => {
    const connection = await postgresDriver.connect(config, contextOf('/'));
    t.teardown(() => connection.close());
    return connection;
  };
  const from = await open(connectors.shop.config);
  const to = await open(connectors.warehouse.config);
  await execute(
    from,
    'CREATE TABLE orders (order_id int PRIMARY KEY, amount numeric, changed_at timestamptz)',
    `INSERT INTO orders VALUES (1, 9.50, '2026-01-05T10:00:00Z'), (2, 24, '2026-01-05T11:00:00Z'), (3, 99999999, '2026-01-05T12:00:00Z')`,
  );
  await execute(
    to,
    'CREATE SCHEMA sales',
    'CREATE TABLE orders (order_id int PRIMARY KEY, amount numeric(7,2), changed_at timestamptz)',
  );
  const keeper = createKeeper();
  const run = { folder: t.testdir(), yaml, connectors, keeper };
  t.match(await runYaml({ ...run, input: { run: { id: 1, attempt: 1 } } }), {
    status: 'warning',
    rows_out: 2,
    rows_failed: 1,
  });
  t.match(keeper.letters, [{ column: 'amount', value: '99999999' }], 'the third has too large an amount');
  await execute(
    from,
    `UPDATE orders SET amount = 25, changed_at = '2026-01-06T09:00:00Z' WHERE order_id = 2`,
    'DELETE FROM orders WHERE order_id = 3',
  );
  t.match(await runYaml({ ...run, input: { run: { id: 2, attempt: 1 } } }), { status: 'success' });
  t.strictSame(await rowsOf(to, 'SELECT order_id, amount FROM sales.orders ORDER BY order_id'), [
    { order_id: 1, amount: '9.50' },
    { order_id: 2, amount: '25.00' },
  ]);
});
