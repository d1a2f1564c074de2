import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t, { type Test } from 'tap';
import { createKeeper, rowsOf, runYaml } from '../engine/support/task-run.ts';
import { runCli } from '../support/run-cli.ts';
import { type CodeBlock, codeBlocks, readMarkdown } from './markdown-files.ts';

// Fifteen commands, each a program of its own.
t.setTimeout(180_000);

const FILE = 'docs/language/cookbook.md';
const WAREHOUSE = 'warehouse.db';
/** A run in which some rows were left out ends with it. */
const WARNING = 3;
const lines = readMarkdown(FILE).split('\n');
const headings = lines.flatMap((line, at) => (line.startsWith('## ') ? [{ title: line.slice(3), at }] : []));
const blocks = codeBlocks(FILE);

/** The blocks of a recipe, in their order. */
function recipe(title: string): readonly CodeBlock[] {
  const place = headings.findIndex((heading) => heading.title === title);
  const { at } = headings[place] ?? { at: lines.length };
  const end = headings[place + 1]?.at ?? lines.length;
  return blocks.filter(({ line }) => line > at && line <= end);
}

/** The file that the words before a block name: "`orders.csv`:". */
function fileOf({ line }: CodeBlock): string | null {
  const words = lines[line - 3] ?? '';
  return words.endsWith(':') ? (/`([\w.-]+\.\w+)`/.exec(words)?.[1] ?? null) : null;
}

function execute(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

for (const { title } of headings) {
  t.test(`${title}: a reader who does what it says finds what it says`, async (t) => {
    const folder = t.testdir({});
    let checked = 0;
    let selected = { sql: '', file: WAREHOUSE };
    for (const block of recipe(title)) {
      const file = fileOf(block);
      const isSelect = block.info === 'sql' && block.text.startsWith('SELECT');
      if (block.info === 'sh') await runLines(t, folder, block);
      else if (isSelect) selected = { sql: block.text, file: file ?? WAREHOUSE };
      else if (block.info === 'sql') execute(join(folder, file ?? WAREHOUSE), block.text);
      else if (file !== null) writeFileSync(join(folder, file), block.text);
      else {
        const rows = rowsOf(join(folder, selected.file), selected.sql);
        t.equal(rows.map((row) => `${Object.values(row).join(',')}\n`).join(''), block.text, selected.sql);
        checked += 1;
      }
    }
    t.ok(checked > 0, 'it shows a result');
  });
}

async function runLines(t: Test, folder: string, { text }: CodeBlock): Promise<void> {
  for (const line of text.trimEnd().split('\n')) {
    const [program, ...words] = line.split(' ');
    t.equal(program, 'headgate');
    const { code, stderr } = await runCli(words, { cwd: folder });
    t.ok(code === 0 || code === WARNING, `${line}: ${code}\n${stderr}`);
  }
}

t.test('an order of nobody comes by a replay once there is somebody', async (t) => {
  const part = (kind: string) =>
    recipe('Enrich rows from a table')
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
