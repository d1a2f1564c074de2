import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { rowsOf, runYaml } from './support/task-run.ts';

t.test('rows that a delete does not find count as skipped', async (t) => {
  const folder = t.testdir({ 'in.csv': 'id,name\n1,Ann\n2,Bob\n3,Cy\n', 'gone.csv': 'id\n2\n2\n7\n' });
  const yaml = (file: string, mode: string) => `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: {file: ${file}} }
  - { id: write, kind: load, input: read, connector: target, object: people, ${mode} }
`;
  const connectors = {
    source: { type: 'csv', config: { path: '.' } },
    target: { type: 'sqlite', config: { path: 'out.db' } },
  };
  await runYaml({ folder, yaml: yaml('in.csv', 'mode: truncate_insert'), connectors });
  const deleted = await runYaml({ folder, yaml: yaml('gone.csv', 'mode: delete, key: [id]'), connectors });
  t.match(deleted, { status: 'success', rows_in: 3, rows_out: 1, rows_skipped: 2 });
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT name FROM people'), [{ name: 'Ann' }, { name: 'Cy' }]);
});

t.test(
  'of a merge, rows that the target refuses for another row are alone among the dead letters',
  async (t) => {
    const folder = t.testdir({ 'in.csv': 'id,mail\n1,a@x\n2,b@x\n3,a@x\n4,c@x\n5,old@x\n' });
    const db = new DatabaseSync(join(folder, 'out.db'));
    db.exec('CREATE TABLE people (id INTEGER PRIMARY KEY, mail TEXT UNIQUE)');
    db.exec(`INSERT INTO people VALUES (9, 'old@x')`);
    db.close();
    const yaml = `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: people, mode: merge, key: [id], on_error: dead_letter }
`;
    const connectors = {
      source: { type: 'csv', config: { path: 'in.csv' } },
      target: { type: 'sqlite', config: { path: 'out.db' } },
    };
    const { keeper, ...outcome } = await runYaml({ folder, yaml, connectors });
    t.match(outcome, { status: 'warning', rows_in: 5, rows_out: 3, rows_failed: 2 });
    t.match(keeper.letters, [
      { item: { id: 3, mail: 'a@x' }, column: 'mail', value: 'a@x', origin: { line: 4 } },
      { item: { id: 5, mail: 'old@x' }, column: 'mail', value: 'old@x', origin: { line: 6 } },
    ]);
  },
);
