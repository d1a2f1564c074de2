import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { operationsTable, testedByOf } from './operations-table.ts';
import { startFullApp } from './support/full-app.ts';

const TABLE = readFileSync(join(import.meta.dirname, 'operations.md'), 'utf8');

t.test('the checked-in table is that of the routes', async (t) => {
  const full = await startFullApp(t);
  const table = operationsTable(full.document(), full.routes, testedByOf(TABLE));
  t.ok(table === TABLE, 'run `node test/openapi-generate.ts` after a change on purpose');
});

t.test('no operation is untested', async (t) => {
  const testedBy = testedByOf(TABLE);
  const full = await startFullApp(t);
  const untested = Object.entries(full.document().paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .map((method) => `${method.toUpperCase()} ${path}`)
      .filter((at) => (testedBy.get(at)?.size ?? 0) === 0),
  );
  t.same(untested, [], 'no test got these to succeed, or none was recorded: see the table’s head');
});

t.test('a test that the table names is there', async (t) => {
  const testedBy = [...testedByOf(TABLE)];
  t.ok(testedBy.length > 150, `${testedBy.length} operations`);
  const gone = testedBy.flatMap(([, files]) =>
    [...files].filter((file) => !existsSync(join(import.meta.dirname, file))),
  );
  t.same([...new Set(gone)], [], 'these files are no longer there');
});
