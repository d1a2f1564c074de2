import t from 'tap';
import { execute } from '../drivers/sql/engines.ts';
import { onEachDatabase } from './support/sql-targets.ts';
import { runYaml } from './support/task-run.ts';

const FILES = {
  'prices.csv': 'sku,amount,colour\na,1,red\nb,3000000000,\n',
  'plain.csv': 'sku,amount\nc,1\n',
};
const SOURCE = { type: 'csv', config: { path: '.' } };

const yaml = (type: string, schema: string, file: string) => `
version: 1
name: prices
connectors: { source: {type: csv}, target: {type: ${type}} }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: {file: ${file}} }
  - { id: write, kind: load, input: read, connector: target, object: prices, schema: {${schema}} }
`;

/** An append of a run that has gone well does nothing a second time. */
let runs = 100;

onEachDatabase(t, FILES, async (t, { connector, connection: c }, folder) => {
  const run = async (schema: string, file = 'prices.csv') => {
    const input = { run: { id: ++runs, attempt: 1 } };
    const connectors = { source: SOURCE, target: connector };
    const { steps, status, failure, keeper } = await runYaml({
      folder,
      yaml: yaml(connector.type, schema, file),
      connectors,
      input,
    });
    t.equal(status, 'success', failure?.message ?? '');
    const changes = steps.find(({ step_id }) => step_id === 'write')?.schema_changes;
    return { changes, warnings: keeper.logs.filter(({ level }) => level === 'warn') };
  };
  const prepare = () =>
    execute(c, 'DROP TABLE IF EXISTS prices', 'CREATE TABLE prices (sku varchar(20), amount integer)');
  const added = { object: 'prices', column: 'colour', from: null, to: 'string' };

  await prepare();
  const { changes, warnings } = await run('types: evolve, on_change: notify');
  t.match(changes?.[0], { ...added, on_change: 'notify' }, 'an added column');
  t.equal(warnings[0]?.message, '"prices" gets the column "colour" with this load');
  if (connector.type !== 'sqlite')
    t.match(changes?.[1], { column: 'amount', from: String, to: String, on_change: 'notify' });

  t.same((await run('on_change: pause_trigger')).changes, [], 'what is there already is no change');

  await prepare();
  const small = await run('on_change: continue', 'plain.csv');
  t.same(small.changes, [], 'rows of the columns that the target has');

  await execute(c, 'DROP TABLE prices');
  t.same((await run('on_change: notify')).changes, [], 'a table that the load makes is no change');
});
