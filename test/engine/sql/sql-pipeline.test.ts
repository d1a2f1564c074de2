import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createKeeper, rowsOf, runYaml } from '../support/task-run.ts';

const csv = (path: string) => ({ type: 'csv', config: { path } });
const sqlite = (path: string) => ({ type: 'sqlite', config: { path } });

t.test('queries feed queries, an input feeds several, and all loads commit together', async (t) => {
  const folder = t.testdir({
    'orders.csv': 'id,currency,amount\n1,EUR,10.5\n2,USD,20\n3,GBP,7\n',
    'rates.csv': 'currency,rate\nEUR,1\nUSD,0.5\n',
  });
  const yaml = `
version: 1
name: orders
connectors: { orders: {type: csv}, rates: {type: csv}, target: {type: sqlite}, other: {type: sqlite} }
steps:
  - { id: read_orders, kind: extract, connector: orders, method: read }
  - { id: read_rates, kind: extract, connector: rates, method: read }
  - { id: big, kind: transform, input: read_orders, ops: [{filter: item.amount > 8}] }
  - { id: euros, kind: sql, inputs: {o: big, r: read_rates}, query: "SELECT o.id, o.amount * r.rate AS euros FROM o JOIN r USING (currency)" }
  - id: left_over
    kind: sql
    inputs: { o: read_orders, e: euros }
    query: SELECT id, currency FROM o ANTI JOIN e USING (id)
  - { id: write, kind: load, input: euros, connector: target, object: euros, mode: replace }
  - { id: write_rest, kind: load, input: left_over, connector: other, object: rest, mode: replace }
  - { id: enough, kind: assert, check_expr: "steps.euros.count = 2 and steps.left_over.count = 1" }
`;
  const connectors = {
    orders: csv('orders.csv'),
    rates: csv('rates.csv'),
    target: sqlite('a.db'),
    other: sqlite('b.db'),
  };
  const outcome = await runYaml({ folder, yaml, connectors });
  t.match(outcome, { status: 'success', failure: null, rows_in: 5, rows_out: 3 });
  t.strictSame(rowsOf(join(folder, 'a.db'), 'SELECT * FROM euros ORDER BY id'), [
    { id: 1, euros: 10.5 },
    { id: 2, euros: 10 },
  ]);
  t.strictSame(rowsOf(join(folder, 'b.db'), 'SELECT * FROM rest'), [{ id: 3, currency: 'GBP' }]);
});

t.test('the cursor of an input moves when the load of the query has committed, and not before', async (t) => {
  const folder = t.testdir({ 'rates.csv': 'currency,rate\nEUR,2\n' });
  const orders = (ids: readonly number[]) =>
    writeFileSync(join(folder, 'orders.csv'), `id,currency\n${ids.map((id) => `${id},EUR\n`).join('')}`);
  const yaml = (query: string) => `
version: 1
name: orders
connectors: { orders: {type: csv}, rates: {type: csv}, target: {type: sqlite} }
steps:
  - { id: new, kind: extract, connector: orders, method: read, cursor: {field: id, type: integer, initial: 0} }
  - { id: rates, kind: extract, connector: rates, method: read }
  - { id: joined, kind: sql, inputs: {o: new, r: rates}, query: "${query}" }
  - { id: write, kind: load, input: joined, connector: target, object: orders, mode: append }
`;
  const connectors = { orders: csv('orders.csv'), rates: csv('rates.csv'), target: sqlite('out.db') };
  const keeper = createKeeper();
  let id = 0;
  const run = (query = 'SELECT o.id, r.rate FROM o JOIN r USING (currency)') => {
    id += 1;
    return runYaml({ folder, yaml: yaml(query), connectors, keeper, input: { run: { id, attempt: 1 } } });
  };
  const loaded = () =>
    rowsOf(join(folder, 'out.db'), 'SELECT id FROM orders ORDER BY id').map((row) => row['id']);
  orders([1, 2]);
  t.match(await run(), { status: 'success', rows_out: 2 });
  orders([1, 2, 3]);
  t.match(await run('SELECT error(o.id::VARCHAR) AS id FROM o'), {
    status: 'error',
    failure: { code: 'SQL_ERROR' },
  });
  t.strictSame(loaded(), [1, 2]);
  t.match(await run(), { status: 'success', rows_out: 1 });
  t.strictSame(loaded(), [1, 2, 3]);
  t.match(await run(), { status: 'success', rows_out: 0 });
});
