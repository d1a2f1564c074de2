import t from 'tap';
import { answer, startApi } from '../drivers/http/http-api.ts';
import { execute } from '../drivers/sql/engines.ts';
import { createMongoDatabase, withoutMongodb } from '../support/ferretdb.ts';
import { onEachDatabase } from './support/sql-targets.ts';
import { type Connectors, createKeeper, runYaml } from './support/task-run.ts';

const LINES = ['_id,name,n', '1,Ann,1', '2,"a', 'b",2', '', '3,Cy,x', '4,Łódź,4', '1,Di,5', '6,ok,6'];
const FILES = { 'in.csv': `${LINES.join('\n')}\n` };

/** A dead letter, as what a person looks for: the line of the file, the column and its value. */
type Found = readonly [line: number, column: string | null, value: unknown];

/** What a load of the file rejects, in the order of its lines. */
async function rejected(folder: string, target: Connectors[string], load: string): Promise<readonly Found[]> {
  const yaml = `
version: 1
name: origins
connectors: { source: {type: csv}, target: {type: ${target.type}} }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: {typed: false}, batch: {size: 3} }
  - { id: write, kind: load, input: read, connector: target, ${load}, on_error: dead_letter }
`;
  const keeper = createKeeper();
  const source = { type: 'csv', config: { path: 'in.csv' } };
  const outcome = await runYaml({ folder, yaml, connectors: { source, target }, keeper });
  if (outcome.failure !== null) throw new Error(outcome.failure.message);
  const found = keeper.letters.map(({ origin, column, value }): Found => {
    if (origin?.file !== 'in.csv') throw new Error(`no file: ${JSON.stringify(origin)}`);
    return [origin.line ?? 0, column ?? null, value];
  });
  return found.toSorted(([a], [b]) => a - b);
}

onEachDatabase(t, FILES, async (t, { connector, connection }, folder) => {
  const strict = connector.type === 'sqlite' ? ' STRICT' : '';
  const text = connector.type === 'sqlite' ? 'text' : 'varchar(99)';
  await execute(connection, `CREATE TABLE o (_id integer PRIMARY KEY, name ${text}, n integer)${strict}`);
  t.strictSame(await rejected(folder, connector, 'object: o'), [
    [6, 'n', 'x'],
    [8, '_id', '1'],
  ]);
});

t.test('a document store', { skip: withoutMongodb() }, async (t) => {
  const { url } = await createMongoDatabase(t);
  const target = { type: 'mongodb', config: { url } };
  t.strictSame(await rejected(t.testdir(FILES), target, 'object: o'), [[8, '_id', '1']]);
});

t.test('a file, in an encoding that lacks a character', async (t) => {
  const target = { type: 'csv', config: { path: '.', encoding: 'latin1' } };
  t.strictSame(await rejected(t.testdir(FILES), target, 'object: out.csv'), [[7, 'name', 'Łódź']]);
});

t.test('an API that refuses a record names no column of it', async (t) => {
  const api = await startApi(t, (_query, { body }, _index, response) =>
    JSON.parse(body).n === 'x' ? answer(response, 422, '{"error":"n must be a number"}') : {},
  );
  const resources = { o: { path: '/o', write: { append: { idempotent: true } } } };
  const target = { type: 'http', config: { base_url: api.base, resources } };
  t.strictSame(await rejected(t.testdir(FILES), target, 'object: o'), [[6, null, undefined]]);
});

t.test('a target for tests', async (t) => {
  const target = { type: 'dummy', config: { fail_rows: { field: 'n', values: ['x', '4'] } } };
  t.strictSame(await rejected(t.testdir(FILES), target, 'object: o'), [
    [6, 'n', 'x'],
    [7, 'n', '4'],
  ]);
});
