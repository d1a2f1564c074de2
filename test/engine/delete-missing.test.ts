import t from 'tap';
import type { Connection } from '../../src/drivers/driver.ts';
import { execute, rowsOf } from '../drivers/sql/engines.ts';
import { onEachDatabase } from './support/sql-targets.ts';
import { createKeeper, runYaml } from './support/task-run.ts';

const FILES = {
  'all.csv': 'id,name\n1,Ann\n2,Bob\n3,Cy\n4,Di\n',
  'fewer.csv': 'id,name\n1,Ann\n3,Cyrus\n4,Di\n',
  'one.csv': 'id,name\n3,Cyrus\n',
  'none.csv': 'id,name\n',
  'bad.csv': 'id,name\n1,Ann\nx,Cy\n4,Di\n',
};
const yaml = (type: string, keys: string, file: string) => `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: ${type}} }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: {file: ${file}}, batch: {size: 2} }
  - { id: shape, kind: transform, input: read, ops: [{cast: {id: integer}}], on_error: skip }
  - { id: write, kind: load, input: shape, connector: target, object: people, key: [id], ${keys} }
`;
let runs = 200;
const idsOf = async (c: Connection, where = '1 = 1') =>
  (await rowsOf(c, `SELECT id FROM people WHERE ${where} ORDER BY id`)).map(({ id }) => id);

onEachDatabase(t, FILES, async (t, { connector, connection: c }, folder) => {
  const run = (keys: string, file: string) => {
    const connectors = { source: { type: 'csv', config: { path: '.' } }, target: connector };
    const input = { run: { id: ++runs, attempt: 1 } };
    return runYaml({
      folder,
      yaml: yaml(connector.type, keys, file),
      connectors,
      keeper: createKeeper(),
      input,
    });
  };
  t.beforeEach(() => execute(c, 'DROP TABLE IF EXISTS people'));

  for (const mode of ['merge', 'upsert']) {
    t.test(`${mode}: hard removes the rows that no longer come, and counts them`, async (t) => {
      const keys = `mode: ${mode}, delete_missing: hard`;
      t.match(await run(keys, 'all.csv'), { status: 'success', rows_out: 4, rows_deleted: 0 });
      const { keeper, ...fewer } = await run(keys, 'fewer.csv');
      t.match(fewer, { status: 'success', rows_out: 3, rows_deleted: 1 });
      t.match(fewer.steps.at(-1), { step_id: 'write', rows_deleted: 1 });
      t.ok(keeper.logs.some(({ message }) => message.includes('1 deleted as missing')));
      t.strictSame(await rowsOf(c, 'SELECT * FROM people ORDER BY id'), [
        { id: 1, name: 'Ann' },
        { id: 3, name: 'Cyrus' },
        { id: 4, name: 'Di' },
      ]);
      t.match(await run(keys, 'fewer.csv'), { rows_deleted: 0 }, 'a second time none goes');
    });
  }

  t.test('soft marks the rows that no longer come, and one that comes again is not missing', async (t) => {
    const keys = 'mode: merge, delete_missing: {action: soft, column: gone_at}';
    await run(keys, 'all.csv');
    t.strictSame(await idsOf(c, 'gone_at IS NULL'), [1, 2, 3, 4]);
    t.match(await run(keys, 'fewer.csv'), { rows_deleted: 1 });
    const [marked] = await rowsOf(c, 'SELECT * FROM people WHERE gone_at IS NOT NULL');
    t.match(marked, { id: 2, name: 'Bob' });
    t.ok(Math.abs(Date.parse(String(marked?.['gone_at'])) - Date.now()) < 60_000);
    t.match(await run(keys, 'fewer.csv'), { rows_deleted: 0 }, 'it is marked once');
    t.strictSame(await rowsOf(c, 'SELECT * FROM people WHERE id = 2'), [marked]);
    await run(keys, 'all.csv');
    t.strictSame(await idsOf(c, 'gone_at IS NULL'), [1, 2, 3, 4]);
  });

  t.test(
    'scd2: soft ends the version of a row that no longer comes, and begins another when it is back',
    async (t) => {
      const keys = 'mode: scd2, delete_missing: soft';
      t.match(await run(keys, 'all.csv'), { status: 'success', rows_out: 4 });
      const fewer = await run(keys, 'fewer.csv');
      t.match(fewer, { status: 'success', rows_out: 1, rows_skipped: 2, rows_deleted: 1 });
      t.strictSame(await idsOf(c, 'is_current'), [1, 3, 4]);
      t.strictSame(await idsOf(c), [1, 2, 3, 3, 4]);
      t.match(await run(keys, 'fewer.csv'), { rows_out: 0, rows_skipped: 3, rows_deleted: 0 });
      t.match(await run(keys, 'all.csv'), { rows_out: 2, rows_deleted: 0 });
      t.strictSame(await idsOf(c, 'is_current'), [1, 2, 3, 4]);
      const bob = await rowsOf(c, 'SELECT * FROM people WHERE id = 2 ORDER BY valid_from');
      t.equal(bob.length, 2);
      t.ok(String(bob[0]?.['valid_to']) < String(bob[1]?.['valid_from']), 'it was not there in between');
    },
  );

  t.test('where too many are missing nothing is loaded at all', async (t) => {
    const keys = 'mode: merge, delete_missing: hard';
    await run(keys, 'all.csv');
    const { status, failure } = await run(keys, 'one.csv');
    t.equal(status, 'error');
    t.match(failure, {
      message:
        /^3 of 4 rows of "people" did not come \(75 %\), and "delete_missing" may take away at most 50 %: nothing was loaded/,
      step_id: 'write',
    });
    t.strictSame(await rowsOf(c, 'SELECT name FROM people WHERE id = 3'), [{ name: 'Cy' }]);
    const more = 'mode: merge, delete_missing: {action: hard, max_share: 0.75}';
    t.match(await run(more, 'one.csv'), { status: 'success', rows_deleted: 3 });
    t.strictSame(await idsOf(c), [3]);
  });

  t.test('where rows have failed none is taken for missing, and the log says why', async (t) => {
    const keys = 'mode: merge, delete_missing: hard';
    await run(keys, 'all.csv');
    const { keeper, ...outcome } = await run(keys, 'bad.csv');
    t.match(outcome, { status: 'warning', rows_out: 2, rows_failed: 1, rows_deleted: 0 });
    t.strictSame(await idsOf(c), [1, 2, 3, 4]);
    const told = keeper.logs.filter(({ message }) => message.startsWith('Missing rows are not deleted'));
    t.match(told, [
      { level: 'warn', message: /1 rows failed in "shape", and their keys are not known/, step_id: 'write' },
    ]);
  });

  t.test('an empty extract deletes nothing unless it may', async (t) => {
    const keys = 'mode: merge, delete_missing: {action: hard, max_share: 1}';
    await run(keys, 'all.csv');
    t.match(await run(keys, 'none.csv'), { status: 'success', rows_deleted: 0 });
    t.strictSame(await idsOf(c), [1, 2, 3, 4]);
    t.match(await run(`${keys}, allow_empty: true`, 'none.csv'), { status: 'success', rows_deleted: 4 });
    t.strictSame(await idsOf(c), []);
  });

  t.test('scd2: the time of a version is what the rows say, and late ones find their place', async (t) => {
    const keys = 'mode: scd2, history: {as_of: at, track: [name], valid_from: since, valid_to: until}';
    const files = [
      'id,name,at\n1,Ann,2024-01-01T00:00:00Z\n',
      'id,name,at\n1,Anna,2024-03-01T12:00:00+02:00\n1,Ane,2024-02-01\n',
    ];
    const { writeFileSync } = await import('node:fs');
    for (const [index, text] of files.entries()) {
      writeFileSync(`${folder}/${index}.csv`, text);
      t.match(await run(keys, `${index}.csv`), { status: 'success' });
    }
    const rows = await rowsOf(c, 'SELECT name, since, until FROM people ORDER BY since');
    const trimmed = rows.map((row) =>
      Object.values(row).map((value) => (value === null ? null : String(value).replace(/\.0+Z$/, 'Z'))),
    );
    t.strictSame(trimmed, [
      ['Ann', '2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z'],
      ['Ane', '2024-02-01T00:00:00Z', '2024-03-01T10:00:00Z'],
      ['Anna', '2024-03-01T10:00:00Z', null],
    ]);
    writeFileSync(`${folder}/odd.csv`, 'id,name,at\n1,Zoe,someday\n2,Bob,2024-01-01\n');
    const { keeper, ...odd } = await run(`${keys}, on_error: dead_letter`, 'odd.csv');
    t.match(odd, { status: 'warning', rows_out: 1, rows_failed: 1 });
    t.match(keeper.letters, [
      { item: { id: 1, name: 'Zoe', at: 'someday' }, column: 'at', value: 'someday' },
    ]);
  });
});
