import t from 'tap';
import { parse } from 'yaml';
import { mysqlDriver } from '../../../src/drivers/mysql/driver.ts';
import { codeBlocks } from '../../docs/markdown-files.ts';
import { createKeeper, runYaml } from '../../engine/support/task-run.ts';
import { createMariadbDatabase, withoutMariadb } from '../../support/mariadb.ts';
import { contextOf, execute, rowsOf } from '../sql/engines.ts';

const blocks = codeBlocks('docs/connectors/mysql.md');
const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';

t.test(
  'the example of the guide loads orders, and brings those up to date that are there',
  { skip: withoutMariadb() },
  async (t) => {
    const { url } = await createMariadbDatabase(t);
    const { hostname, port, username, password, pathname } = new URL(url);
    const { file, shop } = parse(textOf('yaml connectors'));
    t.ok(mysqlDriver.config.safeParse(shop.config).success);
    shop.config = {
      host: hostname,
      port: Number(port),
      user: username,
      password,
      database: pathname.slice(1),
    };
    const target = await mysqlDriver.connect(shop.config, contextOf('/'));
    t.teardown(() => target.close());
    await execute(
      target,
      'CREATE TABLE orders (order_id int PRIMARY KEY, day date, amount decimal(9,2))',
      `INSERT INTO orders VALUES (2, '2026-01-01', 1)`,
    );
    const csv = 'order_id,day,amount\n1,2026-01-05,9.50\n2,2026-01-05,24\n3,2026-01-06,12345678901.00\n';
    const folder = t.testdir({ 'orders.csv': csv });
    const run = { folder, yaml: textOf('yaml task'), connectors: { file, shop }, keeper: createKeeper() };
    t.match(await runYaml(run), { status: 'warning' }, 'the third has an amount that is too large');
    t.strictSame(await rowsOf(target, 'SELECT * FROM orders ORDER BY order_id'), [
      { order_id: 1, day: '2026-01-05', amount: '9.50' },
      { order_id: 2, day: '2026-01-05', amount: '24.00' },
    ]);
  },
);
