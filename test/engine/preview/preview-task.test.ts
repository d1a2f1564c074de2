import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { previewTask } from '../../../src/engine/preview/preview-task.ts';
import { contextOf, inputOf, type TaskRun } from '../support/task-run.ts';

const YAML = `
version: 1
name: previewed
connectors: { source: {type: dummy}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: list }
  - id: shape
    kind: transform
    input: read
    ops: [ { filter: "item.id != 2" }, { set: { n: "item.id = 3 ? $error('three') : item.id * 10" } } ]
  - { id: write, kind: load, input: shape, connector: target, object: items }
  - { id: touch, kind: call, connector: target, method: execute, args: { sql: "CREATE TABLE x (a)" } }
`;

function preview(run: Pick<TaskRun, 'folder'> & Partial<TaskRun>, rowsMax = 5) {
  const connectors = {
    source: { type: 'dummy', config: { generate: { count: 1_000_000, columns: ['id'] } } },
    target: { type: 'sqlite', config: { path: 'out.db' } },
  };
  const full: TaskRun = { yaml: YAML, connectors, ...run };
  return previewTask(inputOf(full), contextOf(full), { rowsMax });
}

t.test('a preview shows what the steps give for a few rows, and writes nothing', async (t) => {
  const folder = t.testdir();
  const { failure, steps } = await preview({ folder });
  t.equal(failure, null);
  t.match(steps, [
    { step_id: 'read', status: 'success', rows_in: 5 },
    {
      step_id: 'shape',
      status: 'warning',
      rows: [
        { id: 1, n: 10 },
        { id: 4, n: 40 },
        { id: 5, n: 50 },
      ],
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'n', type: 'integer' },
      ],
      errors: [{ code: 'EXPRESSION_ERROR', item: { id: 3 } }],
    },
    { step_id: 'write', status: 'success', would: { action: 'load', object: 't', rows: 3 } },
    { step_id: 'touch', status: 'success', would: { action: 'call', method: 'execute' } },
  ]);
  t.notOk(existsSync(join(folder, 'out.db')));
  t.equal((await preview({ folder }, 100_000)).steps[0]?.rows.length, 100);
});

t.test('what is wrong with a task, or with its source, is told', async (t) => {
  const folder = t.testdir();
  const wrong = await preview({ folder, yaml: YAML.replace('item.id * 10', 'item.id *') });
  t.match(wrong, { failure: { code: 'VALIDATION_ERROR' }, steps: [] });
  const target = { type: 'sqlite', config: { path: 'out.db' } };
  const away = { source: { type: 'dummy', config: { fault: 'UNAVAILABLE', message: 'away' } }, target };
  const failed = await preview({ folder, connectors: away });
  t.match(failed, { failure: { code: 'CONNECTOR_UNAVAILABLE', message: 'away', step_id: 'read' } });
  t.match(failed.steps[0], { status: 'error' });
  const hanging = { source: { type: 'dummy', config: { hang: true } }, target };
  const late = await preview({ folder, connectors: hanging, input: { timeoutMs: 50 } });
  t.match(late, { failure: { code: 'TIMEOUT', step_id: 'read', message: /not finish within [\d.]+ s$/ } });
});
