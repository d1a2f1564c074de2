import { join } from 'node:path';
import t from 'tap';
import type { RunInput } from '../../src/engine/run.ts';
import { type Connectors, createKeeper, type Keeper, rowsOf, runYaml } from './support/task-run.ts';

const CSV = 'id,amount\n1,10\n2,x\n';

const task = (rest: string, before = '') => `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: sqlite} }
steps:
${before}
  - id: read
    kind: extract
    connector: source
    method: read
    args: { typed: false }
    cursor: { field: id, type: integer, initial: 0 }
  - id: shape
    kind: transform
    input: read
    ops: [ { cast: { id: integer, amount: number } } ]
    on_error: { action: dead_letter, max_error_rate: 0.1, max_errors: 0 }
${rest}`;

const WRITE = `
  - id: write
    kind: load
    input: shape
    connector: target
    object: people
    mode: upsert
    key: [id]
    on_error: { action: dead_letter }`;

function connectorsOf(): Connectors {
  return {
    source: { type: 'csv', config: { path: 'in.csv' } },
    target: { type: 'sqlite', config: { path: 'out.db' } },
  };
}

/** A keeper whose replay has these rows; the first letter is 11. */
function keeping(...items: unknown[]): Keeper {
  const keeper = createKeeper();
  keeper.replayed.push(...items.map((item, index) => ({ letter_id: 11 + index, item })));
  return keeper;
}

const replayOf = (stepId: string, letters: number): Partial<RunInput> => ({
  run: { id: 8, attempt: 1 },
  replay: { step_id: stepId, letters },
});

t.test(
  'rows go to the step that refused them; what is before it does not run, what follows does',
  async (t) => {
    const folder = t.testdir({ 'in.csv': CSV });
    const yaml = task(
      `${WRITE}
  - { id: check, kind: assert, check_expr: "steps.write.count = 3" }
  - { id: share, kind: log, message: "{{ steps.write.count / steps.read.count }}" }
  - { id: say, kind: log, needs: [check], message: "wrote {{ steps.write.count }}" }`,
      '  - { id: begin, kind: log, message: "prepared" }',
    );
    const keeper = keeping(
      { id: '2', amount: '20' },
      { id: '3', amount: 'y' },
      { id: 4, amount: 1 },
      {
        id: '5',
        amount: '50',
      },
    );
    const outcome = await runYaml({
      folder,
      yaml,
      connectors: connectorsOf(),
      keeper,
      input: replayOf('shape', 4),
    });
    t.match(outcome, {
      status: 'warning',
      reason: 'item_errors',
      failure: null,
      rows_in: 4,
      rows_out: 3,
      rows_failed: 1,
    });
    t.same(rowsOf(join(folder, 'out.db'), 'select id, amount from people order by id'), [
      { id: 2, amount: 20 },
      { id: 4, amount: 1 },
      { id: 5, amount: 50 },
    ]);
    t.match(keeper.letters, [{ step_id: 'shape', item: { id: '3', amount: 'y' }, replay_of: 12 }]);
    t.equal(keeper.letters.length, 1);
    t.equal(keeper.checkpoints.size, 0, 'no cursor was read or moved');
    const said = keeper.logs.map((line) => line.message);
    t.ok(said.includes('wrote 3'));
    t.notOk(said.includes('prepared'));
    const statusOf = (id: string) => outcome.steps.find((step) => step.step_id === id)?.status;
    t.same(
      ['begin', 'read', 'shape', 'write', 'check', 'share', 'say'].map(statusOf),
      ['skipped', 'skipped', 'warning', 'success', 'success', 'skipped', 'success'],
      'a step that reads the result of one that did not run is left out',
    );
  },
);

t.test(
  'rows that a load refused go to the load alone, and keep their letter through every step',
  async (t) => {
    const folder = t.testdir({ 'in.csv': CSV });
    const yaml = task(WRITE);
    const connectors = connectorsOf();
    await runYaml({
      folder,
      yaml: yaml.replace('max_error_rate: 0.1, max_errors: 0', 'max_errors: 1'),
      connectors,
    });
    const rows = () => rowsOf(join(folder, 'out.db'), 'select id, amount from people order by id');
    t.same(rows(), [{ id: 1, amount: 10 }]);
    const load = keeping({ id: 7, amount: 70 }, { id: 'no number', amount: 1, other: true });
    const loaded = await runYaml({ folder, yaml, connectors, keeper: load, input: replayOf('write', 2) });
    t.match(loaded, { status: 'warning', rows_in: 2, rows_out: 1 });
    t.match(load.letters, [{ step_id: 'write', replay_of: 12 }]);
    t.same(rows(), [
      { id: 1, amount: 10 },
      { id: 7, amount: 70 },
    ]);
    const through = keeping({ id: '8', amount: '80' }, { id: '9', amount: '90', extra: '1' });
    const passed = await runYaml({ folder, yaml, connectors, keeper: through, input: replayOf('shape', 2) });
    t.equal(passed.rows_in, 2);
    t.same(rows().length + through.letters.length, 4);
    for (const letter of through.letters) t.match(letter, { step_id: 'write', replay_of: 12 });
  },
);

t.test(
  'rows that malformed records were corrected to go on from their extract, which reads nothing',
  async (t) => {
    const folder = t.testdir({ 'in.csv': CSV });
    const keeper = keeping({ id: '8', amount: '80' }, { id: '9', amount: 'z' });
    const run = { folder, yaml: task(WRITE), connectors: connectorsOf(), keeper };
    const outcome = await runYaml({ ...run, input: replayOf('read', 2) });
    t.match(outcome, { status: 'warning', failure: null, rows_in: 2, rows_out: 1, rows_failed: 1 });
    t.same(rowsOf(join(folder, 'out.db'), 'select id, amount from people'), [{ id: 8, amount: 80 }]);
    t.match(keeper.letters, [{ step_id: 'shape', item: { id: '9' }, replay_of: 12 }]);
    t.equal(keeper.checkpoints.size, 0, 'no cursor was read or moved');
  },
);

t.test('a foreach that makes its list itself is not replayed, which would do all of it again', async (t) => {
  const each = (source: string) => `
  - id: each
    kind: foreach
    ${source}
    as: one
    on_error: dead_letter
    steps: [{ id: say, kind: log, message: "{{ one }}" }]`;
  const run = async (source: string) =>
    runYaml({
      folder: t.testdir({ 'in.csv': CSV }),
      yaml: task(each(source)),
      connectors: connectorsOf(),
      keeper: keeping({ id: 2, amount: 3 }),
      input: replayOf('each', 1),
    });
  t.match(await run('in_expr: "[1, 2]"'), { failure: { message: /"each".*computes its own list/ } });
  t.match(await run('input: shape'), { status: 'success', rows_in: 1 });
});

t.test('a replay that cannot be right does nothing at all', async (t) => {
  const folder = t.testdir({ 'in.csv': CSV });
  const connectors = connectorsOf();
  const refused = async (yaml: string, stepId: string, message: RegExp) => {
    const keeper = keeping({ id: '2', amount: '20' });
    const outcome = await runYaml({ folder, yaml, connectors, keeper, input: replayOf(stepId, 1) });
    t.match(outcome, { status: 'error', reason: 'config_error', failure: { message }, retryable: false });
  };
  const replace = WRITE.replace('mode: upsert\n    key: [id]', 'mode: replace');
  await refused(task(replace), 'shape', /"write" of the task "people" has the mode "replace"/);
  await refused(task(replace), 'write', /mode "replace"/);
  await refused(task(WRITE), 'gone', /has no step "gone"/);
  await refused(
    task(WRITE, '  - { id: rate, kind: log, message: "1" }'),
    'rate',
    /processes no rows: it is a log/,
  );
  const reading = task(WRITE, '  - { id: rate, kind: log, message: "1" }').replace(
    '{ cast: { id',
    '{ set: { r: "steps.rate.count" } }, { cast: { id',
  );
  await refused(reading, 'shape', /uses "steps\.rate", which a replay does not run/);
  t.throws(() => rowsOf(join(folder, 'out.db'), 'select * from people'));
});

t.test(
  'a replay of which rows are missing is not taken for done; one that is tried again loads once',
  async (t) => {
    const folder = t.testdir({ 'in.csv': CSV });
    const connectors = connectorsOf();
    const yaml = task(WRITE.replace('mode: upsert\n    key: [id]', 'mode: append'));
    const few = keeping({ id: '2', amount: '20' });
    const input = replayOf('shape', 2);
    t.match(await runYaml({ folder, yaml, connectors, keeper: few, input }), {
      status: 'error',
      failure: { code: 'REPLAY_INCOMPLETE' },
    });
    t.throws(() => rowsOf(join(folder, 'out.db'), 'select * from people'));
    const all = keeping({ id: '2', amount: '20' }, { id: '3', amount: '30' });
    t.match(await runYaml({ folder, yaml, connectors, keeper: all, input }), {
      status: 'success',
      rows_out: 2,
    });
    const again = { ...input, run: { id: 8, attempt: 2 } };
    t.match(await runYaml({ folder, yaml, connectors, keeper: all, input: again }), { status: 'success' });
    t.equal(
      rowsOf(join(folder, 'out.db'), 'select * from people').length,
      2,
      'the second attempt appends nothing',
    );
  },
);
