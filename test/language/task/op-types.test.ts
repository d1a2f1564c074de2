import t from 'tap';
import { parseTask } from '../../../src/language/task/parse-task.ts';

/** What is wrong with the operations of a task that is saved. */
function problems(...ops: readonly unknown[]): readonly string[] {
  const steps = [
    { id: 'read', kind: 'extract', connector: 'source', method: 'read' },
    { id: 'shape', kind: 'transform', input: 'read', ops },
    { id: 'write', kind: 'load', input: 'shape', connector: 'source', object: 'out' },
  ];
  const document = { version: 1, name: 'types', connectors: { source: { type: 'csv' } }, steps };
  const parsed = parseTask(JSON.stringify(document), { checksExpressions: true });
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

const CAST = { cast: { amount: 'decimal', code: 'string', at: 'timestamp', n: 'integer' } };

t.test('a comparison that can never hold is refused where a cast says so', (t) => {
  const refused = (filter: string, message: RegExp) => t.match(problems(CAST, { filter }), [message], filter);
  refused("item.amount = '1.10'", /ops\[1\]\.filter: "amount" is a decimal after its cast.*without quotes/);
  refused("item.n > 'x'", /"n" is an integer/);
  refused('item.code = 5', /"code" is a string after its cast.*the number 5; write a text/);
  refused('item.at > 5', /"at" is a timestamp/);
  refused("item.at < 'yesterday'", /"yesterday" is none/);
  t.match(problems(CAST, { set: { x: "item.amount = '5' ? 1 : 2" } }), [/ops\[1\]\.set\.x/]);
  t.match(problems(CAST, { rename: { amount: 'price' } }, { filter: "item.price > '5'" }), [
    /"price" is a decimal/,
  ]);
  t.end();
});

t.test('what may hold, or is not known, passes', (t) => {
  const passes = (...ops: readonly unknown[]) =>
    t.strictSame(problems(CAST, ...ops), [], JSON.stringify(ops));
  passes({ filter: 'item.amount > 5 and item.amount != 0.5' });
  passes({ filter: "item.amount != ''" });
  passes({ filter: "item.code = '5' or item.at > '2020-01-01' or item.other = 5" });
  passes({ set: { amount: '$string(item.amount)' } }, { filter: "item.amount = '1.10'" });
  passes({ map: { amount: 'item.code' } }, { filter: "item.amount = '1.10'" });
  passes({ rename: { code: 'c', n: 'code' } }, { filter: 'item.code = 5' });
  passes({ filter: "item.list[item.amount = '5'].x" });
  t.end();
});
