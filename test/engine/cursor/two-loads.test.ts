import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { type Connection, ConnectorError } from '../../../src/drivers/driver.ts';
import {
  createKeeper,
  driversWith,
  type Keeper,
  rowsOf,
  runYaml,
  type TaskRun,
} from '../support/task-run.ts';

const YAML = `
version: 1
name: twice
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
  - { id: one, kind: load, input: read, connector: target, object: one }
  - { id: two, kind: load, input: read, connector: target, object: two }
`;

const CONNECTORS = {
  source: { type: 'sqlite', config: { path: 'source.db' } },
  target: { type: 'sqlite', config: { path: 'target.db' } },
};

/** Two files, since a load waits for others into the same one. */
const APART = {
  yaml: YAML.replace('connector: target, object: two', 'connector: other, object: two').replace(
    'target: {type: sqlite} }',
    'target: {type: sqlite}, other: {type: sqlite} }',
  ),
  connectors: { ...CONNECTORS, other: { type: 'sqlite', config: { path: 'other.db' } } },
};

function addEvents(folder: string, ...times: string[]): void {
  const db = new DatabaseSync(join(folder, 'source.db'));
  db.exec('CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, at TEXT)');
  for (const at of times) db.prepare('INSERT INTO events (at) VALUES (?)').run(at);
  db.close();
}

const idsOf = (folder: string, file: string, table: string) =>
  rowsOf(join(folder, file), `SELECT id FROM ${table} ORDER BY id`).map((row) => row['id']);

/** The drivers of which the commit of the load into `object` goes through `commit`. */
function commitsThrough(
  object: string,
  commit: (plain: () => Promise<{ rows: number }>) => Promise<{ rows: number }>,
) {
  return driversWith(
    'sqlite',
    (connection): Connection => ({
      ...connection,
      openWriter: async (request) => {
        const writer = await connection.openWriter(request);
        if (request.object !== object) return writer;
        return {
          alreadyDone: writer.alreadyDone,
          write: (batch) => writer.write(batch),
          commit: () => commit(() => writer.commit()),
          abort: () => writer.abort(),
        };
      },
    }),
  );
}

/** Drivers whose target of this name cannot be reached when its load commits. */
function unreachable(object: string) {
  return commitsThrough(object, async () => {
    throw new ConnectorError('UNAVAILABLE', 'It does not answer');
  });
}

function run(folder: string, keeper: Keeper, id: number, attempt: number, more: Partial<TaskRun> = {}) {
  return runYaml({ folder, ...APART, keeper, input: { run: { id, attempt } }, ...more });
}

t.test('the cursor stays where a load that is allowed to fail has failed: its rows come again', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  addEvents(folder, '2024-03-02T00:00:00Z');
  const yaml = APART.yaml.replace('object: two }', 'object: two, allow_failure: true }');
  const away = commitsThrough('two', async () => {
    throw new ConnectorError('TARGET', 'The disk is full');
  });
  const failed = await run(folder, keeper, 1, 1, { yaml, drivers: away });
  t.match(failed, { status: 'warning' });
  t.same(idsOf(folder, 'target.db', 'one'), [1]);
  t.equal(keeper.checkpoints.get('read'), undefined);
  await run(folder, keeper, 2, 1, { yaml });
  t.same(idsOf(folder, 'other.db', 'two'), [1], 'nothing is lost for it');
});

t.test('a pending cursor never passes the rows of an append that an earlier attempt committed', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  addEvents(folder, '2024-03-02T00:00:00Z', '2024-03-03T00:00:00Z');
  const away = unreachable('two');
  t.match(await run(folder, keeper, 1, 1, { drivers: away }), { status: 'error' });
  t.same(idsOf(folder, 'target.db', 'one'), [1, 2], 'the first of the two has committed');
  // The second attempt sees one row more, commits the other load, and dies before it can save the cursor.
  addEvents(folder, '2024-03-04T00:00:00Z');
  const dying: Keeper['ports'] = {
    ...keeper.ports,
    saveCheckpoint: async (name, value, version) => {
      if (name === 'read') throw new Error('the executor is gone');
      return keeper.ports.saveCheckpoint(name, value, version);
    },
  };
  t.match(await run(folder, { ...keeper, ports: dying }, 1, 2), { status: 'error' });
  t.match(await run(folder, keeper, 2, 1), { status: 'success' });
  t.same(idsOf(folder, 'target.db', 'one'), [1, 2, 3], 'no row of the first load is passed over');
  t.same([...new Set(idsOf(folder, 'other.db', 'two'))], [1, 2, 3]);
});

t.test(
  'a second attempt commits what is missing alone, and moves the cursor as far as both loads are',
  async (t) => {
    const folder = t.testdir();
    const keeper = createKeeper();
    addEvents(folder, '2024-03-02T00:00:00Z', '2024-03-03T00:00:00Z');
    const away = unreachable('two');
    t.match(await run(folder, keeper, 1, 1, { drivers: away }), { status: 'error' });
    addEvents(folder, '2024-03-04T00:00:00Z');
    let commits = 0;
    const watched = commitsThrough('one', (plain) => {
      commits += 1;
      return plain();
    });
    t.match(await run(folder, keeper, 1, 2, { drivers: watched }), { status: 'success' });
    t.equal(commits, 0, 'the first load is not committed again');
    t.equal(
      keeper.checkpoints.get('read')?.value,
      '2024-03-03T00:00:00Z',
      'which has not seen the third row',
    );
    t.match(await run(folder, keeper, 2, 1), { status: 'success' });
    t.same(idsOf(folder, 'target.db', 'one'), [1, 2, 3]);
  },
);

t.test('the cursor stays where all loads are off: rows come when one is on again', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  addEvents(folder, '2024-03-02T00:00:00Z');
  const yaml = APART.yaml.replaceAll(/object: (one|two) }/g, 'object: $1, when: run.id = 2 }');
  t.match(await run(folder, keeper, 1, 1, { yaml }), { status: 'success', rows_out: 0 });
  t.equal(keeper.checkpoints.get('read'), undefined);
  t.match(await run(folder, keeper, 2, 1, { yaml }), { status: 'success' });
  t.same(idsOf(folder, 'target.db', 'one'), [1]);
  t.same(idsOf(folder, 'other.db', 'two'), [1]);
});

t.test(
  'a commit that has begun is waited for after a cancel: the run says what is in the target',
  async (t) => {
    const folder = t.testdir();
    const keeper = createKeeper();
    addEvents(folder, '2024-03-02T00:00:00Z', '2024-03-03T00:00:00Z');
    const cancel = new AbortController();
    const slow = commitsThrough('two', async (plain) => {
      const committed = await plain();
      cancel.abort(new Error('cancelled'));
      await new Promise((resolve) => setTimeout(resolve, 300));
      return committed;
    });
    const outcome = await run(folder, keeper, 1, 1, { drivers: slow, signal: cancel.signal });
    t.same(idsOf(folder, 'other.db', 'two'), [1, 2], 'the rows are in');
    t.match(
      outcome.steps.find((step) => step.step_id === 'two'),
      { rows_out: 2 },
    );
  },
);
