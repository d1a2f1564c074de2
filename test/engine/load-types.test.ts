import t from 'tap';
import { execute, never, rowsOf } from '../drivers/sql/engines.ts';
import { onEachDatabase } from './support/sql-targets.ts';
import { runYaml } from './support/task-run.ts';

const FILES = {
  'prices.csv': 'sku,amount,day\na,1,2026-01-02\nb,n/a,2026-01-03\nc, 3 ,soon\nd,,2026-01-05\n',
  'mended.csv': 'sku,amount,day\nb,2,2026-01-03\n',
  'twice.csv': 'sku,amount,amount__variant\na,1,x\n',
  'keys.csv': 'sku,amount\n7,1\nseven,2\n',
};

const yaml = (type: string, keys: string, file: string) => `
version: 1
name: prices
connectors: { source: {type: csv}, target: {type: ${type}} }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: {file: ${file}, typed: false}, batch: {size: 2} }
  - { id: write, kind: load, input: read, connector: target, object: prices, ${keys} }
`;
const SOURCE = { type: 'csv', config: { path: '.' } };

/** An append of a run that has gone well does nothing a second time. */
let runs = 500;

onEachDatabase(t, FILES, async (t, { connector, connection: c }, folder) => {
  const run = (keys: string, file = 'prices.csv') => {
    const input = { run: { id: ++runs, attempt: 1 } };
    return runYaml({
      folder,
      yaml: yaml(connector.type, keys, file),
      connectors: { source: SOURCE, target: connector },
      input,
    });
  };
  const prepare = (columns = 'sku varchar(20) PRIMARY KEY, amount integer, day date') =>
    execute(c, 'DROP TABLE IF EXISTS prices', `CREATE TABLE prices (${columns})`);
  const prices = (columns: string) => rowsOf(c, `SELECT ${columns} FROM prices ORDER BY sku`);

  for (const mode of ['mode: append', 'mode: merge, key: [sku]', 'mode: replace', 'mode: truncate_insert']) {
    t.test(`${mode}: values that are not of the target's types`, async (t) => {
      await prepare();
      const frozen = await run(`${mode}, schema: {types: freeze}`);
      t.match(frozen, {
        status: 'error',
        failure: {
          message: '"amount" of "prices" is integer, and "n/a" is not; "schema.types" is freeze',
          step_id: 'write',
        },
      });
      t.strictSame(await prices('sku'), [], 'nothing is loaded');

      const rows = await run(`${mode}, schema: {types: discard_row}, on_error: dead_letter`);
      t.match(rows, { status: 'warning', rows_in: 4, rows_out: 2, rows_failed: 2 });
      t.match(
        rows.keeper.letters.map(({ column, value, origin, message }) => [
          column,
          value,
          origin?.line,
          message,
        ]),
        [
          ['amount', 'n/a', 3, '"amount" of "prices" is integer, and "n/a" is not'],
          ['day', 'soon', 4, '"day" of "prices" is date, and "soon" is not'],
        ],
      );
      t.strictSame(await prices('sku, amount'), [
        { sku: 'a', amount: 1 },
        { sku: 'd', amount: null },
      ]);

      await prepare();
      const { keeper, ...kept } = await run(`${mode}, schema: {types: variant}`);
      t.match(kept, { status: 'success', rows_in: 4, rows_out: 4 });
      const all = await prices('sku, amount, amount__variant, day__variant');
      t.strictSame(all, [
        { sku: 'a', amount: 1, amount__variant: null, day__variant: null },
        { sku: 'b', amount: null, amount__variant: 'n/a', day__variant: null },
        { sku: 'c', amount: 3, amount__variant: null, day__variant: 'soon' },
        { sku: 'd', amount: null, amount__variant: null, day__variant: null },
      ]);
      const told = keeper.logs.filter(({ message }) => message.includes('__variant'));
      t.strictSame(
        told.map(({ level, message }) => `${level} ${message}`),
        [
          ['amount', 'integer'],
          ['day', 'date'],
        ].map(
          ([name, type]) =>
            `warn "${name}" of "prices" is ${type}: values that are not go into "${name}__variant" as text`,
        ),
      );
    });
  }

  t.test('a value that fits again takes the place of the one that did not', async (t) => {
    await prepare();
    t.match(await run('mode: merge, key: [sku], schema: {types: variant}'), { status: 'success' });
    t.match(await run('mode: merge, key: [sku], schema: {types: variant}', 'mended.csv'), {
      status: 'success',
      rows_out: 1,
    });
    t.strictSame((await prices('sku, amount, amount__variant'))[1], {
      sku: 'b',
      amount: 2,
      amount__variant: null,
    });
  });

  t.test('a key that does not fit fails its row, and a column of that name the load', async (t) => {
    await prepare('sku integer PRIMARY KEY, amount integer');
    const keys = await run('mode: merge, key: [sku], schema: {types: variant}, on_error: skip', 'keys.csv');
    t.match(keys, { status: 'warning', rows_out: 1, rows_failed: 1 });
    await prepare('sku varchar(20) PRIMARY KEY, amount integer, amount__variant varchar(20)');
    const twice = await run('schema: {types: variant}', 'twice.csv');
    t.match(twice.failure, { message: /already have a column "amount__variant".*rename it/ });
  });

  t.test('without a policy the target decides, and a new target has the types of the rows', async (t) => {
    await execute(c, 'DROP TABLE IF EXISTS prices');
    t.match(await run('schema: {types: freeze}'), { status: 'success', rows_out: 4 });
    const types = (await c.describe('prices', never)).map(({ type }) => type);
    t.strictSame(types, ['string', 'string', 'string']);
  });
});

t.test('a target without types refuses the policy before anything happens', async (t) => {
  const folder = t.testdir(FILES);
  const target = { type: 'csv', config: { path: 'out.csv' } };
  const { failure } = await runYaml({
    folder,
    yaml: yaml('csv', 'schema: {types: freeze}', 'prices.csv').replace('object: prices', 'object: out.csv'),
    connectors: { source: SOURCE, target },
  });
  t.match(failure, { message: /The columns of a csv connector have no types/ });
});
