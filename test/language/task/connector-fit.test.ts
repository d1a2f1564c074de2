import t from 'tap';
import { loadConnectorTypes } from '../../../src/drivers/registry.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';

const connectorTypes = await loadConnectorTypes();

const HEAD = `version: 1
name: fits
connectors: { file: {type: csv}, db: {type: sqlite}, old: {type: parquet} }
args: { since: {type: string} }
steps:
`;

/** "line:column path: message" of every problem of a task with these steps. */
function problemsOf(steps: string, head = HEAD): readonly string[] {
  const parsed = parseTask(head + steps, { connectorTypes });
  if (parsed.ok) return [];
  return parsed.problems.map(({ path, message, line, column }) => `${line}:${column} ${path}: ${message}`);
}

const EXTRACT = '  - {id: r, kind: extract, connector: ';
const CALL = '  - {id: c, kind: call, connector: ';

t.test('a connector type that this build does not have is refused where it is declared', async (t) => {
  const head = (type: string) => `version: 1\nname: t\nconnectors: {f: {type: ${type}}}\nsteps:\n`;
  const step = '  - {id: r, kind: extract, connector: f, method: anything, args: {any: thing}}\n';
  t.same(problemsOf(step, head('cvs')), [
    '3:24 connectors.f.type: Unknown connector type "cvs"; did you mean "csv"?',
  ]);
  t.match(problemsOf(step, head('mainframe')), [/Unknown connector type "mainframe"; there are sqlite, /]);
  t.match(parseTask(head('mainframe') + step), { ok: true }, 'what is stored already is read as before');
});

t.test('a step takes a method that its connector has, of a kind that it can use', async (t) => {
  t.same(problemsOf(`${EXTRACT}file, method: reed}`), [
    '6:53 steps[0].method: A csv connector has no method "reed"; did you mean "read"?',
  ]);
  t.match(problemsOf(`${EXTRACT}file, method: download}`), [/no method "download"; there are read, /]);
  t.match(problemsOf(`${EXTRACT}db, method: insert, args: {table: t, rows: [{a: 1}]}}`), [
    /steps\[0\]\.method: "insert" writes; an extract step takes a method that gives rows: query, list/,
  ]);
  t.match(problemsOf(`${CALL}db, method: query, args: {sql: x}}`), [/"query" gives rows; a call step takes/]);
  t.match(problemsOf(`${CALL}file, method: sum}`), [/no method "sum", and none for a call step/]);
  t.same(problemsOf(`${CALL}db, method: execute, args: {sql: VACUUM}}`), []);
});

t.test('rows that no longer come are told by connectors that can tell them', (t) => {
  const head = HEAD.replace('{type: parquet}', '{type: dummy}');
  const load = (connector: string) =>
    `  - {id: r, kind: extract, connector: file, method: read}
  - {id: w, kind: load, input: r, connector: ${connector}, object: t, mode: merge, key: [id], delete_missing: soft}\n`;
  t.same(problemsOf(load('db'), head), []);
  t.match(problemsOf(load('old'), head), [
    /steps\[1\]\.delete_missing: A dummy connector cannot detect missing rows/,
  ]);
  t.end();
});

t.test('values are held against types where the columns of a connector have some', (t) => {
  const load = (connector: string) =>
    `  - {id: r, kind: extract, connector: file, method: read}
  - {id: w, kind: load, input: r, connector: ${connector}, object: t, schema: {types: freeze}}\n`;
  t.same(problemsOf(load('db')), []);
  t.match(problemsOf(load('file')), [
    /steps\[1\]\.schema\.types: "types" has no effect: the columns of a csv connector have no types/,
  ]);
  t.end();
});

t.test('arguments have the names and the types that the method takes', async (t) => {
  const list = (args: string) => problemsOf(`${EXTRACT}db, method: list, args: {${args}}}`);
  t.same(list('tabel: t'), [
    '6:63 steps[0].args: The argument "table" is required',
    '6:64 steps[0].args.tabel: "list" has no argument "tabel"; did you mean "table"?',
  ]);
  t.match(problemsOf(`${EXTRACT}db, method: list}`), [/^6:51 .*"table" is required/]);
  t.match(list('table: t, limit: many'), [/args\.limit: "limit" must be a number, not "many"/]);
  t.match(list('table: t, limit: 0'), [/args\.limit: "limit" must be at least 1/]);
  t.match(list('table: t, columns: id'), [/"columns" must be a list, not "id"/]);
  t.match(list('table: t, columns: [1]'), [
    /args\.columns\[0\]: "columns\[0\]" must be a text, not a number/,
  ]);
  t.match(list('table: ""'), [/"table": Name a table/]);
  const query = (params: string) =>
    problemsOf(`${EXTRACT}db, method: query, args: {sql: x, params: ${params}}}`);
  t.match(query('[[1]]'), [/"params\[0\]" must be a text, a number, true or false or null, not a list/]);
  t.match(problemsOf(`${EXTRACT}file, method: read, args: {ragged: padd}}`), [
    /"ragged" must be one of error, pad, not "padd"; did you mean "pad"\?/,
  ]);
  t.match(problemsOf(`${EXTRACT}file, method: read, args: {encoding: klingon}}`), [
    /not the name of an encoding|encoding/,
  ]);
});

t.test('what an expression stands for is known when it runs: its name alone is checked', async (t) => {
  const list = (args: string) => problemsOf(`${EXTRACT}db, method: list, args: ${args}}`);
  const since = '"{{ args.since }}"';
  t.same(
    list(`{table: ${since}, limit: ${since}, columns: ${since}, sort: [${since}], filter: ${since}}`),
    [],
  );
  t.same(list(since), [], 'all of them');
  t.match(list(`{tabel: ${since}, table: t}`), [/no argument "tabel"/]);
  t.match(list('{table: t, limit: "1{{ args.since }}"}'), [/"limit" must be a number/], 'a text it is');
  t.same(list('{table: "t_{{ args.since }}"}'), []);
  t.same(problemsOf(`${EXTRACT}file, method: read, args: {encoding: "utf-{{ args.since }}"}}`), []);
  const query = `${EXTRACT}db, method: query, args: {sql: x, params: [${since}, [1]]}}`;
  t.match(problemsOf(query), [/"params\[1\]" must be/], 'beside one, what is written out is checked');
});

t.test('a load fits what its connector can write', async (t) => {
  const load = (rest: string) =>
    problemsOf(
      `${EXTRACT}file, method: read}\n  - {id: w, kind: load, input: r, object: t, connector: ${rest}}`,
    );
  t.match(load('file, mode: merge, key: [id]'), [
    /7:\d+ steps\[1\]\.mode: A csv connector cannot load with mode "merge"; use append, replace/,
  ]);
  t.match(load('old, mode: truncate_insert'), [
    /steps\[1\]\.mode: A parquet connector cannot load with mode "truncate_insert"; use append, replace/,
  ]);
  t.same(load('db, mode: merge, key: [id]'), []);
});

t.test('on_error of an extract is for methods that can give malformed records', async (t) => {
  const extract = (rest: string) => problemsOf(`${EXTRACT}${rest}}`);
  const list = 'db, method: list, args: {table: t}, on_error: ';
  t.match(extract(`${list}skip`), [
    /\[0\]\.on_error: "on_error" has no effect: "list" of a sqlite connector never/,
  ]);
  t.match(extract(`${list}{action: dead_letter, max_errors: 1}`), [/"on_error" has no effect/]);
  t.same(extract(`${list}fail`), []);
  t.same(extract('file, method: read, on_error: dead_letter'), []);
});

t.test('a lookup names what is there, reads, and says which rows it looks up', (t) => {
  const lookup = (text: string) =>
    problemsOf(
      `${EXTRACT}file, method: read}\n  - {id: t, kind: transform, input: r, ops: [{lookup: {${text}, on: [a], fields: [b]}}]}`,
    );
  const db = 'connector: db, method: ';
  t.same(lookup(`${db}list, args: {table: x}`), []);
  t.same(lookup(`${db}query, args: {sql: x, params: ["{{ key }}"]}`), []);
  t.match(lookup('connector: dbb, method: list'), [/no connector "dbb"; did you mean "db"/]);
  t.match(lookup(`${db}lst, args: {table: x}`), [/has no method "lst"; did you mean "list"/]);
  t.match(lookup(`${db}list, args: {tabel: x}`), [/table/, /tabel/]);
  t.match(lookup(`${db}insert, args: {table: x, rows: [{a: 1}]}`), [
    /"insert" writes; a lookup takes a method that reads/,
  ]);
  t.match(lookup(`${db}query, args: {sql: x}`), [/The lookup has no condition:/]);
  t.match(lookup(`${db}list, args: {table: x, limit: 5}`), [/"limit" would cut off matching rows: remove/]);
  t.match(lookup('connector: file, method: read'), [/would read everything on each call:.*use "join",/]);
  t.match(lookup(`${db}query, args: {sql: x, params: ["{{ kee }}"]}`), [
    /There is no "kee" to read here; did you mean "key"/,
  ]);
  t.match(lookup(`${db}query, args: {sql: x, params: ["{{ key }}", "{{ keys }}"]}`), [
    /use both `key` and `keys`/,
  ]);
  t.match(lookup(`${db}query, keys_per_call: 5, args: {sql: x, params: ["{{ key }}"]}`), [
    /"keys_per_call" has no effect/,
  ]);
  t.end();
});

t.test('loads of the same rows into a connector that takes one at a time are refused', async (t) => {
  const load = (id: string, input: string) =>
    `  - {id: ${id}, kind: load, input: ${input}, connector: db, object: ${id}}\n`;
  const read = `${EXTRACT}file, method: read}\n`;
  const other = read.replace('id: r', 'id: q');
  const shape = '  - {id: s, kind: transform, input: r, ops: [{drop: [x]}]}\n';
  const refused = (line: number, first: string, second: string) => [
    `${line}:46 steps[${line - 6}].connector: "${first}" and "${second}" load the same rows into "db", which allows one load at a time; give "${second}" an extract of its own, so that it runs after "${first}", or a connector that leads elsewhere`,
  ];
  t.same(problemsOf(read + load('a', 'r') + load('b', 'r')), refused(8, 'a', 'b'));
  t.same(
    problemsOf(read + load('a', 'r') + shape + load('b', 's')),
    refused(9, 'a', 'b'),
    'also behind another step',
  );
  t.same(problemsOf(read + load('a', 'r') + other + load('b', 'q')), [], 'one after another they may');
  const each = (input: string) =>
    `  - {id: e, kind: foreach, input: ${input}, steps: [{id: q, kind: extract, connector: file, method: read}, {id: b, kind: load, input: q, connector: db, object: b}]}\n`;
  t.match(problemsOf(read + load('a', 'r') + each('r')), [
    /steps\[2\].*: "a" and "b" load the same rows into "db"/,
  ]);
  t.same(problemsOf(read + load('a', 'r') + other.replace('id: q', 'id: z') + each('z')), []);
});
