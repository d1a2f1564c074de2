import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { PartsAnswer, PartsAsk } from '../../../src/base/run-parts.ts';
import { ConnectorError, type Driver } from '../../../src/drivers/driver.ts';
import type { FoundFile } from '../../../src/drivers/files/storage/found-file.ts';
import { sqliteDriver } from '../../../src/drivers/sqlite/driver.ts';
import { fileParts, packFiles, unpackFiles } from '../../../src/engine/partition/file-shares.ts';
import { contextOf, execute, rowsOf } from '../../drivers/sql/engines.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import { createKeeper, runYaml, type TaskRun } from '../support/task-run.ts';

/* An extract over many files in parts of whole files. */

const CHANGED = 'modified_column: changed';
const CURSOR = 'cursor: { field: changed, type: datetime }';

interface Options {
  readonly files?: number;
  readonly args?: string;
  readonly extract?: string;
  readonly id?: number;
  readonly drivers?: TaskRun['drivers'];
  readonly keeper?: ReturnType<typeof createKeeper>;
  /** Of the transform. */
  readonly ops?: string;
}

let ids = 900;

async function scene(t: Test, names: Readonly<Record<string, number>>) {
  const folder = t.testdir();
  const at = new Date('2026-01-01T00:00:00Z').getTime();
  let clock = 0;
  /** Files with so many rows each, changed one second after the other. */
  const put = (files: Readonly<Record<string, number>>) => {
    for (const [name, rows] of Object.entries(files)) {
      const lines = Array.from({ length: rows }, (_, n) => `${name},${n + 1}\n`);
      writeFileSync(join(folder, name), `file,n\n${lines.join('')}`);
      clock += 1_000;
      utimesSync(join(folder, name), new Date(at + clock), new Date(at + clock));
    }
  };
  put(names);
  const db = await sqliteDriver.connect({ path: 'dst.db' }, contextOf(folder));
  t.teardown(() => db.close());
  await execute(db, 'CREATE TABLE dst (file TEXT, n INTEGER)');
  const keeper = createKeeper();
  const run = (
    load: string,
    {
      files = 3,
      args = '',
      extract = '',
      id = ++ids,
      drivers,
      keeper: own,
      ops = '{ drop: [changed] }',
    }: Options = {},
  ) =>
    runYaml({
      folder,
      yaml: `
version: 1
name: many
connectors: { files: {type: csv}, db: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: files, method: read, args: { files: "*.csv"${args} }, partition: { files: ${files}, concurrency: 2 }${extract}, retry: { max_attempts: 1 } }
  - { id: shape, kind: transform, input: read, ops: [${ops}] }
  - { id: write, kind: load, input: shape, connector: db, object: dst, ${load} }
`,
      connectors: {
        files: { type: 'csv', config: { path: folder } },
        db: { type: 'sqlite', config: { path: 'dst.db' } },
      },
      keeper: own ?? keeper,
      input: { run: { id, attempt: 1 } },
      ...(drivers && { drivers }),
    });
  /** By file: how many rows are in the target, and how many different ones. */
  const loaded = async () =>
    Object.fromEntries(
      (
        await rowsOf(db, 'SELECT file, count(*) AS rows, count(DISTINCT n) AS own FROM dst GROUP BY file')
      ).map(({ file, rows, own }) => [file, rows === own ? Number(rows) : `${rows} of ${own}`]),
    );
  return { folder, db, keeper, put, run, loaded };
}

/** The drivers, with what happens before a file's rows are read. */
function reading(before: (files: readonly FoundFile[]) => unknown): TaskRun['drivers'] {
  const own = allDrivers.get('csv') as Driver;
  const driver: Driver = {
    ...own,
    async connect(config, context) {
      const connection = await own.connect(config, context);
      const read = connection.read.bind(connection);
      connection.read = async function* (request) {
        await before(request.files ?? []);
        yield* read(request);
      };
      return connection;
    },
  };
  return { get: (type) => (type === 'csv' ? driver : allDrivers.get(type)) };
}

const FILES = { 'a.csv': 400, 'b.csv': 10, 'c.csv': 20, 'd.csv': 380, 'e.csv': 5, 'f.csv': 1 };

t.test(
  'each file is in one part, parts have about the same bytes, and all are published together',
  async (t) => {
    const { run, loaded, keeper, put } = await scene(t, FILES);
    const seen: string[][] = [];
    const drivers = reading((files) => seen.push(files.map(({ name }) => name)));
    const { status, failure, steps } = await run('mode: replace', { drivers });
    t.same([status, failure], ['success', null]);
    t.same(await loaded(), FILES);
    t.match(
      steps.find(({ step_id }) => step_id === 'read'),
      { rows_in: 816, rows_out: 816 },
    );
    t.same(seen.toSorted(), [['a.csv'], ['b.csv', 'c.csv', 'e.csv', 'f.csv'], ['d.csv']]);
    t.ok(
      keeper.logs.some(({ message }) =>
        message.startsWith('Part 3 of 3 (4 files from b.csv, 1 kB): 36 rows staged'),
      ),
    );
    for (const mode of [
      'append',
      'truncate_insert',
      'merge, key: [file, n]',
      'insert_only, key: [file, n]',
    ]) {
      put({ 'g.csv': 3 });
      t.equal((await run(`mode: ${mode}`, { files: 256 })).status, 'success', mode);
      if (mode === 'append')
        t.same(await loaded(), {
          ...Object.fromEntries(
            Object.entries(FILES).map(([name, rows]) => [name, `${rows * 2} of ${rows}`]),
          ),
          'g.csv': 3,
        });
      else t.same(await loaded(), { ...FILES, 'g.csv': 3 }, mode);
    }
  },
);

t.test(
  'one file is one part; none are an error, or nothing where only changed ones are asked for',
  async (t) => {
    const one = await scene(t, { 'only.csv': 7 });
    t.equal((await one.run('mode: replace')).status, 'success');
    t.same(await one.loaded(), { 'only.csv': 7 });
    rmSync(join(one.folder, 'only.csv'));
    t.match((await one.run('mode: replace')).failure, { message: /No file matches "\*\.csv"/ });
    const none = await one.run('mode: replace', { args: `, ${CHANGED}`, extract: `, ${CURSOR}` });
    t.match(none, { status: 'success', rows_out: 0 });
    t.same(await one.loaded(), { 'only.csv': 7 }, 'a replace without rows keeps what is there');
  },
);

t.test('only new and changed files are read, and the cursor moves once they are published', async (t) => {
  for (const load of ['mode: merge, key: [file, n]', 'mode: append']) {
    const { run, loaded, put, keeper, folder } = await scene(t, { 'a.csv': 3, 'b.csv': 4 });
    const again = { args: `, ${CHANGED}`, extract: `, ${CURSOR}` };
    const first = await run(load, again);
    t.same([first.status, first.failure], ['success', null]);
    t.same(keeper.checkpoints.get('read')?.value, '2026-01-01T00:00:02.000000Z');
    put({ 'c.csv': 5, 'd.csv': 6 });
    const fails = reading((files) => {
      if (files.some(({ name }) => name === 'd.csv')) rmSync(join(folder, 'd.csv'), { force: true });
    });
    const failed = await run(load, { ...again, drivers: fails });
    t.match(
      failed,
      { status: 'error', failure: { message: /d\.csv/ } },
      'a file that is gone fails its part',
    );
    t.same(await loaded(), { 'a.csv': 3, 'b.csv': 4 }, 'and nothing of the others is to be seen');
    t.same(keeper.checkpoints.get('read')?.value, '2026-01-01T00:00:02.000000Z');
    put({ 'd.csv': 6 });
    const second = await run(load, again);
    t.match(
      second.steps.find(({ step_id }) => step_id === 'read'),
      {
        rows_in: load.includes('append') ? 11 : 15,
        cursor: { from: '2026-01-01T00:00:02.000000Z', to: '2026-01-01T00:00:05.000000Z' },
      },
    );
    t.same(await loaded(), { 'a.csv': 3, 'b.csv': 4, 'c.csv': 5, 'd.csv': 6 });
    t.same(keeper.checkpoints.get('read')?.value, '2026-01-01T00:00:05.000000Z');
    t.match(await run(load, again), { status: 'success' });
    t.same(await loaded(), { 'a.csv': 3, 'b.csv': 4, 'c.csv': 5, 'd.csv': 6 }, 'nothing new, nothing twice');
  }
});

t.test(
  'a run that ends between the publication and the save of its cursor loads nothing twice',
  async (t) => {
    const { run, loaded, put, keeper } = await scene(t, { 'a.csv': 3, 'b.csv': 4 });
    const again = { args: `, ${CHANGED}`, extract: `, ${CURSOR}` };
    const { saveCheckpoint } = keeper.ports;
    const cut = {
      ...keeper,
      ports: {
        ...keeper.ports,
        saveCheckpoint: async (...given: Parameters<typeof saveCheckpoint>) => {
          if (given[0] === 'read') throw new Error('The control plane has gone');
          return saveCheckpoint(...given);
        },
      },
    };
    t.match(await run('mode: append', { ...again, keeper: cut, id: 41 }), {
      failure: { code: 'REPORT_FAILED' },
    });
    t.same(await loaded(), { 'a.csv': 3, 'b.csv': 4 }, 'published');
    put({ 'c.csv': 5 });
    t.match(await run('mode: append', { ...again, id: 41 }), { status: 'success' }, 'its next attempt');
    t.same(await loaded(), { 'a.csv': 3, 'b.csv': 4 });
    t.match(await run('mode: append', again), { status: 'success' }, 'the next run');
    t.same(await loaded(), { 'a.csv': 3, 'b.csv': 4, 'c.csv': 5 });
  },
);

t.test('the next attempt of a run keeps the parts that are staged, and the list of files', async (t) => {
  const { run, loaded, put, keeper } = await scene(t, FILES);
  const seen: string[] = [];
  let fails = true;
  const drivers = reading((files) => {
    if (fails && files.some(({ name }) => name === 'c.csv')) throw new Error('gone');
    seen.push(...files.map(({ name }) => name));
  });
  const id = ++ids;
  t.equal((await run('mode: replace', { drivers, id, files: 6 })).status, 'error');
  t.same(await loaded(), {});
  fails = false;
  put({ 'late.csv': 9 });
  t.equal((await run('mode: replace', { drivers, id, files: 6 })).status, 'success');
  t.same(await loaded(), FILES, 'a file that came after the run began is for the next one');
  t.ok(seen.length >= 6 && seen.length <= 12, String(seen));
  t.ok(keeper.checkpoints.has('read.parts'));
});

t.test('ten thousand files make a short plan and even parts', async (t) => {
  const files = Array.from({ length: 10_000 }, (_, n) => ({
    name: `orders/day=2026-01-${String(1 + (n % 28)).padStart(2, '0')}/part-${String(n).padStart(5, '0')}.csv.gz`,
    sizeBytes: 1_000 + ((n * 7_919) % 1_000_003),
    modified: `2026-01-${String(1 + (n % 28)).padStart(2, '0')}T0${n % 10}:${10 + (n % 50)}:${10 + (n % 47)}Z`,
  }));
  const packed = packFiles(files);
  t.ok(packed.length < 200_000, String(packed.length));
  t.same(unpackFiles(packed), files);
  const parts = fileParts(files, 16);
  t.same(parts.length, 16);
  t.equal(new Set(parts.flatMap((part) => part.files?.map(({ name }) => name))).size, 10_000);
  const bytes = parts.map((part) => part.files?.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) ?? 0);
  t.ok(Math.max(...bytes) / Math.min(...bytes) < 1.001, String(bytes));
  t.same(fileParts(unpackFiles(packed), 16), parts, 'another executor finds the same parts');
  t.match(fileParts([], 8), [{ number: 1, label: 'no files', files: [] }]);
});

t.test('each step that failed in a part says how it ended, also where another ends the run', async (t) => {
  const { run, folder, keeper } = await scene(t, { 'b.csv': 2 });
  writeFileSync(join(folder, 'a.csv'), 'file,n\na.csv,x\n');
  let next = 0;
  /** Takes its time over the first part that fails, so that the other fails, too. */
  const parts = async ({ ended, wants }: PartsAsk): Promise<PartsAnswer> => {
    if (ended !== null) await delay(300);
    const part = wants && next < 2 ? { number: ++next, take: 1 } : null;
    return { part, left: 2, is_closed: false, others: [] };
  };
  const drivers = reading(async (files) => {
    if (files[0]?.name !== 'b.csv') return;
    await delay(100);
    throw new ConnectorError('TARGET', 'The disk has gone');
  });
  const failed = await run('mode: replace', {
    drivers,
    files: 2,
    ops: '{ cast: { n: integer } }',
    keeper: { ...keeper, ports: { ...keeper.ports, parts } },
  });
  t.match(failed, { status: 'error', failure: { code: 'CAST_ERROR' } });
  const ends = keeper.logs.filter(({ message }) => /^\w+ ended/.test(message));
  t.same(ends.map(({ step_id, message }) => `${step_id}: ${message.split(',')[0]}`).sort(), [
    'read: extract ended: error',
    'shape: transform ended: error',
    'write: load ended: cancelled',
  ]);
});
