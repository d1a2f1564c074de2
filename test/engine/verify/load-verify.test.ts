import t from 'tap';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { execute, rowsOf } from '../../drivers/sql/engines.ts';
import { onEachDatabase } from '../support/sql-targets.ts';
import { createKeeper, runYaml } from '../support/task-run.ts';

t.setTimeout(120_000);

const FILES = {
  'orders.csv': 'id,name,amount\n1,one,1.50\n2,two,2.25\n3,three,3\n2,two again,2.5\nx,none,1\n',
};
const SOURCE = { type: 'csv', config: { path: '.' } };

const yaml = (type: string, keys: string) => `
version: 1
name: orders
connectors: { source: {type: csv}, target: {type: ${type}} }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: {file: orders.csv, typed: false} }
  - id: shape
    kind: transform
    input: read
    ops: [ { cast: {id: integer, amount: decimal} }, { set: {label: "$uppercase(item.name)"} } ]
    on_error: skip
  - { id: write, kind: load, input: shape, connector: target, object: orders, ${keys} }
`;

let runs = 7_000;

/** Something at the target that changes what is written: one row loses its label. */
const MEDDLERS: Readonly<Record<string, readonly string[]>> = {
  postgres: [
    `CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.id = 3 THEN NEW.label := 'meddled'; END IF; RETURN NEW; END $$`,
    'CREATE TRIGGER meddle BEFORE INSERT OR UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION meddle()',
  ],
  mysql: [
    `CREATE TRIGGER meddle BEFORE INSERT ON orders FOR EACH ROW SET NEW.label = IF(NEW.id = 3, 'meddled', NEW.label)`,
  ],
  sqlite: [
    `CREATE TRIGGER meddle AFTER INSERT ON orders WHEN NEW.id = 3 BEGIN UPDATE orders SET label = 'meddled' WHERE id = 3; END`,
  ],
};
const TABLE =
  'CREATE TABLE orders (id bigint PRIMARY KEY, name varchar(40), amount numeric(10,2), label varchar(40))';

onEachDatabase(t, FILES, async (t, { connector, connection: c }, folder) => {
  const run = async (keys: string) => {
    const input = { run: { id: ++runs, attempt: 1 } };
    const connectors = { source: SOURCE, target: connector };
    const keeper = createKeeper();
    const outcome = await runYaml({ folder, yaml: yaml(connector.type, keys), connectors, input, keeper });
    const load = outcome.steps.find(({ kind }) => kind === 'load');
    return { ...outcome, load, found: load?.verification };
  };
  const prepare = (...more: readonly string[]) => execute(c, 'DROP TABLE IF EXISTS orders', TABLE, ...more);

  await prepare("INSERT INTO orders VALUES (9, 'older', 9, 'OLDER')");
  const merged = await run('mode: merge, key: [id], verify: true');
  t.match(merged, { status: 'warning', load: { status: 'success' } }, 'rows that no longer come are let be');
  t.match(
    merged.found,
    { equal: true, differing: 0, missing: 0, surplus: 1 },
    'of two rows with a key the later counts',
  );

  await execute(c, 'DROP TABLE orders');
  const replaced = await run('mode: replace, verify: {key: [name], columns: [amount]}');
  t.match(replaced, {
    load: { status: 'success' },
    found: { equal: true, surplus: 0, columns: [{ column: 'amount' }] },
  });

  await prepare();
  await execute(c, ...(MEDDLERS[connector.type] ?? []));
  const failed = await run('mode: merge, key: [id], verify: true');
  t.match(failed, { status: 'error', failure: { code: 'VERIFY_DIFFERS', step_id: 'write' } });
  t.match(failed.found?.differences, [
    {
      kind: 'differing',
      key: { id: '3' },
      columns: [{ column: 'label', source: 'THREE', target: 'meddled' }],
    },
  ]);
  t.equal(failed.load?.rows_out, 4, 'the load stays committed');
  t.same((await rowsOf(c, 'SELECT id FROM orders ORDER BY id')).length, 3);

  await prepare(...(MEDDLERS[connector.type] ?? []).slice(-1));
  const warned = await run('mode: merge, key: [id], verify: {on_difference: warn}');
  t.match(warned, { status: 'warning', load: { status: 'warning' }, found: { equal: false, differing: 1 } });

  await prepare(...(MEDDLERS[connector.type] ?? []).slice(-1));
  const kept = await run('mode: merge, key: [id], verify: {on_difference: dead_letter}');
  t.match(kept.keeper.letters, [
    { step_id: 'write', item: { id: 3, label: 'THREE' }, code: 'VERIFY_DIFFERS' },
  ]);
  t.match(kept, { status: 'warning', load: { status: 'warning', rows_failed: 1 } });

  await prepare(...(MEDDLERS[connector.type] ?? []).slice(-1));
  const again = await run('mode: merge, key: [id], verify: {on_difference: reload}');
  // The trigger of SQLite acts on rows that are inserted, and not on those that a merge updates.
  const isHealed = connector.type === 'sqlite';
  t.match(again.found, { reloaded: 1, equal: isHealed, differing: isHealed ? 0 : 1 });
  t.equal(again.load?.status, isHealed ? 'success' : 'error');
});

t.test('what cannot be verified is told by the validator', async (t) => {
  const problems = (keys: string) => {
    const parsed = parseTask(yaml('sqlite', keys));
    return parsed.ok ? [] : parsed.problems.map(({ message }) => message);
  };
  t.match(problems('mode: append, verify: true'), [/needs the columns that identify a row/]);
  t.match(problems('mode: delete, key: [id], verify: true'), [/loads no rows/]);
  t.match(problems('mode: scd2, key: [id], verify: true'), [/versions of a row/]);
  t.match(problems('mode: insert_only, key: [id], verify: true'), [/leaves rows as they are/]);
  t.match(problems('mode: merge, key: [id], verify: yes please'), [/must be true or a map/]);
  t.match(problems('mode: merge, key: [id], verify: {sample: 2}'), [/"sample" must be from/]);
  t.same(problems('mode: merge, key: [id], verify: false'), []);
});
