import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { previewTask } from '../../src/engine/preview/preview-task.ts';
import { contextOf, inputOf, runYaml } from './support/task-run.ts';

const connectors = {
  source: { type: 'sqlite', config: { path: 'in.db' } },
  files: { type: 'csv', config: { path: 'in.csv' } },
};

/** A task that sets `day` by an expression, from a table with a key or from a file. */
const yamlOf = (
  expression: string,
  onError: string,
  read = '{ connector: source, method: list, args: { table: days } }',
) => `
version: 1
name: days
connectors: { source: {type: sqlite}, files: {type: csv} }
steps:
  - { id: read, kind: extract, ${read.slice(1, -1)} }
  - { id: shape, kind: transform, input: read, ops: [ { set: { day: '${expression}' } } ], on_error: ${onError} }
`;

function sourceIn(folder: string): void {
  const database = new DatabaseSync(join(folder, 'in.db'));
  database.exec(
    "CREATE TABLE days (id INTEGER PRIMARY KEY, day TEXT); INSERT INTO days VALUES (7, '2024-01-01'), (42, 'soon')",
  );
  database.close();
}

const COMPILED = '1 + $toMillis(item.day)';
const INTERPRETED = '$sum($map([1], function($n) { $n + $toMillis($$.item.day) }))';

for (const [kind, expression, column] of [
  ['compiled', COMPILED, 5],
  ['interpreted', INTERPRETED, 36],
] as const) {
  t.test(`the error of an expression names function, place, column and row: ${kind}`, async (t) => {
    const folder = t.testdir({ 'in.csv': 'id,day\n7,2024-01-01\n42,soon\n' });
    sourceIn(folder);
    const place = `$toMillis at column ${column} of the expression of "day"`;
    const problem = 'D3110: the argument of "$toMillis" must be an ISO 8601 timestamp; it was given "soon"';
    const failed = await runYaml({ folder, yaml: yamlOf(expression, 'fail'), connectors });
    t.match(failed, {
      status: 'error',
      failure: { code: 'EXPRESSION_ERROR', message: `${problem} (${place}, row id=42)`, step_id: 'shape' },
    });
    const kept = await runYaml({ folder, yaml: yamlOf(expression, 'dead_letter'), connectors });
    t.match(kept.keeper.letters, [
      {
        message: `${problem} (${place}, row id=42)`,
        column: 'day',
        value: 'soon',
        origin: { record: 2 },
      },
    ]);
    const seen = { folder, yaml: yamlOf(expression, 'dead_letter'), connectors };
    const previewed = await previewTask(inputOf(seen), contextOf(seen), { rowsMax: 5 });
    t.match(previewed.steps[1]?.errors, [{ message: `${problem} (${place}, row id=42)`, item: { id: 42 } }]);
    const read = '{ connector: files, method: read }';
    const lines = await runYaml({ folder, yaml: yamlOf(expression, 'fail', read), connectors });
    t.match(lines.failure, { message: `${problem} (${place}, row id=42 on line 3 of in.csv)` });
  });
}

t.test('a row is named by the key of the load that it goes to', async (t) => {
  const folder = t.testdir({ 'in.csv': 'shop,no,price\nberlin,1,2\nberlin,2,two\n' });
  const yaml = `
version: 1
name: prices
connectors: { files: {type: csv}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: files, method: read, args: {typed: false} }
  - { id: shape, kind: transform, input: read, ops: [{ set: { price: "$number(item.price)" } }] }
  - { id: write, kind: load, input: shape, connector: target, object: prices, mode: merge, key: [shop, no] }
`;
  const target = { type: 'sqlite', config: { path: 'out.db' } };
  const { failure } = await runYaml({ folder, yaml, connectors: { files: connectors.files, target } });
  t.match(failure, { message: /expression of "price", row shop="berlin", no="2" on line 3 of in.csv\)$/ });
});

for (const [kind, expression] of [
  ['compiled', '$trim(item.email)'],
  ['interpreted', '$map([1], function($n) { $trim($$.item.email) })[0]'],
] as const)
  t.test(
    `a missing value is named as what a function was given, and its row by what is known: ${kind}`,
    async (t) => {
      const folder = t.testdir({ 'in.csv': 'id,email\n1,a@x.org\n2,\n' });
      const yaml = `
version: 1
name: emails
connectors: { files: {type: csv}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: files, method: read }
  - { id: shape, kind: transform, input: read, ops: [{ set: { email: "${expression}" } }] }
  - { id: write, kind: load, input: shape, connector: target, object: people, mode: merge, key: [email] }
`;
      const target = { type: 'sqlite', config: { path: 'out.db' } };
      const { failure } = await runYaml({ folder, yaml, connectors: { files: connectors.files, target } });
      const problem =
        'T0410: argument 1 of "$trim" is null; guard against null, as in "item.x ? $trim(…)" ($trim at column ';
      t.equal(failure?.message.slice(0, problem.length), problem);
      t.match(failure?.message, /of the expression of "email", row id=2 on line 3 of in\.csv\)$/);
    },
  );

t.test('an argument of the wrong type is named by its number and value', async (t) => {
  const folder = t.testdir({ 'in.csv': 'id,from\n1,2\n2,x\n' });
  const yaml = `
version: 1
name: parts
connectors: { files: {type: csv} }
steps:
  - { id: read, kind: extract, connector: files, method: read, args: { typed: false } }
  - { id: shape, kind: transform, input: read, ops: [{ set: { part: "$substring('abc', item.from = '2' ? true : 1)" } }] }
`;
  const { failure } = await runYaml({ folder, yaml, connectors: { files: connectors.files } });
  t.match(failure?.message, /^T0410: argument 2 of "\$substring" has the wrong type; it was given true \(/);
});
