import t from 'tap';
import { loadConnectorTypes } from '../../../src/drivers/registry.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';

const connectorTypes = await loadConnectorTypes();

/** "line:column path: message" of every problem of an extract, and of what stands after it, in flow style. */
function problemsOf(partition: string, { extract = LIST, load = LOAD } = {}): readonly string[] {
  const parsed = parseTask(
    `version: 1
name: t
connectors: { file: {type: csv}, db: {type: postgres}, docs: {type: mongodb}, lite: {type: sqlite}, my: {type: mysql} }
steps:
  - { id: r, kind: extract, ${extract}, partition: ${partition} }
${load}
`,
    { connectorTypes },
  );
  if (parsed.ok) return [];
  return parsed.problems.map(({ path, message, line, column }) => `${line}:${column} ${path}: ${message}`);
}

const LIST = 'connector: db, method: list, args: {table: s}';
const load = (more: string, input = 'r', id = 'w') =>
  `  - { id: ${id}, kind: load, input: ${input}, connector: db, object: t, ${more} }`;
const LOAD = load('mode: replace');

t.test('the two divisions are taken, in every mode that publishes parts together', async (t) => {
  t.same(problemsOf('{by: id, parts: 8}'), []);
  t.same(problemsOf('{by: kind, values: [a, 7, true], concurrency: 2}'), []);
  for (const mode of ['append', 'truncate_insert', 'merge, key: [id]', 'insert_only, key: [id]'])
    t.same(problemsOf('{by: id, parts: 1}', { load: load(`mode: ${mode}`) }), []);
  const shape = '  - { id: s, kind: transform, input: r, ops: [{filter: "item.id > 1"}] }';
  t.same(problemsOf('{by: id, parts: 8}', { load: `${shape}\n${load('mode: replace', 's')}` }), []);
});

t.test('each SQL database takes parts, and says of which connectors no other executor helps', async (t) => {
  const to = (name: string, more = 'mode: replace') =>
    `  - { id: w, kind: load, input: r, connector: ${name}, object: t, ${more} }`;
  for (const name of ['db', 'lite', 'my']) t.same(problemsOf('{by: id, parts: 8}', { load: to(name) }), []);
  const two = '{by: id, parts: 8, slots: 2}';
  for (const name of ['db', 'my']) t.same(problemsOf(two, { load: to(name) }), []);
  const alone =
    /^5:.*partition\.slots: "slots: 2" has no effect: "lite" \(sqlite\) may be local to one executor/;
  t.match(problemsOf(two, { load: to('lite') }), [alone]);
  t.match(problemsOf(two, { extract: LIST.replace('db', 'lite') }), [alone]);
  const lookup =
    '  - { id: s, kind: transform, input: r, ops: [{lookup: {connector: lite, args: {table: k}, on: {id: id}, fields: [v]}}] }';
  t.match(problemsOf(two, { load: `${lookup}\n${load('mode: replace', 's')}` }), [alone]);
  t.match(problemsOf(two, { load: to('db', 'mode: append, on_error: {action: dead_letter}') }), [
    /slots: "slots: 2" has no effect: "w" keeps failed rows as dead letters, so all parts stay on the run’s executor\. Remove "slots"/,
  ]);
  t.same(problemsOf('{by: id, parts: 8, slots: 1}', { load: to('lite') }), []);
});

t.test('a division that says too little, too much or nothing', async (t) => {
  t.match(problemsOf('{by: id, parts: 2}', { load: load('mode: replace, schema: {types: evolve}') }), [
    /steps\[\d\]\.schema\.types: "evolve" cannot be used with the parts of "r"/,
  ]);
  t.match(problemsOf('{parts: 8}'), [
    /^5:.* steps\[0\]\.partition\.by: "by", the column to partition by, is required/,
  ]);
  t.match(problemsOf('{by: id}'), [
    /"parts" \(a number of ranges\), "values" \(a list of values\) or "files" \(a number of parts of whole files\) is required/,
  ]);
  t.match(problemsOf('{by: id, parts: 2, values: [a]}'), [
    /"values" and "parts" cannot be combined; keep one/,
  ]);
  t.match(problemsOf('{by: id, parts: 0}'), [/partition\.parts: "parts" must be from 1 to 256, not 0/]);
  t.match(problemsOf('{by: id, parts: 257}'), [/partition\.parts: "parts" must be from 1 to 256, not 257/]);
  t.match(problemsOf('{by: id, parts: 2.5}'), [/partition\.parts: "parts" must be a whole number, not 2.5/]);
  t.match(problemsOf('{by: id, values: []}'), [/partition\.values: "values" must not be empty/]);
  t.match(problemsOf('{by: id, values: [a, a]}'), [/partition\.values\[1\]: "a" is in "values" twice/]);
  t.match(problemsOf('{by: id, values: [a, null]}'), [
    /values\[1\]: A value of "values" must be a text, a number, true or false, not nothing; rows without a value/,
  ]);
  t.match(problemsOf('{by: id, parts: 2, concurrency: 17}'), [
    /partition\.concurrency: "concurrency" must be from 1 to 16, not 17/,
  ]);
  t.match(problemsOf('{by: id, part: 2}'), [
    /is required/,
    /partition\.part: Unknown key "part"; did you mean "parts"\?/,
  ]);
  t.match(problemsOf('{by: day, files: true}'), [
    /partition\.by: "by" has no effect/,
    /partition\.files: "files" must be a whole number, not true or false/,
  ]);
  t.match(problemsOf('3'), [/partition: "partition" must be a map, not a number/]);
});

t.test('a method that cannot be limited to a part is named', async (t) => {
  const sql = 'connector: db, method: query, args: {sql: SELECT 1}';
  t.match(problemsOf('{by: id, parts: 2}', { extract: sql }), [
    /partition: "query" of a postgres connector cannot be limited to a part: use "list" of a SQL database/,
  ]);
  t.match(problemsOf('{by: id, parts: 2}', { extract: 'connector: file, method: read' }), [
    /"read" of a csv connector cannot be limited to a part/,
  ]);
  const cut = 'connector: db, method: list, args: {table: s, limit: 5, sort: [id], columns: [n]}';
  t.match(problemsOf('{by: id, parts: 2}', { extract: cut }), [
    /args\.limit: "limit" would apply to each part separately: remove it/,
    /args\.sort: "sort" would apply to each part separately: remove it/,
    /args\.columns: "columns" must include "id", the partition column/,
  ]);
  t.match(problemsOf('{by: id, parts: 2}', { extract: `${LIST}, cursor: {field: id, type: integer}` }), [
    /partition: "partition" and "cursor" cannot be combined/,
  ]);
});

t.test('what stands behind the parts must take them one after another, into one load', async (t) => {
  const parts = '{by: id, parts: 2}';
  t.match(problemsOf(parts, { load: '  - { id: l, kind: log, message: hi }' }), [
    /partition: "partition" needs a load that publishes the parts: no load reads these rows/,
  ]);
  t.match(problemsOf(parts, { load: `${LOAD}\n${load('mode: append', 'r', 'v')}` }), [
    /^7:.*input: The parts of "r" can be published by only one load, already "w": give "v" its own extract/,
  ]);
  const sorted = '  - { id: s, kind: transform, input: r, ops: [{dedupe: {by: id}}] }';
  t.match(problemsOf(parts, { load: `${sorted}\n${load('mode: append', 's')}` }), [
    /steps\[1\]\.input: The rows of "r" come in parts, which operations that need all rows cannot process/,
  ]);
  t.match(problemsOf(parts, { load: load('mode: scd2, key: [id]') }), [
    /mode: A postgres connector cannot publish the parts of "r" with mode "scd2"; use append, replace/,
  ]);
  t.match(problemsOf(parts, { load: load('mode: merge, key: [id], delete_missing: hard') }), [
    /delete_missing: "delete_missing" cannot be used with the parts of "r": use "mode: replace"/,
  ]);
  t.match(problemsOf(parts, { load: LOAD.replace('connector: db', 'connector: docs') }), [
    /connector: A mongodb connector cannot publish the parts of "r" together: remove its "partition"/,
  ]);
});

t.test('a divided extract stands in the steps of the task itself', async (t) => {
  const parsed = parseTask(
    `version: 1
name: t
connectors: { db: {type: postgres} }
steps:
  - id: each
    kind: foreach
    in_expr: "[1, 2]"
    steps:
      - { id: r, kind: extract, ${LIST}, partition: {by: id, parts: 2} }
    ${LOAD}
`,
    { connectorTypes },
  );
  t.match(parsed.ok ? [] : parsed.problems.map(({ message }) => message), [
    'An extract with "partition" must be in the task’s own "steps", not inside another step',
  ]);
});

t.test('files are shared out where the method reads files by a pattern', async (t) => {
  const files = (args: string, more = '') => ({
    extract: `connector: file, method: read, args: ${args}${more}`,
  });
  t.same(problemsOf('{files: 8}', files('{files: "*.csv"}')), []);
  t.same(problemsOf('{files: 8, slots: 4}', files('{files: "*.csv"}')), []);
  const cursor = (field: string) => `, cursor: {field: ${field}, type: datetime}`;
  const changed = '{files: "*.csv", modified_column: changed}';
  t.same(problemsOf('{files: 8}', files(changed, cursor('changed'))), []);
  t.match(problemsOf('{files: 8}', files(changed, cursor('id'))), [
    /partition: A cursor beside "partition: \{files\}" must be on the "modified_column" of "args"/,
  ]);
  t.match(problemsOf('{files: 8}', files('{file: a.csv}')), [
    /partition\.files: "files" shares out many files: name them by a pattern, "files" in "args"/,
  ]);
  t.match(problemsOf('{files: 8}'), [
    /partition\.files: "list" of a postgres connector reads no files: use "by" with "parts" or "values"/,
  ]);
  t.match(problemsOf('{files: 8}', { extract: 'connector: docs, method: find, args: {collection: c}' }), [
    /"find" of a mongodb connector reads no files: use "read" of a connector of files/,
  ]);
  t.match(problemsOf('{by: id, files: 8}', files('{files: "*.csv"}')), [
    /partition\.by: "by" has no effect: "files" divides by whole files, not by a column/,
  ]);
  t.match(problemsOf('{files: 8, parts: 2}', files('{files: "*.csv"}')), [
    /"files" and "parts" cannot be combined/,
  ]);
  t.match(problemsOf('{by: id, parts: 2}', files('{files: "*.csv"}')), [
    /cannot be limited to a part: use "list" of a SQL database, or divide by whole files: "partition: \{files: 8\}"/,
  ]);
  t.match(problemsOf('{files: 0}', files('{files: "*.csv"}')), [/"files" must be from 1 to 256, not 0/]);
});
