import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { createKeeper, type Keeper, rowsOf, runYaml } from './support/task-run.ts';

const YAML = `
version: 1
name: incremental
connectors: { source: {type: sqlite}, target: {type: sqlite} }
steps:
  - id: read
    kind: extract
    connector: source
    method: query
    args:
      sql: SELECT id, at FROM events WHERE at > ? ORDER BY id
      params: ["{{ state.cursor }}"]
    cursor: { field: at, type: datetime, initial: "2024-01-01T00:00:00Z" }
  - { id: write, kind: load, input: read, connector: target, object: events }
`;

const CONNECTORS = {
  source: { type: 'sqlite', config: { path: 'source.db' } },
  target: { type: 'sqlite', config: { path: 'target.db' } },
};

function addEvents(folder: string, ...times: string[]): void {
  const db = new DatabaseSync(join(folder, 'source.db'));
  db.exec('CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, at TEXT)');
  for (const at of times) db.prepare('INSERT INTO events (at) VALUES (?)').run(at);
  db.close();
}

const loaded = (folder: string) =>
  rowsOf(join(folder, 'target.db'), 'SELECT id FROM events').map((row) => row['id']);

function run(folder: string, keeper: Keeper, id: number, attempt = 1, yaml = YAML) {
  return runYaml({ folder, yaml, connectors: CONNECTORS, keeper, input: { run: { id, attempt } } });
}

/** A keeper whose control plane is away when the cursor is to be saved, once. */
function keeperThatFailsOnce(): Keeper {
  const keeper = createKeeper();
  let failed = false;
  const saveCheckpoint: Keeper['ports']['saveCheckpoint'] = async (name, value, version) => {
    if (name === 'read' && !failed) {
      failed = true;
      throw new Error('away');
    }
    return keeper.ports.saveCheckpoint(name, value, version);
  };
  return { ...keeper, ports: { ...keeper.ports, saveCheckpoint } };
}

t.test('each run reads on from the greatest value that was loaded', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  addEvents(folder, '2024-03-02T00:00:00Z', '2024-03-05T00:00:00Z', '2024-03-03T00:00:00Z');
  t.match(await run(folder, keeper, 1), { status: 'success', rows_in: 3 });
  t.equal(keeper.checkpoints.get('read')?.value, '2024-03-05T00:00:00Z');
  t.match(await run(folder, keeper, 2), { status: 'success', rows_in: 0 });
  addEvents(folder, '2024-03-06T00:00:00Z');
  t.match(await run(folder, keeper, 3), { status: 'success', rows_in: 1 });
  t.strictSame(loaded(folder), [1, 2, 3, 4]);
});

t.test('a look-back reads the last stretch again, and the cursor never goes back', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  const yaml = YAML.replace('initial:', 'lookback: 2d, initial:').replace(
    'object: events',
    'object: events, mode: merge, key: [id]',
  );
  addEvents(folder, '2024-03-02T00:00:00Z', '2024-03-04T00:00:00Z', '2024-03-05T00:00:00Z');
  await run(folder, keeper, 1, 1, yaml);
  const again = await run(folder, keeper, 2, 1, yaml);
  t.match(again, { status: 'success', rows_in: 2 });
  t.equal(keeper.checkpoints.get('read')?.value, '2024-03-05T00:00:00Z');
  t.equal(keeper.checkpoints.get('read')?.version, 1);
  t.strictSame(loaded(folder), [1, 2, 3]);
});

t.test('a run that fails after its rows moves no cursor', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  addEvents(folder, '2024-03-02T00:00:00Z');
  const db = new DatabaseSync(join(folder, 'target.db'));
  db.exec('CREATE TABLE events (id INTEGER CHECK (id > 10), at TEXT)');
  db.close();
  t.match(await run(folder, keeper, 1), { status: 'error' });
  t.equal(keeper.checkpoints.get('read'), undefined);
});

t.test('rows that were committed before the cursor could be saved are not loaded twice', async (t) => {
  await t.test('when the same run is tried again', async (t) => {
    const folder = t.testdir();
    const keeper = keeperThatFailsOnce();
    addEvents(folder, '2024-03-02T00:00:00Z', '2024-03-05T00:00:00Z');
    t.match(await run(folder, keeper, 1), {
      status: 'error',
      retryable: true,
      failure: { code: 'REPORT_FAILED' },
    });
    t.strictSame(loaded(folder), [1, 2], 'the load itself has committed');
    addEvents(folder, '2024-03-06T00:00:00Z');
    t.match(await run(folder, keeper, 1, 2), { status: 'success', rows_out: 2, rows_in: 0 });
    t.equal(keeper.checkpoints.get('read')?.value, '2024-03-05T00:00:00Z');
    t.match(await run(folder, keeper, 2), { status: 'success', rows_in: 1 });
    t.strictSame(loaded(folder), [1, 2, 3]);
  });
  await t.test('when another run comes next', async (t) => {
    const folder = t.testdir();
    const keeper = keeperThatFailsOnce();
    addEvents(folder, '2024-03-02T00:00:00Z', '2024-03-05T00:00:00Z');
    await run(folder, keeper, 1);
    addEvents(folder, '2024-03-06T00:00:00Z');
    t.match(await run(folder, keeper, 2), { status: 'success', rows_in: 1 });
    t.strictSame(loaded(folder), [1, 2, 3]);
    t.equal(keeper.checkpoints.get('read')?.value, '2024-03-06T00:00:00Z');
  });
});

t.test('a cursor that another run has moved meanwhile is read again, and never moved back', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  addEvents(folder, '2024-03-02T00:00:00Z');
  const ports: Keeper['ports'] = {
    ...keeper.ports,
    saveCheckpoint: async (name, value, version) => {
      if (name === 'read' && version === 0)
        keeper.checkpoints.set('read', { value: '2024-03-09T00:00:00Z', version: 5 });
      return keeper.ports.saveCheckpoint(name, value, version);
    },
  };
  t.match(await run(folder, { ...keeper, ports }, 1), { status: 'success', rows_out: 1 });
  t.strictSame(keeper.checkpoints.get('read'), { value: '2024-03-09T00:00:00Z', version: 5 });
  t.ok(keeper.logs.some((line) => line.level === 'warn' && line.message.includes('Another run')));
});

t.test('an append by a time warns of rows that come later with the same time', async (t) => {
  const warned = async (cursor: string, load: string) => {
    const folder = t.testdir();
    const keeper = createKeeper();
    addEvents(folder, '2024-03-02T00:00:00Z', '2024-03-05T00:00:00Z');
    const yaml = YAML.replace(
      /method: query[\s\S]*?cursor: .*\n/,
      `method: list\n    args: {table: events}\n    cursor: ${cursor}\n`,
    ).replace('object: events }', `object: events, ${load} }`);
    t.match(await run(folder, keeper, 1, 1, yaml), { status: 'success', rows_in: 2 });
    return keeper.logs.flatMap(({ level, message }) => (level === 'warn' ? [message] : []));
  };
  t.match(await warned('{ field: at, type: datetime }', 'mode: append'), [
    /^"write" appends up to "at" 2024-03-05T00:00:00Z: a row that gets this value, .* later is never read\. Use "mode: merge" with a key/,
  ]);
  const held = '{ field: at, type: datetime, end: "2024-03-06T00:00:00Z" }';
  for (const [cursor, load] of [
    [held, 'mode: append'],
    ['{ field: at, type: datetime }', 'mode: merge, key: [id]'],
    ['{ field: id, type: integer }', 'mode: append'],
  ] as const)
    t.same(await warned(cursor, load), [], `${cursor} ${load}`);
});
