import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { postgresDriver } from '../../../src/drivers/postgres/driver.ts';
import { contextOf, execute } from '../../drivers/sql/engines.ts';
import { createDatabase } from '../../support/postgres.ts';
import { runYaml } from '../support/task-run.ts';

/* From the columns of a real database to the load, through each operation. */

const { url } = await createDatabase(t);
const db = await postgresDriver.connect({ url }, contextOf('/'));
t.teardown(() => db.close());
const folder = t.testdir();
await execute(
  db,
  'CREATE TABLE orders (id int, price numeric(10,2), quantity int, big bigint, at timestamptz, day date)',
  `INSERT INTO orders VALUES
    (1, 1.10, 3, 9007199254740993, '2020-01-01 10:00:00.5+00', '2020-01-01'),
    (2, 19.99, 7, 9007199254740992, '2020-01-01 12:00:00+02', '2020-01-02'),
    (4, 0.00, 1, 1, '2019-12-31 23:59:59-01', '2019-12-31')`,
);

let runs = 0;

/** What the load gets of the table, as lines of JSON. */
async function made(...ops: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
  const object = `out${runs++}.ndjson`;
  const yaml = JSON.stringify({
    version: 1,
    name: 'exact',
    connectors: { wh: { type: 'postgres' }, out: { type: 'json' } },
    steps: [
      { id: 'read', kind: 'extract', connector: 'wh', method: 'list', args: { table: 'orders' } },
      { id: 'shape', kind: 'transform', input: 'read', ops },
      { id: 'write', kind: 'load', input: 'shape', connector: 'out', object, mode: 'replace' },
    ],
  });
  const connectors = {
    wh: { type: 'postgres', config: { url } },
    out: { type: 'json', config: { path: folder } },
  };
  const { failure } = await runYaml({ folder, yaml, connectors });
  if (failure !== null) throw new Error(failure.message);
  const lines = readFileSync(join(folder, object), 'utf8').trim();
  return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line));
}

t.test('numeric and bigint columns are compared and calculated exactly', async (t) => {
  const ids = async (filter: string) => (await made({ filter })).map(({ id }) => id);
  t.strictSame(await ids('item.price != 0'), [1, 2]);
  t.strictSame(await ids('item.price = 0'), [4]);
  t.strictSame(await ids('item.price in [1.1, 5]'), [1]);
  t.strictSame(await ids('item.big = 9007199254740993'), [1]);
  const total = { total: '$round(item.quantity * item.price, 2)', next: 'item.big + 1' };
  t.match(await made({ set: total }), [
    { total: '3.3', next: '9007199254740994' },
    { total: '139.93', next: '9007199254740993' },
    { total: '0', next: 2 },
  ]);
});

t.test('times of columns are compared as times', async (t) => {
  const ids = async (filter: string) => (await made({ filter })).map(({ id }) => id);
  t.strictSame(await ids("item.at > '2020-01-01T10:00:00Z'"), [1]);
  t.strictSame(await ids("item.at = '2020-01-01T11:00:00+01:00'"), [2]);
  t.strictSame(await ids('item.at >= item.day'), [1, 4]);
  t.strictSame(await ids("$substring(item.at, 0, 4) = '2020'"), [1, 2, 4], 'and are text to functions');
});

t.test('sums and means of a numeric column are exact', async (t) => {
  const aggregate = {
    by: [],
    fields: { sum: { sum: 'price' }, mean: { avg: 'price' }, most: { max: 'big' } },
  };
  t.strictSame(await made({ aggregate }), [{ sum: '21.09', mean: '7.03', most: '9007199254740993' }]);
});
