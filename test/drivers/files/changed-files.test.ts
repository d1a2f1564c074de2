import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { codeBlocks } from '../../docs/markdown-files.ts';
import { createKeeper, runYaml } from '../../engine/support/task-run.ts';

const blocks = codeBlocks('docs/connectors/files.md');
const yaml = blocks.find(({ text }) => text.includes('modified_column'))?.text ?? '';

t.test(
  'the example of the guide loads new and changed files, and moves on only when they are loaded',
  async (t) => {
    const folder = t.testdir();
    const write = (name: string, content: string | Buffer, at: string) => {
      mkdirSync(join(folder, 'orders'), { recursive: true });
      writeFileSync(join(folder, 'orders', name), content);
      utimesSync(join(folder, 'orders', name), new Date(at), new Date(at));
    };
    const keeper = createKeeper();
    const run = (target = 'out.db') => {
      const connectors = {
        inbox: { type: 'csv', config: { path: '.' } },
        warehouse: { type: 'sqlite', config: { path: target } },
      };
      return runYaml({ folder, yaml, connectors, keeper });
    };
    write('a.csv', 'order_id,amount\n1,10\n2,20\n', '2026-01-01T10:00:00Z');
    write('b.csv.gz', gzipSync('order_id,amount\n3,30\n'), '2026-01-02T10:00:00Z');
    t.match(await run('orders/a.csv'), { status: 'error' }, 'what is no database takes no rows');
    t.equal(keeper.checkpoints.get('read'), undefined);
    t.match(await run(), { status: 'success', rows_in: 3 });
    t.equal(keeper.checkpoints.get('read')?.value, '2026-01-02T10:00:00.000000Z');
    write('c.csv', 'order_id,amount\n4,40\n', '2026-01-03T10:00:00Z');
    write('a.csv', 'order_id,amount\n1,11\n2,20\n', '2026-01-04T10:00:00Z');
    t.match(
      await run(),
      { status: 'success', rows_in: 4 },
      'with the last of those before: more may have its time',
    );
    t.match(await run(), { status: 'success', rows_in: 2 });
    const db = new DatabaseSync(join(folder, 'out.db'), { readOnly: true });
    t.teardown(() => db.close());
    const rows = db.prepare('SELECT order_id, amount, file FROM orders ORDER BY order_id').all();
    t.strictSame(
      rows.map((row) => ({ ...row })),
      [
        { order_id: 1, amount: 11, file: 'orders/a.csv' },
        { order_id: 2, amount: 20, file: 'orders/a.csv' },
        { order_id: 3, amount: 30, file: 'orders/b.csv.gz' },
        { order_id: 4, amount: 40, file: 'orders/c.csv' },
      ],
    );
  },
);
