import t from 'tap';
import { hintsOf } from '../../../src/commands/run/run-hints.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';

const parsed = parseTask(`version: 1
name: t
connectors: {db: {type: postgres}, file: {type: csv}}
steps:
  - {id: read, kind: extract, connector: db, method: list, args: {table: t}}
  - {id: more, kind: extract, connector: file, method: read}
  - {id: look, kind: transform, input: more, ops: [{lookup: {connector: db, method: list, args: {table: t}, on: [id], fields: [name]}}]}
`);
if (!parsed.ok) throw new Error('the task does not parse');
const { task } = parsed;
const failure = (code: string, message: string, step_id = 'read') => ({
  failure: { code, message, step_id },
});

t.test('a connector that nobody gave comes with its flag', async (t) => {
  t.same(hintsOf(failure('VALIDATION_ERROR', 'The task cannot run', ''), task, {}), [
    'Pass "db" with --connector db=postgres://…, or in connectors.yaml',
    'Pass "file" with --connector file=csv:PATH, or in connectors.yaml',
  ]);
});

t.test('a database that does not answer comes with its address, and without its password', async (t) => {
  const url = 'postgres://ada:s3cret@db.example:5433/x';
  for (const config of [{ url }, { host: 'db.example', port: 5433, password: 's3cret' }])
    for (const step of ['read', 'look'])
      t.same(
        hintsOf(failure('CONNECTOR_UNAVAILABLE', 'PostgreSQL cannot be reached', step), task, {
          db: { name: 'db', type: 'postgres', config },
        }),
        ['The connector "db" points to db.example:5433: is the server running there?'],
        step,
      );
});

t.test('a database that is there, and slow or busy, is not looked for', async (t) => {
  const byName = { db: { name: 'db', type: 'postgres', config: { host: 'db.example' } } };
  for (const message of [
    'The database gave no rows for 60.0 s, and the read was ended: see "statement_timeout_ms" of the connector',
    'PostgreSQL is unavailable for now: sorry, too many clients already',
  ])
    t.same(hintsOf(failure('CONNECTOR_UNAVAILABLE', message), task, byName), []);
});

t.test('a file outside the folders comes with the flag that allows it', async (t) => {
  const byName = { file: { name: 'file', type: 'csv', config: { path: '/x.csv' } } };
  const message = 'The file "/x.csv" is outside the folders allowed for files';
  t.match(hintsOf(failure('CONNECTOR_CONFIG', message, 'more'), task, byName), [/--file-root FOLDER/]);
  t.same(hintsOf(failure('CONNECTOR_CONFIG', 'The file is empty', 'more'), task, byName), []);
  t.same(hintsOf({ failure: null }, task, byName), []);
});
