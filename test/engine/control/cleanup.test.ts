import t from 'tap';
import { createKeeper, flaky, runYaml, type TaskRun } from '../support/task-run.ts';

const HEAD = `
name: ends
connectors: { source: {type: dummy}, target: {type: sqlite} }
args: { fails: { type: boolean, default: false } }
`;

function run(folder: string, rest: string, more: Partial<TaskRun> = {}) {
  const connectors = {
    source: { type: 'dummy', config: { generate: { count: 10, columns: ['id'] } } },
    target: { type: 'sqlite', config: { path: 'out.db' } },
  };
  return runYaml({ folder, yaml: HEAD + rest, connectors, ...more });
}

type Outcome = Awaited<ReturnType<typeof run>>;
const told = (outcome: Outcome, id: string) =>
  outcome.keeper.logs.find((line) => line.step_id === id)?.message;
const statuses = (outcome: Outcome) =>
  Object.fromEntries(outcome.steps.map(({ step_id, status }) => [step_id, status]));

const ENDS = `steps:
  - { id: check, kind: assert, check_expr: "args.fails = false", message: it fails }
on_failure:
  - { id: tell, kind: log, message: "{{ failure.step_id }}: {{ failure.code }}: {{ failure.message }}" }
finally:
  - { id: tidy, kind: log, message: "{{ failure = null ? 'well' : failure.code }}, {{ steps.check.status }}" }
`;

t.test('on_failure runs where the task fails, and finally in any case', async (t) => {
  const well = await run(t.testdir(), ENDS);
  t.match(well, { status: 'success' });
  t.strictSame(statuses(well), { check: 'success', tell: 'skipped', tidy: 'success' });
  t.equal(told(well, 'tidy'), 'well, success');
  const failed = await run(t.testdir(), ENDS, { input: { args: { fails: true } } });
  t.match(failed, { status: 'error', failure: { code: 'ASSERTION_FAILED', step_id: 'check' } });
  t.equal(told(failed, 'tell'), 'check: ASSERTION_FAILED: it fails');
  t.equal(told(failed, 'tidy'), 'ASSERTION_FAILED, error');
});

t.test('what fails in them keeps the task’s own failure, or is the task’s where it had none', async (t) => {
  const bad = '{ id: bad, kind: assert, check_expr: false, message: second }';
  const both = `steps: [{ id: first, kind: assert, check_expr: false, message: first }]
on_failure: [${bad}]
finally: [{ id: last, kind: log, message: last }]
`;
  const failed = await run(t.testdir(), both);
  t.match(failed, { status: 'error', failure: { message: 'first', step_id: 'first' } });
  t.equal(told(failed, 'last'), 'last');
  const late = await run(
    t.testdir(),
    `steps: [{ id: ok, kind: log, message: x }]\nfinally: [${bad}]\noutputs: { a: 1 }\n`,
  );
  t.match(late, { status: 'error', failure: { message: 'second', step_id: 'bad' }, outputs: null });
});

t.test('a run that is cancelled or out of time cleans up', async (t) => {
  const slow = `steps: [{ id: wait, kind: sleep, duration: 30s }]
on_failure: [{ id: tell, kind: log, message: "{{ failure.code }}" }]
finally: [{ id: tidy, kind: log, message: "{{ failure.code }}" }]
`;
  const control = new AbortController();
  setTimeout(() => control.abort(), 50);
  const cancelled = await run(t.testdir(), slow, { signal: control.signal });
  t.match(cancelled, { status: 'cancelled' });
  t.strictSame(statuses(cancelled), { wait: 'cancelled', tell: 'skipped', tidy: 'success' });
  const late = await run(t.testdir(), `timeout: 0.05s\n${slow}`);
  t.match(late, { status: 'error', reason: 'timeout' });
  t.equal(told(late, 'tell'), 'TIMEOUT');
  t.equal(told(late, 'tidy'), 'TIMEOUT');
});

t.test('outputs are what the task gives, and fail it where they cannot be worked out', async (t) => {
  const steps = `steps:
  - { id: read, kind: extract, connector: source, method: list }
  - { id: write, kind: load, input: read, connector: target, object: t }
`;
  const outcome = await run(
    t.testdir(),
    `${steps}outputs: { rows: "{{ steps.write.count }}", where: { table: t, at: "run {{ run.id }}" } }\n`,
  );
  t.strictSame(outcome.outputs, { rows: 10, where: { table: 't', at: 'run 7' } });
  t.equal((await run(t.testdir(), steps)).outputs, null);
  t.match(await run(t.testdir(), `${steps}outputs: { a: "{{ $error('no') }}" }\n`), {
    status: 'error',
    failure: { code: 'EXPRESSION_ERROR' },
  });
  t.match(await run(t.testdir(), `${steps}outputs: { a: "{{ [1..100000] }}" }\n`), {
    failure: { code: 'OUTPUT_TOO_LARGE' },
  });
});

const COUNT = `steps:
  - { id: before, kind: log, message: "{{ $string(state.runs) }}" }
  - { id: keep, kind: set_state, values: { runs: "{{ state.runs ? state.runs + 1 : 1 }}", last: { run: "{{ run.id }}" } } }
  - { id: after, kind: log, message: "{{ state.runs }} {{ state.last.run }}" }
`;

t.test('a value that is kept is read by the next run', async (t) => {
  const keeper = createKeeper();
  const first = await run(t.testdir(), COUNT, { keeper });
  t.match(first, { status: 'success' });
  t.equal(told(first, 'after'), '1 7');
  keeper.logs.length = 0;
  const second = await run(t.testdir(), COUNT, { keeper, input: { run: { id: 8, attempt: 1 } } });
  t.equal(told(second, 'before'), '1');
  t.equal(told(second, 'after'), '2 8');
  t.strictSame(
    [...keeper.checkpoints],
    [
      ['state/runs', { value: 2, version: 2 }],
      ['state/last', { value: { run: 8 }, version: 2 }],
    ],
  );
});

t.test('a value that another run has changed, or that is too large, is not kept', async (t) => {
  const keeper = createKeeper();
  const { checkpoint } = keeper.ports;
  const ports = {
    ...keeper.ports,
    checkpoint: async (name: string) => {
      const read = await checkpoint(name);
      keeper.checkpoints.set(name, { value: 99, version: 5 });
      return read;
    },
  };
  const outcome = await run(t.testdir(), COUNT, { keeper: { ...keeper, ports } });
  t.match(outcome, { status: 'error', failure: { code: 'CONFLICT', step_id: 'keep' }, retryable: true });
  const large = `steps: [{ id: keep, kind: set_state, values: { a: "{{ [1..50000] }}" } }]\n`;
  t.match(await run(t.testdir(), large), { failure: { code: 'STATE_TOO_LARGE' } });
});

t.test('items of a foreach may keep values one after another', async (t) => {
  const keeper = createKeeper();
  const outcome = await run(
    t.testdir(),
    `steps:
  - id: each
    kind: foreach
    in_expr: "[1..20]"
    concurrency: 5
    steps: [{ id: keep, kind: set_state, values: { last: "{{ item }}" } }]
`,
    { keeper },
  );
  t.match(outcome, { status: 'success' });
  t.match(keeper.checkpoints.get('state/last'), { version: 20 });
});

t.test('defaults hold where a step says nothing, and also inside other steps', async (t) => {
  const yaml = (retry: string, own = '') => `defaults: { retry: ${retry}, on_error: skip, batch: { size: 3 } }
steps:
  - id: all
    kind: parallel
    steps:
      - { id: read, kind: extract, connector: source, method: list }
      - { id: shape, kind: transform, input: read, ops: [{ set: { n: "item.id = 5 ? $error('x') : 1" } }] }
      - { id: write, kind: load, input: shape, connector: target, object: t${own} }
`;
  const skipped = await run(t.testdir(), yaml('{ max_attempts: 1 }'));
  t.match(skipped, { status: 'warning', rows_out: 9, rows_failed: 1 });
  const quick = '{ max_attempts: 2, delay: 0.01s }';
  const drivers = () => flaky('sqlite', 1);
  t.match(await run(t.testdir(), yaml('{ max_attempts: 1 }'), { drivers: drivers() }), { status: 'error' });
  t.match(await run(t.testdir(), yaml(quick), { drivers: drivers() }), { status: 'warning', rows_out: 9 });
  const own = ', retry: { max_attempts: 1 }';
  t.match(await run(t.testdir(), yaml(quick, own), { drivers: drivers() }), { status: 'error' });
});
