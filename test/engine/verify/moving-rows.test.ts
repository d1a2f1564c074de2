import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Connection } from '../../../src/drivers/driver.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { execute } from '../../drivers/sql/engines.ts';
import { createKeeper, driversWith, runYaml } from '../support/task-run.ts';
import { compare, openSide, SIDES } from './support/sides.ts';

t.setTimeout(120_000);

const [postgres] = SIDES;
if (postgres === undefined) throw new Error('there is no such side');

const yaml = (keys = '', target = 'b') => `
version: 1
name: check
connectors: { a: {type: csv}, b: {type: sqlite} }
steps:
  - { id: check, kind: verify, source: {connector: a, object: rows.csv}, target: {connector: ${target}, object: rows}, key: [id]${keys} }
`;

t.test('a row that was written between two snapshots is not blamed', async (t) => {
  const folder = t.testdir({ 'rows.csv': 'id,v\n1,a\n2,b\n' });
  const connectors = {
    a: { type: 'csv', config: { path: '.' } },
    b: { type: 'sqlite', config: { path: 'b.db' } },
  };
  const load =
    yaml().replace(/steps:[\s\S]*/, '') +
    `steps:
  - { id: read, kind: extract, connector: a, method: read, args: {file: rows.csv} }
  - { id: write, kind: load, input: read, connector: b, object: rows, mode: replace }
`;
  await runYaml({ folder, yaml: load, connectors, input: { run: { id: 1, attempt: 1 } } });
  writeFileSync(join(folder, 'rows.csv'), 'id,v\n1,a\n2,late\n3,lost\n');
  let reads = 0;
  // The target gets the row after its first reading.
  const drivers = driversWith(
    'csv',
    (connection): Connection => ({
      ...connection,
      read: (request) => {
        reads += 1;
        if (reads === 2) writeFileSync(join(folder, 'rows.csv'), 'id,v\n1,a\n2,b\n3,lost\n');
        return connection.read(request);
      },
    }),
  );
  const outcome = await runYaml({
    folder,
    yaml: yaml(),
    connectors,
    drivers,
    input: { run: { id: 2, attempt: 1 } },
  });
  t.match(outcome, { status: 'error', failure: { code: 'VERIFY_DIFFERS' } });
  t.match(outcome.steps[0]?.verification, { differing: 0, missing: 1, settled: 1 });
});

t.test('a comparison that is cancelled ends at once, and leaves the server nothing to do', async (t) => {
  const folder = t.testdir();
  const [source, target] = [await openSide(t, postgres, folder), await openSide(t, postgres, folder)];
  for (const { connection } of [source, target])
    await execute(connection, 'CREATE VIEW rows AS SELECT 1 AS id, pg_sleep(30)::text AS v');
  const control = new AbortController();
  setTimeout(() => control.abort(), 500);
  const from = performance.now();
  const keeper = createKeeper();
  const text = yaml().replace('csv', 'postgres').replace('sqlite', 'postgres').replace('rows.csv', 'rows');
  const connectors = { a: source.connector, b: target.connector };
  const outcome = await runYaml({ folder, yaml: text, connectors, keeper, signal: control.signal });
  t.equal(outcome.status, 'cancelled');
  t.ok(performance.now() - from < 10_000);
});

t.test('many rows that differ are sorted on disk, counted, and listed as far as the step says', async (t) => {
  const folder = t.testdir();
  const [, , sqlite] = SIDES;
  if (sqlite === undefined) throw new Error('there is no such side');
  const [source, target] = [await openSide(t, postgres, folder), await openSide(t, sqlite, folder)];
  const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, v: `value ${id} ${'x'.repeat(300)}` }));
  const types = { id: 'integer', v: 'string' } as const;
  await source.put('rows', types, rows);
  await target.put(
    'rows',
    types,
    rows.slice(10).map(({ id, v }) => ({ id, v: `${v}.` })),
  );
  const { found } = await compare(
    folder,
    source,
    target,
    'key: [id]\n    differences_max: 3',
    'rows',
    join(folder, 'spill'),
  );
  t.match(found, { rows_source: 30_000, rows_target: 29_990, differing: 29_990, missing: 10, surplus: 0 });
  t.equal(found.differences.length, 3);
  const sampled = await compare(
    folder,
    source,
    target,
    'key: [id]\n    sample: 0.1',
    'rows',
    join(folder, 'spill'),
  );
  t.ok(
    sampled.found.rows_source > 2_500 && sampled.found.rows_source < 3_500,
    `${sampled.found.rows_source} rows`,
  );
  t.ok(sampled.found.differing + sampled.found.missing === sampled.found.rows_source);
});

t.test('what cannot be compared is told by the validator, or before anything is read', async (t) => {
  const problems = (text: string) => {
    const parsed = parseTask(text);
    return parsed.ok ? [] : parsed.problems.map(({ message }) => message);
  };
  t.same(problems(yaml()), []);
  t.match(problems(yaml('', 'nix')), [/There is no connector "nix"/]);
  t.match(problems(yaml(', sample: 0')), [/"sample" must be from/]);
  t.match(problems(yaml(', on_difference: dead_letter')), [/must be one of fail, warn, reload/]);
  t.match(problems(yaml().replace('key: [id]', 'key: []')), [/must name at least one field/]);
  t.match(problems(yaml().replace('object: rows.csv', 'method: read, object: rows.csv')), [
    /cannot be combined/,
  ]);
  t.match(problems(yaml().replace(', object: rows.csv', '')), [/"object" .* or "method" is required/]);
  t.match(problems(yaml().replace('object: rows.csv', 'object: rows.csv, args: {}')), [
    /no "method" beside it/,
  ]);
  const reload = yaml(', on_difference: reload').replace(
    'object: rows}',
    'method: list, args: {table: rows}}',
  );
  t.match(problems(reload), [/writes into the "object"/]);

  const folder = t.testdir({ 'rows.csv': 'id,v\n1,a\n', 'other.csv': 'nr,w\n1,a\n' });
  const files = { a: { type: 'csv', config: { path: '.' } }, b: { type: 'csv', config: { path: '.' } } };
  const run = (keys: string) =>
    runYaml({
      folder,
      yaml: yaml(keys).replace('sqlite', 'csv').replace('object: rows}', 'object: other.csv}'),
      connectors: files,
    });
  t.match((await run('')).failure?.message, /The target has no column "id"; it has nr, w/);
  const mapped = await run('').then(() =>
    runYaml({
      folder,
      yaml: yaml()
        .replace('sqlite', 'csv')
        .replace('object: rows}', 'object: other.csv}')
        .replace('key: [id]', 'key: {id: nr}'),
      connectors: files,
    }),
  );
  t.match(mapped.steps[0]?.verification, { equal: true, columns: [], left_out: ['v', 'w'] }, 'keys alone');
});
