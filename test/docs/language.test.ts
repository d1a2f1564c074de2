import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { FUNCTION_SIGNATURES } from '../../src/language/expression/function-signatures.ts';
import { parseExpression } from '../../src/language/expression/parse-expression.ts';
import { FUNCTIONS, OP_EXAMPLES, STEP_EXAMPLES, TASK_EXAMPLES } from './language/examples.ts';
import { keysWithoutExample } from './language/keys-without-example.ts';
import { LANGUAGE_PAGES } from './language/pages.ts';
import { runExample } from './language/run-example.ts';

const folder = join(import.meta.dirname, '../../docs/language');
/** Pages that people write. */
const WRITTEN = ['README.md', 'cookbook.md'];

t.test('the checked-in pages of the language are those of the declarations', async (t) => {
  t.same(readdirSync(folder).sort(), [...Object.keys(LANGUAGE_PAGES), ...WRITTEN].sort());
  for (const [name, page] of Object.entries(LANGUAGE_PAGES)) {
    const text = readFileSync(join(folder, name), 'utf8');
    t.ok(text === page(), `${name}: run \`node test/docs/generate.ts\` after a change on purpose`);
  }
});

/** Keys that need a server, packages or a host: which page and test has their example. */
const ELSEWHERE = [
  /^task: metrics\[\]\.config/, // docs/operations.md, test/metering
  /^extract: (?:paginate|cursor\.param|cursor\.state)/, // docs/connectors/{http,airbyte}.md, test/docs/connectors
  /^script: file\./, // what the command line makes of a path: test/commands/kit/script-files.test.ts
  /^script: (?:dependencies|packages|lock)$/, // docs/tasks/scripts.md, test/engine/script/dependencies.test.ts
];

t.test('each key of the reference stands in an example that is run', async (t) => {
  const missing = keysWithoutExample().filter((key) => !ELSEWHERE.some((pattern) => pattern.test(key)));
  t.same(missing, []);
});

for (const [part, examples] of Object.entries({ ...OP_EXAMPLES, ...STEP_EXAMPLES, ...TASK_EXAMPLES }))
  t.test(`${part}: each example gives what the page shows`, async (t) => {
    for (const example of examples) {
      const found = await runExample(example);
      const { status, failure, outputs, log, letters, rows, gives } = example;
      const shown = { status, failure, outputs, log, letters, rows, gives };
      t.match(found, JSON.parse(JSON.stringify(shown)), example.about ?? part);
      if (status === undefined && example.tests !== true)
        t.equal(found.status, letters === undefined ? 'success' : 'warning', example.about ?? part);
    }
  });

t.test('each function is there, and its example gives what the page shows', async (t) => {
  const functions = Object.values(FUNCTIONS).flat();
  t.same(functions.map(({ name }) => name).sort(), [...FUNCTION_SIGNATURES.keys()].sort());
  for (const { name, example, result } of functions) {
    t.ok(example.includes(`$${name}(`), name);
    const parsed = parseExpression(example);
    if (!parsed.ok) return t.fail(`${name}: ${parsed.problem.message}`);
    const value = await parsed.expression.evaluate({});
    t.equal(value === undefined ? 'nothing' : JSON.stringify(value), result, name);
  }
});
