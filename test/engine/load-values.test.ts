import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { rowsOf, runYaml } from './support/task-run.ts';

const connectors = {
  source: { type: 'json', config: { path: 'in.ndjson' } },
  target: { type: 'sqlite', config: { path: 'out.db' } },
};

const yaml = (load: string, between = '') => `
version: 1
name: people
connectors: { source: {type: json}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
${between}  - { id: write, kind: load, input: ${between === '' ? 'read' : 'shape'}, connector: target, object: people, ${load} }
`;

const lines = (...rows: unknown[]) => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;

function table(folder: string, sql: string): void {
  const db = new DatabaseSync(join(folder, 'out.db'));
  db.exec(sql);
  db.close();
}

const PEOPLE = `CREATE TABLE people (id INTEGER PRIMARY KEY, a TEXT DEFAULT 'none', b TEXT);
  INSERT INTO people VALUES (1, 'old', 'keep'), (2, 'old', 'keep')`;
const RECORDS = lines({ id: 1, a: 'new' }, { id: 2, b: null }, { id: 3, b: 'x' });

t.test('a merge touches only the columns that its record has, through steps that hand it on', async (t) => {
  const between = `  - id: shape
    kind: transform
    input: read
    ops: [{ rename: { a: c } }, { cast: { c: string } }, { set: { d: 'item.c', e: 'item.nothing' } }, { drop: [e] }, { rename: { d: a } }, { drop: [c] }]
`;
  for (const steps of ['', between]) {
    const folder = t.testdir({ 'in.ndjson': RECORDS });
    table(folder, PEOPLE);
    const outcome = await runYaml({ folder, yaml: yaml('mode: merge, key: [id]', steps), connectors });
    t.match(outcome, { status: 'success', rows_out: 3 });
    t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT id, a, b FROM people ORDER BY id'), [
      { id: 1, a: 'new', b: 'keep' },
      { id: 2, a: 'old', b: null },
      { id: 3, a: 'none', b: 'x' },
    ]);
  }
});

t.test('with "absent: null" a key that a record lacks is null', async (t) => {
  const folder = t.testdir({ 'in.ndjson': RECORDS });
  table(folder, PEOPLE);
  await runYaml({ folder, yaml: yaml('mode: merge, key: [id], absent: null'), connectors });
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT id, a, b FROM people ORDER BY id'), [
    { id: 1, a: 'new', b: null },
    { id: 2, a: null, b: null },
    { id: 3, a: null, b: 'x' },
  ]);
});

t.test('a dedupe hands on what is absent as absent', async (t) => {
  const between = `  - id: shape
    kind: transform
    input: read
    ops: [{ dedupe: { by: [id] } }]
`;
  const folder = t.testdir({ 'in.ndjson': RECORDS });
  table(folder, PEOPLE);
  await runYaml({ folder, yaml: yaml('mode: merge, key: [id]', between), connectors });
  t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT b FROM people WHERE id = 1'), [{ b: 'keep' }]);
});

t.test(
  'a value that does not fit is a dead letter; "lossy" lets it, and the record of the run says so',
  async (t) => {
    const folder = t.testdir({ 'in.ndjson': lines({ id: 1, n: 1.5 }, { id: 2, n: 2 }, { id: 3, n: -2.5 }) });
    const sql = 'CREATE TABLE people (id INTEGER PRIMARY KEY, n INTEGER) STRICT';
    table(folder, sql);
    const { keeper, ...refused } = await runYaml({
      folder,
      yaml: yaml('mode: append, on_error: dead_letter'),
      connectors,
    });
    t.match(refused, { status: 'warning', rows_out: 1, rows_failed: 2 });
    t.match(keeper.letters, [
      { item: { id: 1, n: 1.5 }, column: 'n', value: 1.5 },
      { item: { id: 3, n: -2.5 }, column: 'n', value: -2.5 },
    ]);
    table(folder, `DROP TABLE people; ${sql}`);
    const let_ = await runYaml({
      folder,
      yaml: yaml('mode: replace, lossy: { n: round, m: round }'),
      connectors,
    });
    t.match(let_, { status: 'success', rows_out: 3 });
    t.strictSame(rowsOf(join(folder, 'out.db'), 'SELECT n FROM people ORDER BY id'), [
      { n: 2 },
      { n: 2 },
      { n: -3 },
    ]);
    const step = let_.steps.find(({ step_id }) => step_id === 'write');
    t.strictSame(step?.losses, [{ object: 'people', column: 'n', count: 2 }]);
    const said = let_.keeper.logs.map(({ message }) => message).join('\n');
    t.match(said, '"n" of "people" holds 2 values with less than came, as "lossy" allows');
    t.match(said, '"lossy" names "m", which is no column of the rows for "people"');
  },
);

t.test('records keep their keys from file to file', async (t) => {
  const folder = t.testdir({ 'in.ndjson': RECORDS });
  const files = {
    source: connectors.source,
    target: { type: 'json', config: { path: '.' } },
  };
  const copy = yaml('mode: replace')
    .replace('{type: sqlite}', '{type: json}')
    .replace('object: people', 'object: out.ndjson');
  await runYaml({ folder, yaml: copy, connectors: files });
  t.equal(readFileSync(join(folder, 'out.ndjson'), 'utf8'), RECORDS);
});
