import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { previewTask } from '../../../src/engine/preview/preview-task.ts';
import { exampleOf } from '../../../src/engine/preview/record-example.ts';
import { contextOf, inputOf } from '../support/task-run.ts';

const YAML = `
version: 1
name: effects
connectors: { source: {type: csv}, target: {type: sqlite}, fake: {type: dummy} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: shape, kind: transform, input: read, ops: [{ set: { big: item.n > 1 } }] }
  - { id: total, kind: sql, inputs: { rows: shape }, query: "SELECT count(*) AS n FROM rows" }
  - id: write
    kind: load
    input: shape
    when: item.big
    connector: target
    object: "t_{{ args.part }}"
    mode: merge
    key: [n]
    delete_missing: hard
    verify: { on_difference: dead_letter }
  - id: compare
    kind: verify
    source: { connector: source, method: read }
    target: { connector: target, object: "t_{{ args.part }}" }
    key: { n: n }
    on_difference: warn
  - { id: told, kind: log, level: warn, message: "{{ steps.write.count }} rows" }
  - { id: check, kind: assert, check_expr: steps.write.count > 5, message: too few }
  - { id: keep, kind: set_state, values: { last: "{{ steps.read.count }}" } }
  - { id: nap, kind: sleep, duration: 1h }
  - { id: touch, kind: call, connector: target, method: execute, args: { sql: "DELETE FROM t" } }
  - { id: ask, kind: call, connector: fake, method: echo, args: { value: 7 } }
  - { id: enough, kind: stop, status: warning, message: done }
  - { id: after, kind: log, message: never }
`;

t.test('a preview tells of each step what it would do outside, and does nothing of it', async (t) => {
  const folder = t.testdir({ 'in.csv': 'n\n1\n2\n3\n' });
  const connectors = {
    source: { type: 'csv', config: { path: 'in.csv' } },
    target: { type: 'sqlite', config: { path: 'out.db' } },
    fake: { type: 'dummy', config: { rows: [{ a: 1 }, { a: 2 }] } },
  };
  const yaml = YAML.replace('steps:', 'args: { part: {type: string, default: x} }\nsteps:');
  const run = { folder, yaml, connectors };
  const outcome = await previewTask(inputOf(run), contextOf(run), { rowsMax: 10 });
  t.equal(outcome.failure, null);
  const byId = new Map(outcome.steps.map((step) => [step.step_id, step]));
  const wouldOf = (id: string) => byId.get(id)?.would;
  t.match(byId.get('write'), { status: 'success', rows_in: 3, rows_skipped: 1, rows: [{ n: 2 }, { n: 3 }] });
  t.strictSame(wouldOf('write'), {
    action: 'load',
    connector: 'target',
    object: 't_x',
    mode: 'merge',
    key: ['n'],
    rows: 2,
    deletes_missing: true,
    verify: 'dead_letter',
  });
  t.strictSame(wouldOf('compare'), {
    action: 'verify',
    source: 'source.read',
    target: 'target.t_x',
    key: ['n'],
    on_difference: 'warn',
  });
  t.strictSame(wouldOf('told'), { action: 'log', level: 'warn', message: '2 rows' });
  t.match(byId.get('check'), {
    would: null,
    warnings: ['The check "steps.write.count > 5" does not hold for these rows: too few'],
  });
  t.strictSame(wouldOf('keep'), { action: 'set_state', values: { last: 3 } });
  t.strictSame(wouldOf('nap'), { action: 'sleep', duration_ms: 3_600_000 });
  t.strictSame(wouldOf('touch'), {
    action: 'call',
    connector: 'target',
    method: 'execute',
    args: { sql: 'DELETE FROM t' },
  });
  t.match(byId.get('ask'), { status: 'success', would: null, output: 7 });
  t.strictSame(wouldOf('enough'), { action: 'stop', status: 'warning', message: 'done' });
  t.match(byId.get('after'), { status: 'skipped', would: null });
  t.notOk(existsSync(join(folder, 'out.db')), 'nothing is written');

  const example = exampleOf(outcome, { name: 'three', args: { part: 'y' }, jobConfig: {} });
  t.strictSame(example, {
    name: 'three',
    args: { part: 'y' },
    input: { read: [{ n: 1 }, { n: 2 }, { n: 3 }] },
    expect: {
      shape: [
        { n: 1, big: false },
        { n: 2, big: true },
        { n: 3, big: true },
      ],
      total: [{ n: 3 }],
    },
  });
});
