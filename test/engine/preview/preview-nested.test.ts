import t from 'tap';
import { previewTask } from '../../../src/engine/preview/preview-task.ts';
import { contextOf, inputOf } from '../support/task-run.ts';

const YAML = `
name: previewed
connectors: { source: {type: dummy}, target: {type: sqlite} }
steps:
  - id: each
    kind: foreach
    in_expr: "[{ 'n': 7 }, { 'n': 8 }]"
    as: shop
    steps:
      - { id: read, kind: extract, connector: source, method: list }
      - { id: shape, kind: transform, input: read, ops: [{ map: { n: shop.n } }] }
      - { id: write, kind: load, input: shape, connector: target, object: t }
  - id: pick
    kind: branch
    cases:
      - { when: false, steps: [{ id: no, kind: extract, connector: source, method: list }] }
    else: [{ id: yes, kind: extract, connector: source, method: list }]
`;

t.test('a preview goes into a foreach by its first item, and into the case that holds', async (t) => {
  const connectors = {
    source: { type: 'dummy', config: { generate: { count: 3, columns: ['id'] } } },
    target: { type: 'sqlite', config: { path: 'out.db' } },
  };
  const run = { folder: t.testdir(), yaml: YAML, connectors };
  const { failure, steps } = await previewTask(inputOf(run), contextOf(run), { rowsMax: 5 });
  t.equal(failure, null);
  t.match(steps, [
    {
      step_id: 'each',
      status: 'success',
      rows_in: 2,
      rows: [{ n: 7 }, { n: 8 }],
      warnings: [/first of 2 items/],
    },
    { step_id: 'read', rows_in: 3 },
    { step_id: 'shape', rows: [{ n: 7 }, { n: 7 }, { n: 7 }] },
    { step_id: 'write', status: 'success', would: { action: 'load', object: 't', rows: 3 } },
    { step_id: 'pick', status: 'success' },
    { step_id: 'no', status: 'skipped' },
    { step_id: 'yes', status: 'success', rows_in: 3 },
  ]);
});
