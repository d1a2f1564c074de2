import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { DB, INTEGER, sceneOf, sqlite, yamlOf } from '../support/cursor-scene.ts';
import { driversWith, type Keeper } from '../support/task-run.ts';

t.test('rows without a value', async (t) => {
  const sources = {
    csv: {
      config: { path: 'a.csv' },
      read: 'method: read',
      make: (folder: string) => writeFileSync(join(folder, 'a.csv'), 'id,v\n1,a\n,b\n2,c\n'),
    },
    sqlite: {
      config: DB,
      read: 'method: list, args: {table: s}',
      make: (folder: string) =>
        sqlite(
          folder,
          "CREATE TABLE s (id INTEGER, v TEXT); INSERT INTO s VALUES (1, 'a'), (NULL, 'b'), (2, 'c')",
        ),
    },
  };
  for (const [type, { config, read, make }] of Object.entries(sources)) {
    const sceneWith = (t: Test, missing: string, load?: string) => {
      const scene = sceneOf(
        t,
        type,
        yamlOf(type, `${read}, cursor: {field: id, type: integer, initial: 0${missing}}`, load),
      );
      make(scene.folder);
      return scene;
    };
    await t.test(`${type}: fail, by default`, async (t) => {
      const scene = sceneWith(t, '');
      t.match(await scene.run(config), {
        status: 'error',
        failure: { message: /a row has no value \((?:row 1|row on line 3 of a\.csv)\); the next run/ },
      });
      t.equal(scene.keeper.checkpoints.get('read'), undefined);
    });
    await t.test(`${type}: skip`, async (t) => {
      const scene = sceneWith(t, ', on_missing: skip');
      t.match(await scene.run(config), { status: 'success', rows_out: 2 });
      t.strictSame(scene.loaded('v'), ['a', 'c']);
      t.match(await scene.run(config), { status: 'success', rows_out: 0 });
    });
    await t.test(`${type}: include, in every run`, async (t) => {
      const scene = sceneWith(t, ', on_missing: include', 'mode: merge, key: [v]');
      await scene.run(config);
      t.strictSame(scene.loaded('v').toSorted(), ['a', 'b', 'c']);
      t.match(
        await scene.run(config),
        { status: 'success', rows_in: 2 },
        'it, and the row of the saved value',
      );
      t.strictSame(scene.loaded('v').toSorted(), ['a', 'b', 'c']);
    });
  }
});

t.test('a database finds new rows, and one without a value, each by its index', async (t) => {
  const scene = sceneOf(t, 'sqlite', yamlOf('sqlite', `method: list, args: {table: s}, ${INTEGER}`));
  sqlite(scene.folder, 'CREATE TABLE s (id INTEGER); INSERT INTO s VALUES (1)');
  const reads: unknown[] = [];
  const drivers = driversWith('sqlite', (connection) => ({
    ...connection,
    read: (request) => {
      reads.push([request.args, request.limit ?? null]);
      return connection.read(request);
    },
    openWriter: (request) => connection.openWriter(request),
    close: () => connection.close(),
  }));
  t.match(await scene.run(DB, drivers), { status: 'success', rows_in: 1 });
  t.strictSame(reads, [
    [{ table: 's', filter: { id: { is_null: true } } }, 1],
    [{ table: 's', filter: { id: { gte: 0 } }, sort: ['id'] }, null],
  ]);
});

t.test('what a cursor cannot follow ends the run, and moves nothing', async (t) => {
  const texts = "CREATE TABLE s (id TEXT); INSERT INTO s VALUES ('9'), ('10')";
  const mixed =
    "CREATE TABLE s (id DATETIME); INSERT INTO s VALUES ('2024-01-02 10:00:00'), ('2024-01-02T09:00:00')";
  const read = 'method: list, args: {table: s}, cursor:';
  const cases = [
    {
      name: 'texts as numbers',
      sql: texts,
      extract: `${read} {field: id, type: integer}`,
      says: /holds texts/,
    },
    {
      name: 'times of two forms',
      sql: mixed,
      extract: `${read} {field: id, type: datetime}`,
      says: /does not compare them as/,
    },
    {
      name: 'no such column in the rows',
      sql: texts,
      extract:
        'method: query, args: {sql: "SELECT 1 AS n WHERE ? = 0", params: ["{{ state.cursor }}"]}, cursor: {field: id, type: integer, initial: 0}',
      says: /no such column/,
    },
  ];
  for (const { name, sql, extract, says } of cases) {
    await t.test(name, async (t) => {
      const scene = sceneOf(t, 'sqlite', yamlOf('sqlite', extract));
      sqlite(scene.folder, sql);
      t.match(await scene.run(DB), { status: 'error', failure: { message: says } });
      t.equal(scene.keeper.checkpoints.size, 0);
    });
  }
  await t.test('a type that changes on the way', async (t) => {
    const scene = sceneOf(t, 'csv', yamlOf('csv', `method: read, ${INTEGER}`));
    const rows = Array.from({ length: 1_200 }, (_, index) => index + 1);
    writeFileSync(join(scene.folder, 'a.csv'), `id\n${rows.join('\n')}\nlater\n`);
    t.match(await scene.run({ path: 'a.csv' }), {
      status: 'error',
      failure: {
        message: /the value "later" \(row id="later" on line 1202 of a\.csv\) is not of type integer/,
      },
    });
  });
});

t.test(
  'a state that was edited by hand is refused where it is of another type, and followed where it is not',
  async (t) => {
    const scene = sceneOf(t, 'csv', yamlOf('csv', `method: read, ${INTEGER}`));
    writeFileSync(join(scene.folder, 'a.csv'), 'id\n1\n2\n3\n');
    scene.keeper.checkpoints.set('read', { value: 'two', version: 4 });
    t.match(await scene.run({ path: 'a.csv' }), {
      status: 'error',
      failure: { message: /The saved cursor "two" is not of type integer/ },
    });
    scene.keeper.checkpoints.set('read', { value: '2', version: 5 });
    t.match(await scene.run({ path: 'a.csv' }), { status: 'success', rows_in: 1 });
  },
);

t.test('values that go back are read where they are new, and never move the cursor back', async (t) => {
  const scene = sceneOf(t, 'dummy', yamlOf('dummy', `method: list, ${INTEGER}`));
  await scene.run({ rows: [{ id: 5 }, { id: 3 }, { id: 4 }] });
  t.equal(scene.keeper.checkpoints.get('read')?.value, 5);
  t.match(await scene.run({ rows: [{ id: 1 }] }), { rows_in: 0 });
  t.equal(scene.keeper.checkpoints.get('read')?.value, 5);
});

t.test('a cursor that moves into the future is told of', async (t) => {
  const scene = sceneOf(t, 'dummy', yamlOf('dummy', 'method: list, cursor: {field: at, type: datetime}'));
  await scene.run({ rows: [{ at: '2999-01-01T00:00:00Z' }] });
  t.ok(
    scene.keeper.logs.some(({ level, message }) => level === 'warn' && message.includes('is in the future')),
  );
});

t.test(
  'of two runs that append from one cursor at once, one ends before it loads, and its next attempt reads on',
  async (t) => {
    const scene = sceneOf(t, 'dummy', yamlOf('dummy', `method: list, ${INTEGER}`));
    const rows = [{ id: 1 }, { id: 2 }];
    const { ports } = scene.keeper;
    const mutable = ports as { saveCheckpoint: typeof ports.saveCheckpoint };
    const plain = ports.saveCheckpoint;
    // The other run says what it is about to load while this one has read its rows and not loaded them.
    mutable.saveCheckpoint = async (name, value, version) => {
      mutable.saveCheckpoint = plain;
      await plain(name, { cursor: 2, from: null, loads: [] }, version);
      return plain(name, value, version);
    };
    t.match(await scene.run({ rows }), { status: 'error', retryable: true, failure: { code: 'CONFLICT' } });
    t.match(await scene.run({ rows }), { status: 'success', rows_in: 2 });
    t.strictSame(scene.loaded(), [1, 2]);
  },
);

t.test('a run does not append what another has appended since it read the cursor', async (t) => {
  const scene = sceneOf(t, 'dummy', yamlOf('dummy', `method: list, ${INTEGER}`));
  const { ports, checkpoints } = scene.keeper;
  const mutable = ports as { checkpoint: typeof ports.checkpoint };
  const plain = ports.checkpoint;
  mutable.checkpoint = async (name) => {
    const answer = await plain(name);
    // The other began earlier: what it is about to load is known, and that it has loaded it comes now.
    if (name === 'read.pending') checkpoints.set('read', { value: 2, version: 1 });
    return answer;
  };
  const rows = [{ id: 1 }, { id: 2 }];
  t.match(await scene.run({ rows }), { status: 'error', retryable: true, failure: { code: 'CONFLICT' } });
  t.match(await scene.run({ rows }), { status: 'success', rows_in: 0 });
});

t.test('an extract that nothing limits does not start', async (t) => {
  const scene = sceneOf(
    t,
    'sqlite',
    yamlOf('sqlite', `method: query, args: {sql: SELECT * FROM s}, ${INTEGER}`),
  );
  t.match(await scene.run(DB), {
    status: 'error',
    reason: 'config_error',
    failure: { message: /"query" of a sqlite connector cannot be filtered by a cursor.*WHERE id > \?/ },
  });
});

t.test(
  'texts that the source orders in its own way are not loaded twice after a run that died',
  async (t) => {
    const scene = sceneOf(
      t,
      'sqlite',
      yamlOf('sqlite', 'method: list, args: {table: s}, cursor: {field: name, type: string}'),
    );
    sqlite(scene.folder, "CREATE TABLE s (name TEXT COLLATE NOCASE); INSERT INTO s VALUES ('a')");
    await scene.run(DB);
    // By their bytes, capitals come before.
    sqlite(scene.folder, "INSERT INTO s VALUES ('B')");
    const mutable = scene.keeper.ports as { saveCheckpoint: Keeper['ports']['saveCheckpoint'] };
    const plain = mutable.saveCheckpoint;
    mutable.saveCheckpoint = async (name, value, version) => {
      if (name === 'read') throw new Error('the executor is gone');
      return plain(name, value, version);
    };
    t.match(await scene.run(DB), { status: 'error' });
    mutable.saveCheckpoint = plain;
    t.match(await scene.run(DB), { status: 'success', rows_in: 0 });
    t.strictSame(scene.loaded('name'), ['a', 'B']);
    t.equal(scene.keeper.checkpoints.get('read')?.value, 'B');
  },
);
