import t from 'tap';
import { driversWith, runYaml, type TaskRun } from '../support/task-run.ts';

const HEAD = `
name: control
connectors: { source: {type: dummy}, target: {type: sqlite} }
args: { size: { type: integer, default: 2 }, big: { type: object } }
steps:
`;

function run(folder: string, steps: string, more: Partial<TaskRun> = {}) {
  const connectors = {
    source: { type: 'dummy', config: { generate: { count: 10, columns: ['id'] } } },
    target: { type: 'sqlite', config: { path: 'out.db' } },
  };
  return runYaml({ folder, yaml: HEAD + steps, connectors, ...more });
}

const statuses = (outcome: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries(outcome.steps.map(({ step_id, status }) => [step_id, status]));

const BRANCH = `  - id: pick
    kind: branch
    cases:
      - when: args.size = 1
        steps: [{ id: one, kind: log, message: one }]
      - when: args.size >= 2
        steps:
          - { id: read, kind: extract, connector: source, method: list }
          - { id: write, kind: load, input: read, connector: target, object: t }
      - when: args.size >= 3
        steps: [{ id: three, kind: log, message: three }]
    else: [{ id: none, kind: log, message: none }]
  - { id: after, kind: assert, check_expr: "steps.write.count = 10 and steps.one.status = 'skipped'" }
`;

t.test('the first case that holds runs, and no other', async (t) => {
  const outcome = await run(t.testdir(), BRANCH);
  t.match(outcome, { status: 'success', rows_in: 10, rows_out: 10 });
  t.strictSame(statuses(outcome), {
    pick: 'success',
    one: 'skipped',
    read: 'success',
    write: 'success',
    three: 'skipped',
    none: 'skipped',
    after: 'success',
  });
  const none = await run(t.testdir(), BRANCH.replace(/ {2}- \{ id: after.*\n/, ''), {
    input: { args: { size: 0 } },
  });
  t.match(statuses(none), { pick: 'success', write: 'skipped', none: 'success' });
});

t.test('a step that fails inside fails the branch, unless that may fail', async (t) => {
  const failing = `  - id: pick
    kind: branch
    cases: [{ when: true, steps: [{ id: bad, kind: assert, check_expr: false }] }]
`;
  const after = '  - { id: after, kind: log, message: x }\n';
  const failed = await run(t.testdir(), failing + after);
  t.match(failed, { status: 'error', failure: { code: 'ASSERTION_FAILED', step_id: 'bad' } });
  t.match(statuses(failed), { pick: 'error', bad: 'error', after: 'skipped' });
  const allowed = await run(t.testdir(), `${failing}    allow_failure: true\n${after}`);
  t.match(allowed, { status: 'warning', failure: null });
  t.match(statuses(allowed), { pick: 'error', after: 'success' });
  const late = failing.replace(
    '{ id: bad, kind: assert, check_expr: false }',
    '{ id: bad, kind: sleep, duration: 9s }',
  );
  t.match(await run(t.testdir(), `${late}    timeout: 0.05s\n`), {
    failure: { code: 'TIMEOUT', step_id: 'pick' },
    steps: [{ status: 'error' }, { status: 'cancelled' }],
  });
});

t.test('a case may look at an object of 100,000 keys', async (t) => {
  const big = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key${n}`, n]));
  const outcome = await run(
    t.testdir(),
    `  - id: pick
    kind: branch
    cases:
      - { when: "$count($keys(args.big)) = 1", steps: [{ id: small, kind: log, message: x }] }
      - { when: args.big.key99999 = 99999, steps: [{ id: large, kind: log, message: x }] }
`,
    { input: { args: { big } } },
  );
  t.match(statuses(outcome), { small: 'skipped', large: 'success' });
});

t.test('parallel runs its steps at the same time, and those that need others after these', async (t) => {
  let open = 0;
  const seen: string[] = [];
  const drivers = driversWith('sqlite', (connection) => ({
    ...connection,
    call: async (_method, args) => {
      const { sql } = args as { sql: string };
      open++;
      seen.push(`${sql} ${open}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
      open--;
      return sql;
    },
  }));
  const call = (id: string, more = '') =>
    `      - { id: ${id}, kind: call, connector: target, method: execute, args: { sql: ${id} }${more} }\n`;
  const steps = `  - id: both
    kind: parallel
    concurrency: 2
    steps:
${call('a')}${call('b')}${call('c')}${call('d', ', needs: [a, b, c]')}      - { id: read, kind: extract, connector: source, method: list, needs: [d] }
      - { id: end, kind: log, needs: [read], message: "{{ steps.d.output }} {{ steps.read.count }}" }
`;
  const outcome = await run(t.testdir(), steps, { drivers });
  t.match(outcome, { status: 'success', failure: null });
  t.strictSame(seen, ['a 1', 'b 2', 'c 2', 'd 1']);
  t.equal(outcome.keeper.logs.find((line) => line.step_id === 'end')?.message, 'd 10');
});

t.test('the first that fails in a parallel ends the others, unless it may fail', async (t) => {
  const steps = (more: string) => `  - id: both
    kind: parallel
    steps:
      - { id: wait, kind: sleep, duration: ${more === '' ? 10 : 0.01}s }
      - { id: bad, kind: assert, check_expr: false${more} }
      - { id: never, kind: log, message: x, needs: [wait] }
`;
  const failed = await run(t.testdir(), steps(''));
  t.match(failed, { status: 'error', failure: { step_id: 'bad' } });
  t.strictSame(statuses(failed), { both: 'error', wait: 'cancelled', bad: 'error', never: 'skipped' });
  const allowed = await run(t.testdir(), steps(', allow_failure: true'));
  t.strictSame(statuses(allowed), { both: 'success', wait: 'success', bad: 'error', never: 'success' });
});
