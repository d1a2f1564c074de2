import { join } from 'node:path';
import t from 'tap';
import { fewOrAll } from '../../support/fault-list.ts';
import { driversWith, rowsOf, runYaml, type TaskRun } from '../support/task-run.ts';

const TARGET = { type: 'sqlite', config: { path: 'out.db' } };

const HEAD = `
name: each
connectors: { source: {type: dummy}, target: {type: sqlite} }
args: { ids: { type: array, default: [3, 1, 2] }, other: { type: object } }
steps:
`;

function run(folder: string, steps: string, more: Partial<TaskRun> = {}, rows: object[] | number = []) {
  const config = Array.isArray(rows) ? { rows } : { generate: { count: rows, columns: ['id', 'name'] } };
  const connectors = { source: { type: 'dummy', config }, target: TARGET };
  return runYaml({ folder, yaml: HEAD + steps, connectors, ...more });
}

const each = (more: string, body: string) =>
  `  - id: each\n    kind: foreach\n    ${more.replaceAll('\n', '\n    ')}\n    steps:\n${body}`;
const NOTE = '      - { id: note, kind: log, message: "{{ index }}: {{ $string(item) }}" }\n';

t.test('the steps run once for each item, in their order, and their figures are sums', async (t) => {
  const folder = t.testdir();
  const outcome = await run(
    folder,
    `${each(
      'in_expr: args.ids',
      `      - { id: read, kind: extract, connector: source, method: list }
      - { id: shape, kind: transform, input: read, ops: [{ filter: "item.id <= 2" }] }
      - { id: write, kind: load, input: shape, connector: target, object: "part_{{ item }}" }
      - { id: note, kind: log, message: "{{ index }}: {{ item }}, {{ steps.write.count }} rows" }
`,
    )}  - { id: sum, kind: assert, check_expr: "steps.each.count = 3 and steps.write.count = 6" }\n`,
    {},
    5,
  );
  t.match(outcome, { status: 'success', rows_in: 15, rows_out: 6, rows_filtered: 9, failure: null });
  t.strictSame(
    outcome.steps.map((step) => [step.step_id, step.status, step.rows_in, step.rows_out, step.attempts]),
    [
      ['each', 'success', 3, 3, 1],
      ['read', 'success', 15, 15, 3],
      ['shape', 'success', 15, 6, 3],
      ['write', 'success', 6, 6, 3],
      ['note', 'success', 0, 0, 3],
      ['sum', 'success', 0, 0, 1],
    ],
  );
  const { logs } = outcome.keeper;
  t.strictSame(
    logs.filter((line) => line.step_id === 'note').map(({ message }) => message),
    ['0: 3, 2 rows', '1: 1, 2 rows', '2: 2, 2 rows'],
  );
  t.strictSame(
    logs.filter((line) => ['read', 'shape', 'write'].includes(line.step_id)),
    [],
    'the log tells of items what they tell themselves',
  );
  for (const id of [1, 2, 3])
    t.same(rowsOf(join(folder, 'out.db'), `SELECT count(*) AS n FROM part_${id}`), [{ n: 2 }]);
});

t.test('nothing is an empty list, and a single thing a list of one', async (t) => {
  const messages = async (expression: string) => {
    const { status, keeper } = await run(t.testdir(), each(`in_expr: '${expression}'`, NOTE));
    t.equal(status, 'success');
    return keeper.logs.filter((line) => line.step_id === 'note').map(({ message }) => message);
  };
  t.strictSame(await messages('args.other'), []);
  t.strictSame(await messages('[]'), []);
  t.strictSame(await messages('args.ids[$ > 2]'), ['0: 3']);
  t.strictSame(await messages('"a text"'), ['0: a text']);
});

t.test(
  'a list of a million items is gone through; one that is longer is refused, and nothing begins',
  async (t) => {
    const last = fewOrAll(100_000, 1_000_000);
    const when = `when: "item % ${last / 4} = 0"`;
    const held = process.memoryUsage().rss;
    const { status, steps, keeper } = await run(t.testdir(), each(`in_expr: "[1..${last}]"\n${when}`, NOTE));
    t.equal(status, 'success');
    t.match(steps, [
      { step_id: 'each', rows_in: last, rows_out: 4, rows_skipped: last - 4 },
      { step_id: 'note', attempts: 4 },
    ]);
    t.ok(keeper.logs.length < 20, 'the log does not tell of each item');
    t.ok(process.memoryUsage().rss - held < 1_000_000_000);
    const longer = await run(t.testdir(), each('in_expr: "[1..1000001]"', NOTE));
    t.match(longer, {
      status: 'error',
      failure: { code: 'EXPRESSION_ERROR', message: /a sequence or text that is too long/ },
    });
    t.notOk(longer.keeper.logs.some(({ step_id }) => step_id === 'note'));
  },
);

t.test('an item that fails ends the step, or is left out, or is kept', async (t) => {
  const body = '      - { id: check, kind: assert, check_expr: item != 1, message: "{{ item }} is bad" }\n';
  const more = '  - { id: after, kind: log, message: after }\n';
  const failed = await run(t.testdir(), each('in_expr: args.ids', body) + more);
  t.match(failed, { status: 'error', failure: { code: 'ASSERTION_FAILED', step_id: 'check' } });
  t.match(failed.steps, [{ rows_in: 2, rows_out: 1, rows_failed: 1 }, {}, { status: 'skipped' }]);

  const skipped = await run(t.testdir(), each('in_expr: args.ids\non_error: skip', body) + more);
  t.match(skipped, { status: 'warning', reason: 'item_errors', rows_failed: 1 });
  t.match(skipped.steps, [{ rows_in: 3, rows_out: 2, rows_failed: 1 }, {}, { status: 'success' }]);
  t.strictSame(skipped.keeper.letters, []);

  const kept = await run(t.testdir(), each('in_expr: args.ids\non_error: dead_letter', body));
  t.strictSame(kept.keeper.letters, [
    { step_id: 'each', code: 'ASSERTION_FAILED', message: '1 is bad', item: 1 },
  ]);

  const bounds = 'in_expr: args.ids\non_error: { action: skip, max_errors: 0 }';
  t.match(await run(t.testdir(), each(bounds, body)), { failure: { code: 'TOO_MANY_ITEM_ERRORS' } });
});

t.test('items for which `when` is false count as skipped', async (t) => {
  const { steps, status } = await run(t.testdir(), each('in_expr: args.ids\nwhen: item > 1', NOTE));
  t.equal(status, 'success');
  t.match(steps[0], { rows_in: 3, rows_out: 2, rows_skipped: 1 });
});

t.test('as many items at once as it says, begun in their order and no faster than its rate', async (t) => {
  const open = { now: 0, most: 0 };
  const drivers = driversWith('sqlite', (connection) => ({
    ...connection,
    call: async (...args) => {
      open.now++;
      open.most = Math.max(open.most, open.now);
      try {
        return await connection.call(...args);
      } finally {
        await new Promise((resolve) => setTimeout(resolve, 5));
        open.now--;
      }
    },
  }));
  const body = `      - { id: ask, kind: call, connector: target, method: query_one, args: { sql: "SELECT ? AS n", params: ["{{ item }}"] } }\n`;
  const method = body.replace('query_one', 'execute').replace('SELECT ? AS n', 'UPDATE x SET n = ?');
  const make =
    '  - { id: make, kind: call, connector: target, method: execute, args: { sql: "CREATE TABLE x (n)" } }\n';
  const outcome = await run(t.testdir(), make + each('in_expr: "[1..30]"\nconcurrency: 4', method), {
    drivers,
  });
  t.match(outcome, { status: 'success' }, JSON.stringify(outcome.failure));
  t.equal(open.most, 4);

  const from = performance.now();
  await run(t.testdir(), each('in_expr: "[1..5]"\nconcurrency: 5\nrate_limit: { limit: 20, per: 1s }', NOTE));
  t.ok(performance.now() - from >= 190, 'four waits of 50 ms');
});

t.test('what the last step of each item gave is a list, in the order of the items', async (t) => {
  const drivers = driversWith('sqlite', (connection) => ({
    ...connection,
    call: async (_method, args) => {
      const [n] = (args as { params: [number] }).params;
      await new Promise((resolve) => setTimeout(resolve, n * 20));
      return { n };
    },
  }));
  const body = `      - { id: ask, kind: call, connector: target, method: execute, args: { sql: "SELECT ?", params: ["{{ item }}"] } }\n`;
  const outputs = async (more: string, check: string) =>
    run(t.testdir(), each(`in_expr: args.ids\nconcurrency: 3${more}`, body) + check, { drivers });
  const check = (list: string) =>
    `  - { id: check, kind: assert, check_expr: "steps.each.output.n = ${list}", message: "{{ $string(steps.each.output) }}" }\n`;
  t.match(await outputs('', check('[3, 1, 2]')), { status: 'success' });
  t.match(await outputs('\nordered: false', check('[1, 2, 3]')), { status: 'success' });
});

t.test(
  'rows of a step are items as they come, and no more of them are held than a few batches',
  async (t) => {
    const rows = 40_000;
    const outcome = await run(
      t.testdir(),
      `  - { id: read, kind: extract, connector: source, method: list }\n${each(
        'input: read\nas: row\nconcurrency: 2',
        '      - { id: check, kind: assert, check_expr: row.id = index + 1 }\n',
      )}`,
      {},
      rows,
    );
    t.match(outcome, { status: 'success', failure: null });
    t.match(outcome.steps, [{ rows_out: rows }, { rows_in: rows, rows_out: rows }, { attempts: rows }]);
    t.equal(outcome.steps.length, 3);
    t.ok(outcome.keeper.logs.length < 20, 'and the log is short');
    t.ok(outcome.keeper.progress.length < 1_000);
  },
);

t.test('rows that fail keep what they are, and where they came from', async (t) => {
  const outcome = await run(
    t.testdir(),
    `  - { id: read, kind: extract, connector: source, method: list }\n${each(
      'input: read\non_error: dead_letter',
      '      - { id: check, kind: assert, check_expr: item.id != 2, message: no }\n',
    )}`,
    {},
    3,
  );
  t.match(outcome, { status: 'warning', rows_failed: 1 });
  t.match(outcome.keeper.letters, [{ step_id: 'each', item: { id: 2 }, origin: { record: 2 } }]);
});

t.test('a foreach over rows whose item fails ends in error, unless that may fail', async (t) => {
  const steps = (more: string) =>
    `  - { id: read, kind: extract, connector: source, method: list }\n${each(
      `input: read${more}`,
      '      - { id: check, kind: assert, check_expr: item.id != 2, message: no }\n',
    )}`;
  const outcome = await run(t.testdir(), steps(''), {}, 3);
  t.match(outcome, { status: 'error', failure: { step_id: 'check' } });
  t.match(outcome.steps[1], { step_id: 'each', status: 'error' });
  const allowed = await run(t.testdir(), steps('\nallow_failure: true'), {}, 3);
  t.match(allowed, { status: 'warning', failure: null });
  t.match(allowed.steps[1], { step_id: 'each', status: 'error' });
});

t.test('a stop inside ends the task, and a cancelled run begins no more items', async (t) => {
  const stop = '      - { id: enough, kind: stop, when: index = 1 }\n';
  const stopped = await run(
    t.testdir(),
    `${each('in_expr: args.ids', stop)}  - { id: after, kind: log, message: x }\n`,
  );
  t.match(stopped, { status: 'success' });
  t.match(stopped.steps, [{ rows_in: 2 }, {}, { status: 'skipped' }]);

  const control = new AbortController();
  setTimeout(() => control.abort(), 50);
  const wait = '      - { id: wait, kind: sleep, duration: 10s }\n';
  const cancelled = await run(t.testdir(), each('in_expr: args.ids', wait), { signal: control.signal });
  t.match(cancelled, { status: 'cancelled' });
  t.match(cancelled.steps, [
    { step_id: 'each', status: 'cancelled', rows_in: 1 },
    { step_id: 'wait', status: 'cancelled' },
  ]);

  const late = await run(t.testdir(), each('in_expr: args.ids\ntimeout: 0.05s', wait));
  t.match(late, { status: 'error', reason: 'timeout', failure: { code: 'TIMEOUT', step_id: 'each' } });
});

t.test('another attempt of the run appends no item a second time', async (t) => {
  const folder = t.testdir();
  const body = `      - { id: read, kind: extract, connector: source, method: list }
      - { id: write, kind: load, input: read, connector: target, object: items }
      - { id: check, kind: assert, check_expr: "item != 1 or run.attempt = 2" }
`;
  const attempt = (n: number) =>
    run(folder, each('in_expr: args.ids', body), { input: { run: { id: 7, attempt: n } } }, 10);
  t.match(await attempt(1), { status: 'error' });
  t.match(await attempt(2), { status: 'success', rows_out: 30 });
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT count(*) AS n FROM items'), [{ n: 30 }]);
});

t.test('a foreach inside a foreach reads the items of both', async (t) => {
  const inner = `      - id: inner
        kind: foreach
        in_expr: "[10, 20]"
        steps:
          - { id: note, kind: log, message: "{{ outer }} {{ item }} {{ index }}" }
`;
  const outcome = await run(t.testdir(), each('in_expr: args.ids\nas: outer', inner));
  t.strictSame(
    outcome.keeper.logs.filter((line) => line.step_id === 'note').map(({ message }) => message),
    ['3 10 0', '3 20 1', '1 10 0', '1 20 1', '2 10 0', '2 20 1'],
  );
  t.match(outcome.steps, [{ rows_in: 3 }, { step_id: 'inner', rows_in: 6, attempts: 3 }, { attempts: 6 }]);
});

t.test('a thousand small items take less than two seconds', async (t) => {
  const make =
    '  - { id: make, kind: call, connector: target, method: execute, args: { sql: "CREATE TABLE x (n)" } }\n';
  const body = `      - { id: put, kind: call, connector: target, method: execute, args: { sql: "DELETE FROM x WHERE n = ?", params: ["{{ item }}"] } }
      - { id: even, kind: branch, cases: [{ when: item % 2 = 0, steps: [{ id: a, kind: assert, check_expr: item > 0 }] }] }
`;
  const before = process.cpuUsage();
  const outcome = await run(t.testdir(), make + each('in_expr: "[1..1000]"', body));
  const { user, system } = process.cpuUsage(before);
  t.match(outcome, { status: 'success', failure: null });
  t.ok((user + system) / 1_000 < 2_000, `${(user + system) / 1_000} ms of CPU`);
});
