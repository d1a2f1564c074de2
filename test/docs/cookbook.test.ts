import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { createKeeper, rowsOf, runYaml } from '../engine/support/task-run.ts';
import { codeBlocks, readMarkdown } from './markdown-files.ts';

const blocks = codeBlocks('docs/cookbook.md');
const lines = readMarkdown('docs/cookbook.md').split('\n');

/** The texts of the blocks behind a heading, by their kind. */
function recipe(heading: string, next: string | null): (kind: string) => readonly string[] {
  const text = blocks.filter(({ line }) => line > lineOf(heading) && (next === null || line < lineOf(next)));
  return (kind) => text.filter(({ info }) => info === kind).map((block) => block.text);
}

function lineOf(heading: string): number {
  const found = lines.indexOf(`## ${heading}`);
  if (found < 0) throw new Error(`The cookbook has no "${heading}"`);
  return found + 1;
}
t.test('slowly changing dimension: two nights, and the second one again', async (t) => {
  const part = recipe('Slowly changing dimension', 'Enrich rows from a table');
  const [first = '', second = '', result = ''] = part('text');
  const [yaml = ''] = part('yaml task');
  const [sql = ''] = part('sql');
  const folder = t.testdir();
  const connectors = {
    shop: { type: 'csv', config: { path: '.' } },
    warehouse: { type: 'sqlite', config: { path: 'warehouse.db' } },
  };
  for (const [night, customers] of [first, second, second].entries()) {
    writeFileSync(join(folder, 'customers.csv'), customers);
    const outcome = await runYaml({
      folder,
      yaml,
      connectors,
      input: { run: { id: night + 1, attempt: 1 } },
    });
    t.equal(outcome.status, 'success');
  }
  const rows = rowsOf(join(folder, 'warehouse.db'), sql);
  t.equal(rows.map((row) => `${Object.values(row).join(',')}\n`).join(''), result);
});

t.test('enrich rows from a table: an order of nobody is a dead letter, and comes by a replay', async (t) => {
  const part = recipe('Enrich rows from a table', null);
  const [orders = '', result = ''] = part('text');
  const [yaml = ''] = part('yaml task');
  const [customers = '', sql = ''] = part('sql');
  const folder = t.testdir({ 'orders.csv': orders });
  const file = join(folder, 'warehouse.db');
  const execute = (text: string) => {
    const db = new DatabaseSync(file);
    db.exec(text);
    db.close();
  };
  execute(customers);
  const connectors = {
    shop: { type: 'csv', config: { path: '.' } },
    warehouse: { type: 'sqlite', config: { path: 'warehouse.db' } },
  };
  const keeper = createKeeper();
  await runYaml({ folder, yaml, connectors, keeper });
  const rows = () => rowsOf(file, sql).map((row) => `${Object.values(row).join(',')}\n`);
  t.equal(rows().join(''), result);
  t.match(keeper.letters, [{ code: 'LOOKUP_MISSING', item: { order_id: 4 } }]);
  execute("INSERT INTO customers VALUES (99, 'Cy', 'DE')");
  keeper.replayed.push({ letter_id: 1, item: keeper.letters[0]?.item });
  const input = { replay: { step_id: 'enrich', letters: 1 }, run: { id: 8, attempt: 1 } };
  await runYaml({ folder, yaml, connectors, keeper, input });
  t.equal(rows().at(-1), '4,Cy,DE\n');
});
