import { join } from 'node:path';
import t from 'tap';
import { ITEMS_RECORDED_MAX } from '../../../src/engine/steps/control/fan-out.ts';
import { FAN_OUT_ITEMS_MAX } from '../../../src/engine/steps/control/fan-out-items.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { fanOut } from '../../../src/language/template/fan-out.ts';
import { createKeeper, rowsOf, runYaml, type TaskRun } from '../support/task-run.ts';

const COPY = `
name: copy_shop
connectors: { from: {type: dummy}, to: {type: sqlite} }
args: { shop: { type: string, required: true }, keep: { type: integer, default: 100 } }
steps:
  - { id: read, kind: extract, connector: from, method: list, cursor: { field: id, type: integer, initial: 0 } }
  - { id: some, kind: transform, input: read, ops: [{ filter: "item.id <= args.keep" }, { set: { shop: args.shop } }] }
  - { id: write, kind: load, input: some, connector: to, object: orders }
  - { id: fit, kind: assert, check_expr: "args.shop != 'closed'", message: "The shop is closed" }
outputs: { rows: "{{ steps.write.count }}", shop: "{{ args.shop }}" }
`;

interface Given extends Partial<Omit<TaskRun, 'input' | 'yaml'>> {
  readonly yaml?: string;
  readonly items: string;
  readonly concurrency?: number;
  readonly template?: unknown;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly runId?: number;
}

function run(folder: string, given: Given) {
  const { yaml = COPY, items, concurrency = 1, args = {}, runId = 7, ...more } = given;
  const { template = { shop: '{{ item }}' } } = given;
  const connectors = {
    from: { type: 'dummy', config: { generate: { count: 4, columns: ['id'] } } },
    to: { type: 'sqlite', config: { path: 'out.db' } },
  };
  const own = parseTask(yaml);
  if (!own.ok) throw new Error(own.problems[0]?.message);
  const parsed = fanOut(own.task, { foreach: { items_expr: items, concurrency }, template, args });
  const input = {
    parsed,
    args,
    tasks: { [own.task.name]: own },
    run: { id: runId, attempt: 1, task_key: 'shops' },
  };
  return runYaml({ folder, yaml, connectors, input, ...more });
}

const linesOf = ({ steps }: Awaited<ReturnType<typeof run>>) =>
  steps.map(({ step_id, status, rows_in, rows_out }) => [step_id, status, rows_in, rows_out]);

t.test('the task runs for each item, with its arguments, and sums are told', async (t) => {
  const folder = t.testdir();
  const outcome = await run(folder, {
    items: 'args.shops',
    args: { shops: ['nord', 'sued'], none: null },
    template: { shop: '{{ item }}', keep: '{{ index + 1 }}' },
  });
  t.match(outcome, { status: 'success', failure: null, rows_in: 8, rows_out: 3, rows_filtered: 5 });
  t.strictSame(outcome.outputs, { rows: 3, shop: null }, 'numbers are added up');
  t.strictSame(linesOf(outcome), [
    ['items', 'success', 2, 2],
    ['item', 'success', 8, 3],
    ['item/read', 'success', 8, 8],
    ['item/some', 'success', 8, 3],
    ['item/write', 'success', 3, 3],
    ['item/fit', 'success', 0, 0],
    ['item[nord]', 'success', 4, 1],
    ['item[sued]', 'success', 4, 2],
  ]);
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT id, shop FROM orders ORDER BY shop, id'), [
    { id: 1, shop: 'nord' },
    { id: 1, shop: 'sued' },
    { id: 2, shop: 'sued' },
  ]);
  const told = outcome.keeper.logs.filter(({ step_id }) => step_id === 'items').map((line) => line.message);
  t.match(told, [
    /foreach started/,
    /^Item 0 \(nord\) ended: success, 1 rows/,
    /^Item 1 \(sued\) ended/,
    /ended/,
  ]);
  t.match(outcome.keeper.progress.filter(({ step_id }) => step_id === 'items').at(1), { ratio: 1 });
  t.notOk(
    outcome.keeper.metrics.some(({ tags }) => tags['step']?.includes('[')),
    'no metric by item',
  );
});

t.test('a cursor is kept for each item', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  const shops = (...names: string[]) => ({ items: 'args.shops', args: { shops: names }, keeper });
  t.match(await run(folder, shops('a', 'b')), { status: 'success', rows_out: 8 });
  const kept = [...keeper.checkpoints.keys()].filter((name) => !name.endsWith('.pending'));
  t.strictSame(kept, ['item[a]/read', 'item[b]/read']);
  t.match(await run(folder, { ...shops('b', 'c', 'a'), runId: 8 }), { rows_out: 4 }, 'the new item alone');
  const twice = await run(folder, shops('a', 'b', 'a'));
  t.match(twice, { status: 'error', reason: 'config_error', retryable: false });
  t.match(
    twice.failure?.message,
    /^"tasks.shops.foreach_expr" gives the items 0 and 2 with the same key "a"/,
  );
});

t.test('items at once load into one target', async (t) => {
  const folder = t.testdir();
  const shops = Array.from({ length: 20 }, (_, index) => `shop ${index}`);
  const outcome = await run(folder, { items: 'args.shops', args: { shops }, concurrency: 8 });
  t.match(outcome, { status: 'success', failure: null, rows_out: 80 });
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT count(*) AS n FROM orders'), [{ n: 80 }]);
});

t.test('all items are attempted, and the run says how many failed, which, and why', async (t) => {
  for (const concurrency of [1, 3]) {
    const outcome = await run(t.testdir(), {
      items: 'args.shops',
      concurrency,
      template: { shop: '{{ item.name }}' },
      yaml: COPY.replace(/ {2}- \{ id: write.*\n/, '').replace(/outputs.*\n/, ''),
      args: {
        shops: [{ name: 'closed', id: 7 }, { name: 'b' }, { name: 'closed', key: 'x y' }, { name: 'd' }],
      },
    });
    t.match(outcome, { status: 'error', reason: 'task_error', retryable: false });
    t.strictSame(outcome.failure, {
      code: 'ITEMS_FAILED',
      message:
        '2 of 4 items failed: 0 (7), 2 (x y). The first: The task "copy_shop" failed in its step "fit": The shop is closed',
      step_id: 'item/fit',
    });
    t.strictSame(
      linesOf(outcome)
        .slice(-4)
        .map(([id, status]) => [id, status])
        .sort(),
      [
        ['item[7]', 'error'],
        ['item[b]', 'success'],
        ['item[d]', 'success'],
        ['item[x y]', 'error'],
      ],
    );
    t.match(outcome.steps.at(-4), { status: 'error', error: /The shop is closed/, kind: 'item' }, 'first');
  }
});

t.test('over nothing it succeeds; over what is no list, or too many, it fails before anything', async (t) => {
  for (const [items, args] of [
    ['args.shops', { shops: [] }],
    ['args.shops', { shops: null }],
    ['args.shops[open]', { shops: [{ open: false }] }],
    ['job_config.shops', {}],
  ] as const) {
    const outcome = await run(t.testdir(), { items, args });
    t.match(outcome, { status: 'success', rows_in: 0, failure: null }, items);
    t.strictSame(linesOf(outcome)[0], ['items', 'success', 0, 0]);
  }
  const one = {
    items: 'args.shops[open].name',
    args: { shops: [{ open: true, name: 'a' }, { open: false }] },
  };
  t.match(await run(t.testdir(), one), { status: 'success', rows_out: 4 }, 'a list of one');
  for (const [value, type] of [
    ['nord', 'a string'],
    [{ a: 1 }, 'an object'],
    [7, 'a number'],
  ] as const) {
    const outcome = await run(t.testdir(), { items: 'args.shops', args: { shops: value } });
    t.match(outcome.failure?.message, `"tasks.shops.foreach_expr" must give a list, not ${type}: args.shops`);
    t.match(outcome, { status: 'error', reason: 'config_error', rows_in: 0 });
  }
  const million = await run(t.testdir(), { items: '[1..1000000]' });
  t.match(million.failure?.message, /gives 1,000,000 items; a run has at most 10,000$/);
});

t.test('items that fail on their arguments alone fail alone', async (t) => {
  const outcome = await run(t.testdir(), {
    items: 'args.shops',
    args: { shops: ['a', 1, 'c'] },
    template: { shop: '{{ $substring(item, 0, 1) }}' },
  });
  t.match(outcome.failure, { code: 'ITEMS_FAILED', message: /^1 of 3 items failed: 1 \(1\)\. The first: / });
  t.equal(outcome.rows_out, 8);
});

t.test('a cancel ends the items under way, and no more begin', async (t) => {
  const control = new AbortController();
  const yaml = `
name: wait
steps:
  - { id: wait, kind: sleep, duration: 30s }
`;
  const ends = run(t.testdir(), {
    yaml,
    items: '[1..10]',
    concurrency: 2,
    template: {},
    signal: control.signal,
  });
  setTimeout(() => control.abort(), 100);
  const outcome = await ends;
  t.match(outcome, { status: 'cancelled', reason: 'user' });
  const items = outcome.steps.filter(({ kind }) => kind === 'item');
  t.strictSame(
    items.map(({ status }) => status),
    ['cancelled', 'cancelled'],
  );
});

t.test('a thousand items are quick, and the record names a bounded number of them', async (t) => {
  const yaml =
    'name: quick\nargs: { n: { type: integer } }\nsteps:\n  - { id: ok, kind: assert, check_expr: "args.n != 1499" }\n';
  const from = performance.now();
  const outcome = await run(t.testdir(), {
    ...{ yaml, items: '[0..1499]', concurrency: 8, template: { n: '{{ item }}' } },
  });
  t.ok(performance.now() - from < 10_000);
  t.match(outcome.failure?.message, /^1 of 1,500 items failed: 1499 \(1499\)/);
  const items = outcome.steps.filter(({ kind }) => kind === 'item');
  t.equal(items.length, ITEMS_RECORDED_MAX);
  t.match(items[0], { step_id: 'item[1499]', status: 'error' });
  t.ok(FAN_OUT_ITEMS_MAX >= 1_500);
});
