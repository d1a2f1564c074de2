import { join } from 'node:path';
import t from 'tap';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { createKeeper, rowsOf, runYaml, type TaskRun } from '../support/task-run.ts';

const CHILD = `
name: copy_rows
connectors: { from: {type: dummy}, to: {type: sqlite} }
args: { object: { type: string, required: true }, keep: { type: integer, default: 100 } }
steps:
  - { id: read, kind: extract, connector: from, method: list, cursor: { field: id, type: integer, initial: 0 } }
  - { id: some, kind: transform, input: read, ops: [{ filter: "item.id <= args.keep" }] }
  - { id: write, kind: load, input: some, connector: to, object: "{{ args.object }}" }
  - { id: note, kind: set_state, values: { last: "{{ args.object }}" } }
outputs: { rows: "{{ steps.write.count }}", before: "{{ state.last }}" }
`;

const PARENT = `
name: parent
connectors: { source: {type: dummy}, to: {type: sqlite} }
args: { object: { type: string, default: t } }
steps:
  - id: sync
    kind: run_task
    task: copy_rows
    connectors: { from: source }
    args: { object: "{{ args.object }}", keep: 7 }
  - { id: check, kind: assert, check_expr: "steps.sync.output.rows = 7 and steps.sync.count = 7" }
outputs: { copied: "{{ steps.sync.output.rows }}" }
`;

function parsedAll(texts: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseTask(text)]));
}

interface Given extends Partial<Omit<TaskRun, 'input'>> {
  readonly tasks?: Readonly<Record<string, string>>;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly replay?: { readonly step_id: string; readonly letters: number };
  readonly runId?: number;
}

function run(folder: string, yaml: string, { tasks, args = {}, replay, runId = 7, ...more }: Given = {}) {
  const connectors = {
    source: { type: 'dummy', config: { generate: { count: 10, columns: ['id'] } } },
    to: { type: 'sqlite', config: { path: 'out.db' } },
  };
  const input = {
    tasks: parsedAll(tasks ?? { copy_rows: CHILD }),
    args,
    run: { id: runId, attempt: 1 },
    ...(replay && { replay }),
  };
  return runYaml({ folder, yaml, connectors, input, ...more });
}

const statuses = (outcome: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries(outcome.steps.map(({ step_id, status }) => [step_id, status]));

t.test('another task runs with arguments and connectors, and its rows are in the record', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  const outcome = await run(folder, PARENT, { keeper });
  t.match(outcome, { status: 'success', rows_in: 10, rows_out: 7, rows_filtered: 3 });
  t.strictSame(outcome.outputs, { copied: 7 });
  t.strictSame(
    outcome.steps.map(({ step_id, kind, rows_in, rows_out }) => [step_id, kind, rows_in, rows_out]),
    [
      ['sync', 'run_task', 10, 7],
      ['sync/read', 'extract', 10, 10],
      ['sync/some', 'transform', 10, 7],
      ['sync/write', 'load', 7, 7],
      ['sync/note', 'set_state', 0, 0],
      ['check', 'assert', 0, 0],
    ],
  );
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT count(*) AS n FROM t'), [{ n: 7 }]);
  t.ok(
    keeper.logs.some(({ step_id }) => step_id === 'sync/write'),
    'its log names its steps',
  );
  t.ok(keeper.progress.some(({ step_id }) => step_id === 'sync/write'));
  const calls = keeper.metrics
    .filter(({ name }) => name === 'connector.calls')
    .map(({ tags }) => tags['connector']);
  t.strictSame(calls.toSorted(), ['source', 'to'], 'calls count for the connectors of the task around');
});

t.test('its cursor and values are kept under the id of the step', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  t.match(await run(folder, PARENT, { keeper }), { status: 'success' });
  t.match([...keeper.checkpoints.keys()], ['sync/read.pending', 'sync/read', 'sync/state/last']);
  const again = await run(folder, PARENT.replace(/ {2}- \{ id: check.*\n/, ''), { keeper, runId: 8 });
  t.match(again, { status: 'success', rows_in: 0, rows_out: 0 });
  t.match(keeper.checkpoints.get('sync/state/last'), { value: 't' });
});

t.test('its failure is that of the step, and names its own', async (t) => {
  const failing = `
name: fails
steps:
  - { id: bad, kind: assert, check_expr: false }
finally: [{ id: lastly, kind: log, message: done }]
`;
  const yaml = `
name: parent
steps:
  - { id: other, kind: run_task, task: fails }
  - { id: after, kind: log, message: x }
`;
  const tasks = { fails: failing };
  const failed = await run(t.testdir(), yaml, { tasks });
  t.match(failed, { status: 'error', failure: { code: 'ASSERTION_FAILED', step_id: 'other/bad' } });
  t.match(failed.failure?.message, /^The task "fails" failed in its step "bad": /);
  t.match(statuses(failed), {
    other: 'error',
    'other/bad': 'error',
    'other/lastly': 'success',
    after: 'skipped',
  });
  const allowed = yaml.replace('task: fails', 'task: fails, allow_failure: true');
  t.match(await run(t.testdir(), allowed, { tasks }), { status: 'warning', failure: null });
  const slow = { slow: 'name: slow\ntimeout: 0.05s\nsteps: [{ id: wait, kind: sleep, duration: 9s }]\n' };
  const late = await run(t.testdir(), yaml.replace('task: fails', 'task: slow'), { tasks: slow });
  t.match(late, { failure: { code: 'TIMEOUT', step_id: 'other' } });
  t.match(statuses(late), { other: 'error', 'other/wait': 'cancelled' });
});

t.test('a stop ends its own task alone, and a cancel ends both', async (t) => {
  const tasks = {
    stops: 'name: stops\nsteps: [{ id: end, kind: stop }, { id: never, kind: log, message: x }]\n',
  };
  const yaml = 'name: p\nsteps: [{ id: a, kind: run_task, task: stops }, { id: b, kind: log, message: x }]\n';
  const stopped = await run(t.testdir(), yaml, { tasks });
  t.match(statuses(stopped), { a: 'success', 'a/end': 'success', 'a/never': 'skipped', b: 'success' });
  const waits = { stops: 'name: stops\nsteps: [{ id: wait, kind: sleep, duration: 9s }]\n' };
  const cancel = new AbortController();
  const running = run(t.testdir(), yaml, { tasks: waits, signal: cancel.signal });
  setTimeout(() => cancel.abort(), 20);
  t.match(await running, { status: 'cancelled', steps: [{ status: 'cancelled' }, { status: 'cancelled' }] });
});

t.test('its deadline and its timeout both limit it from its start on', async (t) => {
  for (const keys of ['deadline: 1s', 'timeout: 10m, deadline: 1s', 'timeout: 1s, deadline: 10m']) {
    const slow = `{ name: slow, ${keys}, steps: [{ id: wait, kind: sleep, duration: 10m }] }`;
    const yaml = 'name: p\nsteps: [{ id: sub, kind: run_task, task: slow }]\n';
    t.match(
      await run(t.testdir(), yaml, { tasks: { slow } }),
      {
        status: 'error',
        reason: 'timeout',
        failure: { message: 'The task "slow" did not finish within 1 s', step_id: 'sub' },
      },
      keys,
    );
  }
});

t.test('inside a foreach its figures are the sums over all items', async (t) => {
  const folder = t.testdir();
  const child = CHILD.replace(', cursor: { field: id, type: integer, initial: 0 }', '')
    .replace(/ {2}- \{ id: note.*\n/, '')
    .replace(', before: "{{ state.last }}"', '');
  const yaml = `
name: parent
connectors: { source: {type: dummy}, to: {type: sqlite} }
steps:
  - id: each
    kind: foreach
    in_expr: '["a", "b", "c"]'
    steps:
      - { id: sync, kind: run_task, task: copy_rows, connectors: { from: source }, args: { object: "t_{{ item }}" } }
  - { id: check, kind: assert, check_expr: "$sum(steps.each.output.rows) = 30" }
`;
  const outcome = await run(folder, yaml, { tasks: { copy_rows: child } });
  t.match(outcome, { status: 'success', rows_in: 30, rows_out: 30 });
  t.match(
    outcome.steps.map(({ step_id, attempts, rows_out }) => [step_id, attempts, rows_out]),
    [
      ['each', 1, 3],
      ['sync', 3, 30],
      ['sync/read', 3, 30],
      ['sync/some', 3, 30],
      ['sync/write', 3, 30],
      ['check', 1, 0],
    ],
  );
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT count(*) AS n FROM t_b'), [{ n: 10 }]);
  const shared = await run(t.testdir(), yaml);
  t.match(
    shared.failure?.message,
    /"read" of the task "copy_rows" has a cursor, which all foreach items would share/,
  );
});

t.test('a dead letter of it names its task and its step', async (t) => {
  const tasks = {
    strict: `
name: strict
connectors: { from: {type: dummy} }
steps:
  - { id: read, kind: extract, connector: from, method: list }
  - { id: odd, kind: transform, input: read, ops: [{ cast: { id: boolean } }], on_error: dead_letter }
`,
  };
  const yaml =
    'name: p\nconnectors: { from: {type: dummy} }\nsteps: [{ id: sub, kind: run_task, task: strict }]\n';
  const keeper = createKeeper();
  const connectors = { from: { type: 'dummy', config: { rows: [{ id: 'maybe' }, { id: 'true' }] } } };
  const outcome = await run(t.testdir(), yaml, { tasks, keeper, connectors });
  t.match(outcome, { status: 'warning', rows_failed: 1 });
  t.match(statuses(outcome), { sub: 'warning', 'sub/odd': 'warning' });
  t.match(keeper.letters, [{ step_id: 'sub/odd', task: 'strict', item: { id: 'maybe' } }]);
});

const COPY = `
name: copy
connectors: { from: {type: dummy}, to: {type: sqlite} }
args: { object: { type: string, required: true }, by: { type: integer, default: 1 } }
steps:
  - { id: begin, kind: log, message: begin }
  - { id: read, kind: extract, connector: from, method: list }
  - { id: fit, kind: transform, input: read, ops: [{ cast: { n: integer } }, { set: { n: "item.n * args.by" } }], on_error: dead_letter }
  - { id: write, kind: load, input: fit, connector: to, object: "{{ args.object }}", mode: merge, key: [n], on_error: dead_letter }
  - { id: told, kind: log, needs: [write], message: "{{ steps.write.count }} rows" }
outputs: { rows: "{{ steps.read.count }}" }
`;
const middle =
  'name: middle\nconnectors: { from: {type: dummy}, to: {type: sqlite} }\nsteps: [{ id: copy, kind: run_task, task: copy, args: { object: t, by: 10 } }]\n';
const around = (keys: string, task = 'middle') =>
  `name: p\nconnectors: { from: {type: dummy}, to: {type: sqlite} }\nargs: { object: { type: string, default: t } }\nsteps:\n  - { id: first, kind: log, message: first }\n  - { id: sub, kind: run_task, task: ${task}, ${keys} }\n  - { id: last, kind: log, message: last }\n`;

t.test('dead letters of another task are replayed in it, with the arguments that it had', async (t) => {
  const folder = t.testdir();
  const connectors = {
    from: { type: 'dummy', config: { rows: [{ n: '1' }, { n: 'two' }, { n: 'three' }] } },
    to: { type: 'sqlite', config: { path: 'out.db' } },
  };
  const given = { tasks: { copy: COPY, middle }, connectors };
  const first = createKeeper();
  t.match(await run(folder, around('timeout: 1m'), { ...given, keeper: first }), {
    rows_out: 1,
    rows_failed: 2,
  });
  t.match(first.letters, [
    { step_id: 'sub/copy/fit', task: 'copy', item: { n: 'two' } },
    { step_id: 'sub/copy/fit', task: 'copy', item: { n: 'three' } },
  ]);

  const keeper = createKeeper();
  keeper.replayed.push({ letter_id: 11, item: { n: '2' } }, { letter_id: 12, item: { n: 'three' } });
  const replay = { step_id: 'sub/copy/fit', letters: 2 };
  const again = await run(folder, around('timeout: 1m'), { ...given, keeper, replay, runId: 8 });
  t.match(again, { status: 'warning', rows_in: 2, rows_out: 1, rows_failed: 1 });
  t.strictSame(statuses(again), {
    first: 'skipped',
    last: 'skipped',
    'sub/copy/begin': 'skipped',
    'sub/copy/read': 'skipped',
    sub: 'warning',
    'sub/copy': 'warning',
    'sub/copy/fit': 'warning',
    'sub/copy/write': 'success',
    'sub/copy/told': 'success',
  });
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT n FROM t ORDER BY n'), [{ n: 10 }, { n: 20 }]);
  t.match(keeper.letters, [{ step_id: 'sub/copy/fit', task: 'copy', replay_of: 12, item: { n: 'three' } }]);
  t.match(
    await run(folder, around('timeout: 1m'), { ...given, replay: { ...replay, letters: 3 }, runId: 9 }),
    { status: 'error', failure: { code: 'REPLAY_INCOMPLETE', step_id: 'sub/copy/fit' } },
    'rows that are gone are not taken for settled',
  );
});

t.test('what a replay would do otherwise than the run did is refused', async (t) => {
  const connectors = {
    from: { type: 'dummy', config: { rows: [{ n: '1' }] } },
    to: { type: 'sqlite', config: { path: 'out.db' } },
  };
  const refusal = async (yaml: string, step_id: string, copy = COPY) => {
    const tasks = { copy, middle };
    const replay = { step_id, letters: 1 };
    return (await run(t.testdir(), yaml, { tasks, connectors, replay })).failure?.message ?? '';
  };
  const step = (keys: string) => around(keys, 'copy');
  t.match(
    await refusal(step('args: { object: "{{ steps.first.status }}" }'), 'sub/fit'),
    /"sub" uses "steps", which no longer has the value it had when "copy" ran: run the task "p" again/,
  );
  t.match(await refusal(step('args: { object: "{{ state.name }}" }'), 'sub/fit'), /"sub" uses "state"/);
  t.match(
    await refusal(
      step('args: { object: t }'),
      'sub/fit',
      COPY.replace('mode: merge, key: [n]', 'mode: replace'),
    ),
    /The load "write" of the task "copy" has the mode "replace"/,
  );
  t.match(await refusal(step('args: { object: t }'), 'sub/nothing'), /"copy" has no step "nothing"/);
  const each = `name: p\nconnectors: { from: {type: dummy}, to: {type: sqlite} }\nsteps: [{ id: each, kind: foreach, in_expr: "[1]", steps: [{ id: sub, kind: run_task, task: copy, args: { object: t } }] }]\n`;
  t.match(
    await refusal(each, 'sub/fit'),
    /"sub" runs inside another step, whose items are not available to a replay/,
  );
});

t.test('what cannot run is told before anything happens', async (t) => {
  const one = (steps: string, tasks: Readonly<Record<string, string>>) =>
    run(t.testdir(), `name: p\nconnectors: { source: {type: dummy} }\nsteps:\n  - ${steps}\n`, {
      tasks,
    });
  const message = async (steps: string, tasks: Readonly<Record<string, string>>) =>
    (await one(steps, tasks)).failure?.message ?? '';
  const calls = (name: string, other: string) =>
    `name: ${name}\nsteps: [{ id: next, kind: run_task, task: ${other} }]\n`;
  t.match(await message('{ id: a, kind: run_task, task: x }', {}), /There is no task "x"/);
  t.match(
    await message('{ id: a, kind: run_task, task: x }', { x: calls('x', 'y'), y: calls('y', 'p') }),
    /run each other in a cycle: p -> x -> y -> p/,
  );
  const deep = Object.fromEntries(
    ['x', 'y', 'z', 'u', 'v'].map((name, n, all) => [name, calls(name, all[n + 1] ?? 'w')]),
  );
  t.match(
    await message('{ id: a, kind: run_task, task: x }', deep),
    /at most 5 levels deep: p -> x -> y -> z -> u -> v/,
  );
  t.match(
    await message('{ id: a, kind: run_task, task: x }', { x: 'steps: 1' }),
    /The task "x" is not valid/,
  );
  const needs = {
    x: 'name: x\nargs: { n: { type: integer, required: true } }\nconnectors: { db: {type: sqlite} }\nsteps: [{ id: s, kind: log, message: x }]\n',
  };
  t.match(
    await message('{ id: a, kind: run_task, task: x }', needs),
    /needs the argument "n".*needs the connector "db"/,
  );
  t.match(
    await message(
      '{ id: a, kind: run_task, task: x, args: { n: one, m: 1 }, connectors: { db: source } }',
      needs,
    ),
    /declares no argument "m".*must be of type integer.*"source" is of type "dummy"/,
  );
  const rendered = await one(`{ id: a, kind: run_task, task: x, args: { n: "{{ 'one' }}" } }`, {
    x: needs.x.replace('connectors: { db: {type: sqlite} }\n', ''),
  });
  t.match(rendered, {
    reason: 'config_error',
    failure: { step_id: 'a', message: /must be of type integer/ },
  });
});
