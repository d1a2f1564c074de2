import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { createKeeper, runYaml } from '../../engine/support/task-run.ts';
import { createMongoDatabase, withoutMongodb } from '../../support/ferretdb.ts';

const yamlOf = (cursor: string, mode: string) => `
version: 1
name: follow
connectors: { source: {type: mongodb}, target: {type: sqlite} }
steps:
  - id: read
    kind: extract
    connector: source
    method: find
    args: {collection: events, columns: [id, at, n]}
    cursor: ${cursor}
  - { id: write, kind: load, input: read, connector: target, object: events, ${mode} }
`;

const at = (day: number, ms = 0) => new Date(Date.UTC(2026, 0, day, 0, 0, 0, ms));

t.test(
  'an extract with a cursor reads what is new, ties and times to the millisecond included',
  { skip: withoutMongodb() },
  async (t) => {
    const { url, db } = await createMongoDatabase(t);
    const events = db.collection('events');
    const folder = t.testdir({});
    const keeper = createKeeper();
    const run = (cursor: string, mode: string) =>
      runYaml({
        folder,
        yaml: yamlOf(cursor, mode),
        connectors: {
          source: { type: 'mongodb', config: { url } },
          target: { type: 'sqlite', config: { path: 'out.db' } },
        },
        keeper,
      });
    const ids = () => {
      const out = new DatabaseSync(join(folder, 'out.db'), { readOnly: true });
      const found = out
        .prepare('SELECT id FROM events ORDER BY id')
        .all()
        .map(({ id }) => id);
      out.close();
      return found;
    };
    const byTime = '{field: at, type: datetime, on_missing: skip}';
    const merge = 'mode: merge, key: [id]';
    await events.insertMany([
      { id: 2, at: at(2), n: 1 },
      { id: 1, at: at(1), n: 1 },
      { id: 9, at: null },
      { id: 8 },
    ]);
    t.match(await run(byTime, merge), { status: 'success' });
    t.strictSame(ids(), [1, 2]);
    t.equal(keeper.checkpoints.get('read')?.value, '2026-01-02T00:00:00.000Z');
    await events.insertMany([
      { id: 3, at: at(2), n: 2 },
      { id: 4, at: at(2, 1), n: 2 },
      { id: 5, at: at(1), n: 2 },
    ]);
    t.match(await run(byTime, merge), { status: 'success' });
    t.strictSame(ids(), [1, 2, 3, 4], 'a tie comes again, what is older does not');
    t.match(await run('{field: at, type: datetime, on_missing: include}', merge), { status: 'success' });
    t.strictSame(ids(), [1, 2, 3, 4, 8, 9], 'those without a value, too');
    const failing = await run('{field: at, type: datetime}', merge);
    t.match(failing, { status: 'error', failure: { message: /a row has no value/ } });
  },
);
