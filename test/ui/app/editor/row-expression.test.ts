import t from 'tap';
import { rowExpressionAt } from '../../../../src/ui/screens/tasks/try/row-expression.ts';

const TASK = `steps:
  - { id: read, kind: extract, connector: source, when: args.full }
  - id: shape
    kind: transform
    input: read
    when: item.id > 1
    ops:
      - filter: item.status != 'void'
      - set: { name: "$uppercase(item.name)" }
      - map:
          total: |
            item.amount
              * 2
      - cast: { total: number }
  - id: each
    kind: foreach
    steps:
      - { id: inner, kind: load, input: shape, when: item.total > 0, object: rows }
`;

function at(words: string) {
  return rowExpressionAt(TASK, TASK.indexOf(words) + 2);
}

t.test('the expression around the cursor is found with its step and the operations before it', async (t) => {
  const shape = { step: 'shape', input: 'read' };
  t.same(at('item.id > 1'), { ...shape, source: 'item.id > 1', opsBefore: 0 });
  t.same(at('item.status'), { ...shape, source: "item.status != 'void'", opsBefore: 0 });
  t.same(at('$uppercase'), { ...shape, source: '$uppercase(item.name)', opsBefore: 1 });
  t.same(at('item.amount'), { ...shape, source: 'item.amount\n  * 2\n', opsBefore: 2 });
  t.same(at('item.total'), { step: 'inner', input: 'shape', source: 'item.total > 0', opsBefore: 0 });
});

t.test('elsewhere there is none', async (t) => {
  for (const words of ['args.full', 'extract', 'number', 'rows }', 'foreach', 'steps:'])
    t.equal(at(words), null, words);
  t.equal(rowExpressionAt('steps: [', 8), null, 'a text that is no YAML');
  t.equal(rowExpressionAt('', 0), null);
});
