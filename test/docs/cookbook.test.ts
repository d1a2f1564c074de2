// Long list: it walks through every page of the cookbook; quick: test/docs/examples.test.ts, test/docs/connectors/followed.test.ts.
import { join } from 'node:path';
import t from 'tap';
import { createKeeper, rowsOf, runYaml } from '../engine/support/task-run.ts';
import { runCli } from '../support/run-cli.ts';
import { blocksOf, execute, playRecipe, RECIPES, WAREHOUSE } from './cookbook-recipes.ts';

// Fifteen commands, each a program of its own.
t.setTimeout(180_000);

/** A run in which some rows were left out ends with it. */
const WARNING = 3;

for (const title of RECIPES)
  t.test(`${title}: a reader who does what it says finds what it says`, async (t) => {
    const folder = t.testdir({});
    const results = await playRecipe(title, folder, async (args) => {
      const { code, stderr } = await runCli(args, { cwd: folder });
      t.ok(code === 0 || code === WARNING, `${args.join(' ')}: ${code}\n${stderr}`);
    });
    t.ok(results.length > 0, 'it shows a result');
    for (const { sql, shown, found } of results) t.equal(found, shown, sql);
  });

t.test('an order of nobody comes by a replay once there is somebody', async (t) => {
  const part = (kind: string) =>
    blocksOf('Enrich rows from a table')
      .filter(({ info }) => info === kind)
      .map(({ text }) => text);
  const [orders = ''] = part('text');
  const [yaml = ''] = part('yaml task');
  const [customers = '', sql = ''] = part('sql');
  const folder = t.testdir({ 'orders.csv': orders });
  const file = join(folder, WAREHOUSE);
  execute(file, customers);
  const connectors = {
    shop: { type: 'csv', config: { path: '.' } },
    warehouse: { type: 'sqlite', config: { path: WAREHOUSE } },
  };
  const keeper = createKeeper();
  await runYaml({ folder, yaml, connectors, keeper });
  t.match(keeper.letters, [{ code: 'LOOKUP_MISSING', item: { order_id: 4 } }]);
  execute(file, "INSERT INTO customers VALUES (99, 'Cy', 'DE')");
  keeper.replayed.push({ letter_id: 1, item: keeper.letters[0]?.item });
  const input = { replay: { step_id: 'enrich', letters: 1 }, run: { id: 8, attempt: 1 } };
  await runYaml({ folder, yaml, connectors, keeper, input });
  const rows = rowsOf(file, sql).map((row) => Object.values(row).join(','));
  t.equal(rows.at(-1), '4,Cy,DE');
});
