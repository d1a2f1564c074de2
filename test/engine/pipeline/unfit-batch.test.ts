import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t, { type Test } from 'tap';
import { createKeeper, runYaml } from '../support/task-run.ts';

const yaml = (onError: string) => `version: 1
name: t
connectors: { f: { type: json }, s: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: f, method: read }
  - { id: write, kind: load, input: read, connector: s, object: x, mode: append, on_error: ${onError} }`;
const connectors = {
  f: { type: 'json', config: { path: 'in.ndjson' } },
  s: { type: 'sqlite', config: { path: 'x.db' } },
};

function folderWith(t: Test, rows: readonly object[]): string {
  const folder = t.testdir({ 'in.ndjson': rows.map((row) => `${JSON.stringify(row)}\n`).join('') });
  const db = new DatabaseSync(join(folder, 'x.db'));
  db.exec('CREATE TABLE x (id int, a int CHECK (a < 10))');
  db.close();
  return folder;
}

const ROWS = [
  { id: 1, a: 1 },
  { id: 2, a: 50 },
  { id: 3, a: 3 },
];

t.test('no row is accused of what any row of its batch may have done', async (t) => {
  const run = { folder: folderWith(t, ROWS), yaml: yaml('fail'), connectors, keeper: createKeeper() };
  const { status, failure } = await runYaml(run);
  t.equal(status, 'error');
  t.match(failure, {
    code: 'DATA_ERROR',
    message:
      /CHECK constraint failed: a<?.* \(in a batch of 3 rows, row id=1 on line 1 of in\.ndjson to row id=3 on line 3 of in\.ndjson; on_error: dead_letter names the row\)$/,
  });
});

t.test('a batch of one row names it, and dead letters name theirs', async (t) => {
  const [, bad] = ROWS;
  const alone = {
    folder: folderWith(t, [bad as object]),
    yaml: yaml('fail'),
    connectors,
    keeper: createKeeper(),
  };
  t.match((await runYaml(alone)).failure, { message: /\(row id=2 on line 1 of in\.ndjson\)$/ });
  const keeper = createKeeper();
  t.match(await runYaml({ ...alone, folder: folderWith(t, ROWS), yaml: yaml('dead_letter'), keeper }), {
    status: 'warning',
    rows_out: 2,
  });
  t.match(keeper.letters, [{ item: { id: 2, a: 50 }, origin: { line: 2 } }]);
});
