import { join } from 'node:path';
import t from 'tap';
import { flaky, rowsOf, runYaml } from './support/task-run.ts';

const GENERATED = { type: 'dummy', config: { generate: { count: 3_000, columns: ['id', 'name'] } } };
const TARGET = { type: 'sqlite', config: { path: 'out.db' } };

t.test('a load that may fail uses its retries first', async (t) => {
  const folder = t.testdir();
  const outcome = await runYaml({
    folder,
    yaml: `
version: 1
name: patient
connectors: { source: {type: dummy}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: list }
  - id: write
    kind: load
    input: read
    connector: target
    object: items
    allow_failure: true
    retry: { max_attempts: 3, delay: 0.01s }
`,
    connectors: { source: GENERATED, target: TARGET },
    drivers: flaky('sqlite', 1),
  });
  t.match(outcome, { status: 'success', rows_out: 3_000 });
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT count(*) AS n FROM items'), [{ n: 3_000 }]);
});

t.test('a transform that may fail ends the steps that it feeds, and no other', async (t) => {
  const folder = t.testdir();
  const outcome = await runYaml({
    folder,
    yaml: `
version: 1
name: forked
connectors: { source: {type: dummy}, nowhere: {type: dummy}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: list }
  - id: shape
    kind: transform
    input: read
    ops: [ { set: { n: "item.id = 1500 ? $error('no') : 1" } } ]
    allow_failure: true
  - { id: lost, kind: load, input: shape, connector: nowhere, object: lost }
  - { id: write, kind: load, input: read, connector: target, object: items }
`,
    connectors: { source: GENERATED, nowhere: { type: 'dummy', config: {} }, target: TARGET },
  });
  t.match(outcome, { status: 'warning', failure: null });
  t.strictSame(
    outcome.steps.map(({ step_id, status, rows_out }) => [step_id, status, rows_out]),
    [
      ['read', 'success', 3_000],
      ['shape', 'error', outcome.steps[1]?.rows_out],
      ['lost', 'skipped', 0],
      ['write', 'success', 3_000],
    ],
  );
});

t.test('an outage in the middle of a load is no row’s fault', async (t) => {
  for (const fault of ['UNAVAILABLE', 'TARGET']) {
    const outcome = await runYaml({
      folder: t.testdir(),
      yaml: `
version: 1
name: outage
connectors: { source: {type: dummy}, target: {type: dummy} }
steps:
  - { id: read, kind: extract, connector: source, method: list }
  - { id: write, kind: load, input: read, connector: target, object: items, on_error: { action: dead_letter } }
`,
      connectors: { source: GENERATED, target: { type: 'dummy', config: { fault, fail_after: 1_000 } } },
    });
    t.match(outcome, { status: 'error', reason: 'task_error', rows_failed: 0 }, fault);
    t.strictSame(outcome.keeper.letters, []);
  }
});
