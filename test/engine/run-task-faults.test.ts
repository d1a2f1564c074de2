import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import type { Batch } from '../../src/drivers/driver.ts';
import { createKeeper, driversWith, flaky, rowsOf, runYaml } from './support/task-run.ts';

const COPY = `
version: 1
name: copy
connectors: { source: {type: dummy}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: list, retry: {max_attempts: 3, delay: 0.01s} }
  - { id: write, kind: load, input: read, connector: target, object: items, on_error: { action: dead_letter } }
`;
const TARGET = { type: 'sqlite', config: { path: 'out.db' } };

function source(config: Record<string, unknown>) {
  return { source: { type: 'dummy', config }, target: TARGET };
}

/** A table with three rows, so that one can see that they stay. */
function seeded(folder: string): string {
  const file = join(folder, 'out.db');
  const db = new DatabaseSync(file);
  db.exec(
    `CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT CHECK (name <> 'name 700')); INSERT INTO items VALUES (-1,'a'),(-2,'b'),(-3,'c')`,
  );
  db.close();
  return file;
}

t.test(
  'one row that the target refuses becomes a dead letter, and all others of its batch load',
  async (t) => {
    const folder = t.testdir();
    const file = seeded(folder);
    const outcome = await runYaml({
      folder,
      yaml: COPY,
      connectors: source({ generate: { count: 2_500, columns: ['id', 'name'] } }),
    });
    t.match(outcome, { status: 'warning', rows_in: 2_500, rows_out: 2_499, rows_failed: 1 });
    t.match(outcome.keeper.letters, [
      { step_id: 'write', item: { id: 700, name: 'name 700' }, code: 'DATA_ERROR' },
    ]);
    t.equal(outcome.keeper.letters.length, 1);
    t.strictSame(rowsOf(file, 'SELECT count(*) AS n FROM items WHERE id > 0'), [{ n: 2_499 }]);
  },
);

t.test('a connector that hangs ends with the step timeout, even when it is deaf to its signal', async (t) => {
  const folder = t.testdir();
  const file = seeded(folder);
  const deaf = driversWith('dummy', (connection) => ({
    ...connection,
    read: () => ({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<Batch>>(() => undefined) }),
    }),
    close: () => new Promise(() => undefined),
  }));
  const yaml = COPY.replace(
    'method: list, retry: {max_attempts: 3, delay: 0.01s}',
    'method: list, timeout: 0.1s, retry: {max_attempts: 1}',
  );
  const from = Date.now();
  const outcome = await runYaml({ folder, yaml, connectors: source({}), drivers: deaf });
  t.ok(Date.now() - from < 5_000);
  t.match(outcome, {
    status: 'error',
    reason: 'timeout',
    retryable: true,
    failure: { code: 'TIMEOUT', step_id: 'read' },
  });
  t.strictSame(rowsOf(file, 'SELECT count(*) AS n FROM items'), [{ n: 3 }]);
});

t.test('the time of the whole run ends a call that hangs', async (t) => {
  const yaml = `
version: 1
name: hanging
connectors: { source: {type: dummy} }
steps:
  - { id: ask, kind: call, connector: source, method: echo, args: { value: 1 } }
`;
  const outcome = await runYaml({
    folder: t.testdir(),
    yaml,
    connectors: { source: { type: 'dummy', config: { hang: true } } },
    input: { timeoutMs: 100 },
  });
  t.match(outcome, { status: 'error', reason: 'timeout', failure: { code: 'TIMEOUT', step_id: '' } });
});

t.test('a source that was away is tried again, and its rows come once', async (t) => {
  const folder = t.testdir();
  const outcome = await runYaml({
    folder,
    yaml: COPY,
    connectors: source({ generate: { count: 1_500, columns: ['id', 'name'] } }),
    drivers: flaky('dummy', 2),
  });
  t.match(outcome, { status: 'success', rows_in: 1_500, rows_out: 1_500 });
  t.equal(outcome.steps[0]?.attempts, 3);
  t.equal(outcome.keeper.logs.filter((line) => line.message.startsWith('Retrying')).length, 2);
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT count(*) AS n FROM items'), [{ n: 1_500 }]);
});

t.test(
  'a failure in the middle leaves the target as it was; only one that may pass is worth another run',
  async (t) => {
    for (const [fault, retryable, attempts] of [
      ['UNAVAILABLE', true, 3],
      ['TARGET', true, 1],
      ['CONFIG', false, 1],
      ['AUTH', false, 1],
    ] as const) {
      const folder = t.testdir();
      const file = seeded(folder);
      const config = { generate: { count: 5_000, columns: ['id', 'name'] }, fault, fail_after: 2_100 };
      const outcome = await runYaml({ folder, yaml: COPY, connectors: source(config) });
      t.match(outcome, {
        status: 'error',
        retryable,
        rows_out: 0,
        failure: { code: `CONNECTOR_${fault}`, step_id: 'read' },
      });
      t.equal(outcome.steps[0]?.attempts, attempts, fault);
      t.strictSame(rowsOf(file, 'SELECT count(*) AS n FROM items'), [{ n: 3 }]);
      t.equal(outcome.keeper.letters.length, 0, 'the dead letters of what was taken back are not kept');
    }
  },
);

t.test('Retry-After is waited for', async (t) => {
  const from = Date.now();
  const outcome = await runYaml({
    folder: t.testdir(),
    yaml: COPY,
    connectors: source({ generate: { count: 10, columns: ['id'] } }),
    drivers: flaky('dummy', 1, 300),
  });
  t.equal(outcome.status, 'success');
  t.ok(Date.now() - from >= 295);
});

t.test('a run that is cancelled midway ends at once and leaves the target as it was', async (t) => {
  const folder = t.testdir();
  const file = seeded(folder);
  const control = new AbortController();
  const keeper = createKeeper();
  const config = { generate: { count: 100_000, columns: ['id', 'name'] }, delay_ms: 20 };
  const running = runYaml({ folder, yaml: COPY, connectors: source(config), keeper, signal: control.signal });
  setTimeout(() => control.abort(), 400);
  const outcome = await running;
  t.match(outcome, { status: 'cancelled', reason: 'user', retryable: false, rows_out: 0 });
  t.ok(outcome.rows_in > 0 && outcome.rows_in < 100_000);
  t.ok(keeper.progress.some((told) => told.step_id === 'read' && told.rows_out > 0));
  t.strictSame(rowsOf(file, 'SELECT count(*) AS n FROM items'), [{ n: 3 }]);
});

t.test('a source that never waits cannot keep a cancel from being heard', async (t) => {
  const control = new AbortController();
  setTimeout(() => control.abort(), 100);
  const yaml = COPY.replace('connector: target', 'connector: source');
  const outcome = await runYaml({
    folder: t.testdir(),
    yaml,
    connectors: source({ generate: { count: 50_000_000, columns: ['id'] } }),
    signal: control.signal,
  });
  t.equal(outcome.status, 'cancelled');
});

t.test('a slow target holds the source back: few batches are ever on the way', async (t) => {
  let pulled = 0;
  let written = 0;
  let ahead = 0;
  const watched = driversWith('dummy', (connection) => ({
    ...connection,
    read: async function* (request) {
      for await (const batch of connection.read(request)) {
        pulled++;
        ahead = Math.max(ahead, pulled - written);
        yield batch;
      }
    },
    openWriter: async (request) => {
      const writer = await connection.openWriter(request);
      const write = async (batch: Batch) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        await writer.write(batch);
        written++;
      };
      return { alreadyDone: null, write, commit: () => writer.commit(), abort: () => writer.abort() };
    },
  }));
  const yaml = `
version: 1
name: slow
connectors: { source: {type: dummy} }
steps:
  - { id: read, kind: extract, connector: source, method: list }
  - { id: shape, kind: transform, input: read, ops: [ { set: { n: "item.id + 1" } } ] }
  - { id: write, kind: load, input: shape, connector: source, object: items }
`;
  const outcome = await runYaml({
    folder: t.testdir(),
    yaml,
    connectors: { source: { type: 'dummy', config: { generate: { count: 60_000, columns: ['id'] } } } },
    drivers: watched,
  });
  t.match(outcome, { status: 'success', rows_out: 60_000 });
  // Two in each queue, and one in the hands of each of the three steps.
  t.ok(ahead <= 7, `${ahead} batches ahead`);
  t.ok(ahead >= 3, `${ahead} batches ahead: the source runs while the target writes`);
});

t.test(
  'too many bad rows end the run: by number at once, by share after a hundred and at the end',
  async (t) => {
    const yaml = (bound: string) => `
version: 1
name: bounds
connectors: { source: {type: dummy}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: list, batch: {size: 50} }
  - id: shape
    kind: transform
    input: read
    ops: [ { set: { n: "item.id % 10 = 0 ? $error('tenth') : 1" } } ]
    on_error: { action: dead_letter, ${bound} }
  - { id: write, kind: load, input: shape, connector: target, object: items }
`;
    const run = async (bound: string, count: number) =>
      runYaml({
        folder: t.testdir(),
        yaml: yaml(bound),
        connectors: source({ generate: { count, columns: ['id'] } }),
      });
    t.match(await run('max_error_rate: 0.1', 1_000), { status: 'warning', rows_failed: 100, rows_out: 900 });
    const rate = await run('max_error_rate: 0.09', 100_000);
    t.match(rate, {
      status: 'error',
      reason: 'item_errors',
      retryable: false,
      failure: { code: 'TOO_MANY_ITEM_ERRORS' },
    });
    t.ok(rate.rows_in < 1_000, `stopped after ${rate.rows_in}`);
    t.equal(rate.keeper.letters.length, rate.rows_failed, 'those that ended the run can be looked at');
    t.match(await run('max_error_rate: 0.09', 50), { status: 'error', rows_failed: 5 });
    t.match(await run('max_errors: 7', 100_000), { status: 'error', rows_failed: 8 });
    t.match(await run('max_errors: 10', 100), { status: 'warning', rows_failed: 10, rows_out: 90 });
  },
);

t.test('a load that may fail takes only itself down', async (t) => {
  const folder = t.testdir();
  const yaml = `
version: 1
name: branches
connectors: { source: {type: dummy}, bad: {type: dummy}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: list }
  - { id: lost, kind: load, input: read, connector: bad, object: items, allow_failure: true }
  - { id: write, kind: load, input: read, connector: target, object: items }
`;
  const connectors = {
    ...source({ generate: { count: 20_000, columns: ['id'] } }),
    bad: { type: 'dummy', config: { fault: 'TARGET', fail_after: 3_000 } },
  };
  const outcome = await runYaml({ folder, yaml, connectors });
  t.match(outcome, { status: 'warning', failure: null, rows_out: 20_000 });
  t.strictSame(
    outcome.steps.map((step) => step.status),
    ['success', 'error', 'success'],
  );
});

t.test('a control plane that does not take dead letters cannot hold a cancelled run', async (t) => {
  const folder = t.testdir();
  const file = seeded(folder);
  const control = new AbortController();
  const keeper = createKeeper();
  // Not after a time: cancelled before its target is open, the run would end while that still opens.
  const deadLetters = () => {
    control.abort();
    return new Promise<void>(() => undefined);
  };
  const deaf = { ...keeper, ports: { ...keeper.ports, deadLetters } };
  const outcome = await runYaml({
    folder,
    yaml: COPY,
    connectors: source({ generate: { count: 1_000, columns: ['id', 'name'] } }),
    keeper: deaf,
    signal: control.signal,
  });
  t.match(outcome, { status: 'cancelled', rows_out: 0 });
  t.strictSame(rowsOf(file, 'SELECT count(*) AS n FROM items'), [{ n: 3 }]);
});

t.test('no secret of a connector comes into logs, letters, metrics or the outcome', async (t) => {
  const folder = t.testdir();
  const secret = 'hunter2-very-secret';
  const broken = driversWith('dummy', () => {
    throw new TypeError(`cannot reach postgres://me:${secret}@10.0.0.1`);
  });
  const outcome = await runYaml({
    folder,
    yaml: COPY,
    connectors: source({ message: secret }),
    drivers: broken,
  });
  t.match(outcome, {
    status: 'error',
    retryable: false,
    failure: { code: 'INTERNAL_ERROR', step_id: 'read' },
  });
  const { keeper, ...rest } = outcome;
  t.notOk(
    JSON.stringify([rest, keeper.logs, keeper.letters, keeper.metrics, keeper.progress]).includes(secret),
  );
});
