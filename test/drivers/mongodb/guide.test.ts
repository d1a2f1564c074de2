import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { parse } from 'yaml';
import { mongodbDriver } from '../../../src/drivers/mongodb/driver.ts';
import { codeBlocks } from '../../docs/markdown-files.ts';
import { createKeeper, runYaml } from '../../engine/support/task-run.ts';
import { createMongoDatabase, withoutMongodb } from '../../support/ferretdb.ts';
import { contentOf } from './mongo-database.ts';

const blocks = codeBlocks('docs/connectors/mongodb.md');
const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';

t.test(
  'the example of the guide loads orders, and takes the large ones on',
  { skip: withoutMongodb() },
  async (t) => {
    const { url, db } = await createMongoDatabase(t);
    const { file, shop, report } = parse(textOf('yaml connectors'));
    t.ok(mongodbDriver.config.safeParse(shop.config).success);
    shop.config = { url };
    await db.collection('orders').insertMany([{ order_id: 2, day: '2026-01-01', amount: 1, note: 'kept' }]);
    await db.collection('orders').createIndex({ code: 1 }, { unique: true, sparse: true });
    await db.collection('orders').insertOne({ order_id: 9, code: 'A' });
    const csv = 'order_id,day,amount,code\n1,2026-01-05,9.5,X\n2,2026-01-05,24.25,Y\n3,2026-01-06,7,A\n';
    const folder = t.testdir({ 'orders.csv': csv });
    const keeper = createKeeper();
    const run = { folder, yaml: textOf('yaml task'), connectors: { file, shop, report }, keeper };
    t.match(await runYaml(run), { status: 'warning' }, 'the third has the code of another order');
    t.match(keeper.letters, [
      {
        step_id: 'write',
        column: 'code',
        value: 'A',
        message: 'There is a document with code = "A" already',
      },
    ]);
    t.strictSame(await contentOf(db, 'orders', 'order_id'), [
      { order_id: 1, amount: 9.5, code: 'X', day: '2026-01-05' },
      { order_id: 2, day: '2026-01-05', amount: 24.25, note: 'kept', code: 'Y' },
      { order_id: 9, code: 'A' },
    ]);
    const kept = new DatabaseSync(join(folder, 'report.db'), { readOnly: true });
    t.teardown(() => kept.close());
    t.strictSame(
      kept
        .prepare('SELECT * FROM large_orders')
        .all()
        .map((row) => ({ ...row })),
      [{ order_id: 2, day: '2026-01-05', amount: 24.25 }],
    );
  },
);
