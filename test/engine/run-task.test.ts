import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { allDrivers } from '../support/all-drivers.ts';
import { createKeeper, rowsOf, runYaml } from './support/task-run.ts';

const PEOPLE = 'id,name,amount,day\n1,Ann,1.5,2024-01-01\n2,Bob,x,2024-01-02\n3,Cy,7,2024-01-03\n4,Di,8,32\n';

t.test(
  'a whole task: rows pass from file to table, the bad ones to the dead letters as the step saw them',
  async (t) => {
    const folder = t.testdir({ 'in.csv': PEOPLE });
    const yaml = `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: sqlite} }
args: { factor: {type: number, default: 2} }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: {typed: false} }
  - id: shape
    kind: transform
    input: read
    ops:
      - set: { twice: "$number(item.amount) * args.factor" }
      - cast: { id: integer, amount: number, day: date }
    on_error: { action: dead_letter }
  - { id: write, kind: load, input: shape, connector: target, object: people }
  - { id: enough, kind: assert, check_expr: "steps.write.count = 2 and steps.shape.status = 'warning'" }
  - { id: say, kind: log, message: "wrote {{ steps.write.count }} rows" }
`;
    const connectors = {
      source: { type: 'csv', config: { path: 'in.csv' } },
      target: { type: 'sqlite', config: { path: 'out.db' } },
    };
    const { keeper, ...outcome } = await runYaml({ folder, yaml, connectors });
    t.match(outcome, {
      status: 'warning',
      reason: 'item_errors',
      failure: null,
      rows_in: 4,
      rows_out: 2,
      rows_failed: 2,
    });
    t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT * FROM people ORDER BY id'), [
      { id: 1, name: 'Ann', amount: 1.5, day: '2024-01-01', twice: 3 },
      { id: 3, name: 'Cy', amount: 7, day: '2024-01-03', twice: 14 },
    ]);
    t.strictSame(
      keeper.letters.map(({ step_id, item, code }) => ({ step_id, item, code })),
      [
        {
          step_id: 'shape',
          item: { id: '2', name: 'Bob', amount: 'x', day: '2024-01-02' },
          code: 'EXPRESSION_ERROR',
        },
        { step_id: 'shape', item: { id: '4', name: 'Di', amount: '8', day: '32' }, code: 'CAST_ERROR' },
      ],
    );
    t.ok(keeper.logs.some((line) => line.message === 'wrote 2 rows'));
    const metric = (name: string) => keeper.metrics.find((found) => found.name === name)?.value;
    t.equal(metric('task.items_out'), 2);
    t.ok((metric('connector.calls') ?? 0) > 0);
  },
);

t.test('what cannot run is told at once, all of it, before anything happens', async (t) => {
  const folder = t.testdir({ 'in.csv': PEOPLE });
  const yaml = `
version: 1
name: wrong
connectors: { source: {type: csv}, target: {type: sqlite}, other: {type: sqlite} }
args: { n: {type: integer, required: true} }
steps:
  - { id: read, kind: extract, connector: source, method: nothing }
  - { id: again, kind: extract, connector: source, method: read, args: { path: in.csv } }
  - { id: shape, kind: transform, input: read, ops: [ { mapping: fields } ] }
  - { id: write, kind: load, input: shape, connector: target, object: people, when: "steps.read.count > 0" }
`;
  const connectors = {
    source: { type: 'csv', config: { path: 'in.csv' } },
    target: { type: 'postgres', config: {} },
  };
  const outcome = await runYaml({
    folder,
    yaml,
    connectors,
    input: {
      args: { extra: 1 },
      jobConfig: { fields: [{ source_field: 'a', target_field: 'b', transform: '1 +' }] },
    },
  });
  t.match(outcome, { status: 'error', reason: 'config_error', retryable: false, steps: [] });
  const { code, message } = outcome.failure ?? { code: '', message: '' };
  t.equal(code, 'VALIDATION_ERROR');
  for (const part of [
    '"nothing"',
    'The step "again": "read" has no argument "path"; there are file, ',
    '"saved target"',
    '"other"',
    '"n" is missing',
    '"extra"',
    'transform of "b"',
    '"steps.read"',
  ]) {
    t.ok(message.includes(part), `${part} in: ${message}`);
  }
});

t.test('a step whose condition is false is skipped with those it feeds, and the others go on', async (t) => {
  const folder = t.testdir({ 'in.csv': PEOPLE });
  const yaml = `
version: 1
name: conditions
connectors: { source: {type: csv}, target: {type: sqlite}, other: {type: sqlite} }
args: { full: {type: boolean, default: false} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: shape, kind: transform, input: read, when: args.full, ops: [ { drop: [day] } ] }
  - { id: all, kind: load, input: shape, connector: other, object: all_people }
  - { id: some, kind: load, input: read, connector: target, object: some_people, when: "item.id >= 3" }
  - { id: say, kind: log, message: done }
`;
  const connectors = {
    source: { type: 'csv', config: { path: 'in.csv' } },
    target: { type: 'sqlite', config: { path: 'out.db' } },
    other: { type: 'sqlite', config: { path: 'other.db' } },
  };
  const outcome = await runYaml({ folder, yaml, connectors });
  t.equal(outcome.status, 'success');
  const statuses = outcome.steps.map(({ step_id, status, rows_skipped }) => [step_id, status, rows_skipped]);
  t.strictSame(statuses, [
    ['read', 'success', 0],
    ['shape', 'skipped', 0],
    ['all', 'skipped', 0],
    ['some', 'success', 2],
    ['say', 'success', 0],
  ]);
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT id FROM some_people'), [{ id: 3 }, { id: 4 }]);
});

t.test('an assert of severity warn makes the run a warning, one of severity error fails it', async (t) => {
  const yaml = (severity: string) => `
version: 1
name: asserts
connectors: { source: {type: dummy} }
steps:
  - { id: ask, kind: call, connector: source, method: echo, args: { value: [1, 2] } }
  - { id: check, kind: assert, check_expr: "$sum(steps.ask.output) = 4", severity: ${severity}, message: "{{ steps.ask.count }} are not 4" }
  - { id: after, kind: log, message: after }
`;
  const run = { folder: t.testdir(), connectors: { source: { type: 'dummy', config: {} } } };
  const warned = await runYaml({ ...run, yaml: yaml('warn') });
  t.match(warned, { status: 'warning', failure: null });
  t.ok(warned.keeper.logs.some((line) => line.message === 'after'));
  const failed = await runYaml({ ...run, yaml: yaml('error') });
  t.match(failed, {
    status: 'error',
    retryable: false,
    failure: { code: 'ASSERTION_FAILED', step_id: 'check' },
  });
  t.equal(failed.failure?.message, '2 are not 4');
  t.notOk(failed.keeper.logs.some((line) => line.message === 'after'));
});

t.test('an append that an earlier attempt has committed is not loaded again', async (t) => {
  const folder = t.testdir({ 'in.csv': PEOPLE });
  const yaml = `
version: 1
name: again
connectors: { source: {type: csv}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: people }
`;
  const connectors = {
    source: { type: 'csv', config: { path: 'in.csv' } },
    target: { type: 'sqlite', config: { path: 'out.db' } },
  };
  const first = await runYaml({ folder, yaml, connectors });
  const second = await runYaml({ folder, yaml, connectors, input: { run: { id: 7, attempt: 2 } } });
  t.match(
    [first, second],
    [
      { status: 'success', rows_out: 4 },
      { status: 'success', rows_out: 4, rows_in: 0 },
    ],
  );
  t.ok(second.keeper.logs.some((line) => line.message.includes('already')));
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT count(*) AS n FROM people'), [{ n: 4 }]);
  const rerun = await runYaml({
    folder,
    yaml,
    connectors,
    input: { run: { id: 9, attempt: 1, first_id: 7 } },
  });
  t.match(rerun, { status: 'success', rows_out: 4, rows_in: 0 }, 'nor by a rerun of the failed run');
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT count(*) AS n FROM people'), [{ n: 4 }]);
  const other = await runYaml({ folder, yaml, connectors, input: { run: { id: 8, attempt: 1 } } });
  t.equal(other.rows_out, 4);
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT count(*) AS n FROM people'), [{ n: 8 }]);
});

t.test('a replace without rows keeps the rows that are there, and says so', async (t) => {
  const folder = t.testdir({ 'in.csv': PEOPLE });
  const yaml = (filter: string, allow: boolean) => `
version: 1
name: replacing
connectors: { source: {type: csv}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: shape, kind: transform, input: read, ops: [ { filter: "${filter}" } ] }
  - { id: write, kind: load, input: shape, connector: target, object: people, mode: replace, allow_empty: ${allow} }
`;
  const connectors = {
    source: { type: 'csv', config: { path: 'in.csv' } },
    target: { type: 'sqlite', config: { path: 'out.db' } },
  };
  const count = () => rowsOf(join(folder, 'out.db'), 'SELECT count(*) AS n FROM people')[0]?.['n'];
  await runYaml({ folder, connectors, yaml: yaml('true', false) });
  t.equal(count(), 4);
  const keeper = createKeeper();
  await runYaml({ folder, connectors, yaml: yaml('false', false), keeper });
  t.equal(count(), 4);
  t.ok(keeper.logs.some((line) => line.level === 'warn' && line.message.includes('keeps')));
  await runYaml({ folder, connectors, yaml: yaml('false', true) });
  t.equal(count(), 0);
});

t.test('rows can feed several loads; those that would wait for each other are refused', async (t) => {
  const folder = t.testdir({ 'in.csv': PEOPLE });
  const yaml = `
version: 1
name: tee
connectors: { source: {type: csv}, one: {type: sqlite}, two: {type: sqlite}, files: {type: json} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: shape, kind: transform, input: read, ops: [ { drop: [day] } ] }
  - { id: first, kind: load, input: read, connector: one, object: people }
  - { id: second, kind: load, input: shape, connector: two, object: people }
`;
  const connectors = {
    source: { type: 'csv', config: { path: 'in.csv' } },
    one: { type: 'sqlite', config: { path: 'one.db' } },
    two: { type: 'sqlite', config: { path: 'two.db' } },
    files: { type: 'json', config: { path: '.' } },
  };
  const drivers = allDrivers;
  const exclusive = {
    get: (type: string) => {
      const driver = drivers.get(type);
      return driver && { ...driver, capabilities: { ...driver.capabilities, oneLoadAtOnce: true } };
    },
  };
  t.match(await runYaml({ folder, yaml, connectors, drivers: exclusive }), {
    status: 'success',
    rows_out: 8,
  });
  t.equal(Object.keys(rowsOf(join(folder, 'one.db'), 'SELECT * FROM people')[0] ?? {}).length, 4);
  t.equal(Object.keys(rowsOf(join(folder, 'two.db'), 'SELECT * FROM people')[0] ?? {}).length, 3);
  const same = yaml.replace('connector: two', 'connector: one');
  const refused = await runYaml({ folder, yaml: same, connectors, drivers: exclusive });
  t.match(refused, { status: 'error', reason: 'config_error' });
  t.match(refused.failure?.message, /"first" and "second".*one load at a time/);
});

t.test(
  'loads of the same rows into one file by two connectors are refused, and never wait for each other',
  async (t) => {
    const folder = t.testdir({ 'in.csv': PEOPLE });
    const connectors = {
      source: { type: 'csv', config: { path: 'in.csv' } },
      one: { type: 'sqlite', config: { path: 'one.db' } },
      other: { type: 'sqlite', config: { path: join(folder, 'one.db') } },
    };
    const head = `
version: 1
name: tee
connectors: { source: {type: csv}, one: {type: sqlite}, other: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: first, kind: load, input: read, connector: one, object: people }
`;
    const beside = '  - { id: second, kind: load, input: read, connector: other, object: others }\n';
    const inside = `  - id: each
    kind: foreach
    input: read
    steps:
      - { id: again, kind: extract, connector: source, method: read }
${beside.replace('  - ', '      - ').replace('input: read', 'input: again')}`;
    for (const steps of [beside, inside]) {
      const ended = await runYaml({ folder, yaml: head + steps, connectors });
      t.match(ended, { status: 'error', reason: 'config_error' });
      t.match(ended.failure?.message, /"first" and "second" load the same rows into "one\.db"/);
      t.same(rowsOf(join(folder, 'one.db'), "SELECT name FROM sqlite_master WHERE name = 'people'"), []);
    }
    const after = `  - { id: again, kind: extract, connector: source, method: read }\n${beside.replace('input: read', 'input: again')}`;
    t.match(await runYaml({ folder, yaml: head + after, connectors }), { status: 'success' });
  },
);

t.test('a task whose metrics name nothing but noop is not measured', async (t) => {
  const folder = t.testdir({ 'in.csv': PEOPLE });
  const yaml = (metrics: string) => `
version: 1
name: measured
connectors: { source: {type: csv} }
${metrics}
steps:
  - { id: read, kind: extract, connector: source, method: read }
`;
  const connectors = { source: { type: 'csv', config: { path: 'in.csv' } } };
  const measured = await runYaml({ folder, yaml: yaml(''), connectors });
  const silent = await runYaml({ folder, yaml: yaml('metrics: [{ backend: noop }]'), connectors });
  t.ok(measured.keeper.metrics.length > 0);
  t.same(silent.keeper.metrics, []);
});

const stopping = (stop: string) => `
version: 1
name: stopping
steps:
  - { id: first, kind: log, message: first }
  - { id: pause, kind: sleep, duration: 0.01s }
  - { id: enough, kind: stop, ${stop} }
  - { id: last, kind: log, message: last }
`;

t.test('a stop ends the task as it says, and the steps after it do not run', async (t) => {
  const run = async (stop: string) => {
    const { keeper, ...outcome } = await runYaml({
      folder: t.testdir(),
      yaml: stopping(stop),
      connectors: {},
    });
    return { outcome, messages: keeper.logs.map(({ message }) => message) };
  };
  const stopped = await run('message: "{{ steps.first.status }}, that is enough"');
  t.match(stopped.outcome, { status: 'success', failure: null });
  t.same(
    stopped.outcome.steps.map(({ step_id, status }) => `${step_id} ${status}`),
    ['first success', 'pause success', 'enough success', 'last skipped'],
  );
  t.ok(stopped.messages.includes('success, that is enough'));
  t.notOk(stopped.messages.includes('last'));

  const passed = await run('when: false');
  t.match(passed.outcome, { status: 'success' });
  t.ok(passed.messages.includes('last'));

  const warned = await run('status: warning');
  t.match(warned.outcome, { status: 'warning', reason: 'task_error' });
  t.notOk(warned.messages.includes('last'));

  const failed = await run('status: error, message: no');
  t.match(failed.outcome, {
    status: 'error',
    reason: 'task_error',
    failure: { code: 'STOPPED', message: 'no', step_id: 'enough' },
  });
  t.notOk(failed.messages.includes('last'));

  const allowed = await run('status: error, allow_failure: true');
  t.match(allowed.outcome, { status: 'warning' });
  t.notOk(allowed.messages.includes('last'), 'a failure that is allowed is the end all the same');
});

t.test('a run that is cancelled does not sleep to its end', async (t) => {
  const yaml = stopping('when: false').replace('0.01s', '1d');
  const signal = AbortSignal.timeout(50);
  const outcome = await runYaml({ folder: t.testdir(), yaml, connectors: {}, signal });
  t.equal(outcome.status, 'cancelled');
});

t.test('rows that insert_only leaves alone count as skipped', async (t) => {
  const folder = t.testdir({ 'in.csv': 'id,name\n1,Ann\n2,Bob\n2,Bert\n' });
  const yaml = `
version: 1
name: events
connectors: { source: {type: csv}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: events, mode: insert_only, key: [id] }
`;
  const connectors = {
    source: { type: 'csv', config: { path: 'in.csv' } },
    target: { type: 'sqlite', config: { path: 'out.db' } },
  };
  const first = await runYaml({ folder, yaml, connectors });
  t.match(first, { status: 'success', rows_in: 3, rows_out: 2, rows_skipped: 1 });
  writeFileSync(join(folder, 'in.csv'), 'id,name\n1,Anna\n3,Cy\n');
  const second = await runYaml({ folder, yaml, connectors });
  t.match(second, { rows_in: 2, rows_out: 1, rows_skipped: 1 });
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT name FROM events ORDER BY id'), [
    { name: 'Ann' },
    { name: 'Bob' },
    { name: 'Cy' },
  ]);
});
