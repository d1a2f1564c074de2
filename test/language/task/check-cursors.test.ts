import t from 'tap';
import { loadConnectorTypes } from '../../../src/drivers/registry.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';

const connectorTypes = await loadConnectorTypes();

/** "line:column path: message" of every problem of an extract, and a load of its rows, in flow style. */
function problemsOf(extract: string, load = 'mode: append'): readonly string[] {
  const parsed = parseTask(
    `version: 1
name: t
connectors: { file: {type: csv}, db: {type: sqlite}, fake: {type: dummy}, api: {type: http}, air: {type: airbyte} }
steps:
  - { id: r, kind: extract, ${extract} }
  - { id: w, kind: load, input: r, connector: db, object: t, ${load} }
`,
    { connectorTypes },
  );
  if (parsed.ok) return [];
  return parsed.problems.map(({ path, message, line, column }) => `${line}:${column} ${path}: ${message}`);
}

const FILE = 'connector: file, method: read';
const LIST = 'connector: db, method: list, args: {table: s}';
const QUERY = 'connector: db, method: query';
const HAND = `${QUERY}, args: {sql: "SELECT 1 WHERE id > ?", params: ["{{ state.cursor }}"]}`;
const MERGE = 'mode: merge, key: [id]';
const cursor = (more = '', type = 'integer') => `cursor: {field: id, type: ${type}${more}}`;

t.test('a cursor that nothing can act on is refused, with what to write', async (t) => {
  t.match(problemsOf(`${QUERY}, args: {sql: SELECT 1}, ${cursor(', initial: 0')}`), [
    /^5:90 steps\[0\]\.cursor: "query" of a sqlite connector cannot be filtered by a cursor.*SELECT … WHERE id > \? ORDER BY id/,
  ]);
  t.match(problemsOf(`connector: fake, method: find, ${cursor()}`), [
    /filter: \{id: \{\$gt: "\{\{ state\.cursor \}\}"\}\}/,
  ]);
  t.same(problemsOf(`${HAND}, ${cursor(', initial: 0')}`), []);
  t.same(problemsOf(`${FILE}, ${cursor()}`), []);
  t.same(problemsOf(`${LIST}, ${cursor(', order: none')}`), []);
});

t.test('a parameter takes the cursor where the method makes a request', async (t) => {
  const list = 'connector: api, method: list, args: {path: /c';
  t.same(problemsOf(`${list}}, ${cursor(', param: since')}`), []);
  t.match(problemsOf(`${list}, incremental: {field: id, param: p}}, ${cursor(', param: since')}`), [
    /cursor\.param: "param" has no effect: "incremental" of "args" names the parameter/,
  ]);
  t.match(problemsOf(`${list}, query: {a: "{{ state.cursor }}"}}, ${cursor(', initial: 0, param: since')}`), [
    /cursor\.param: "param" has no effect: "args" use "state\.cursor"/,
  ]);
  t.match(problemsOf(`${FILE}, ${cursor(', param: since')}`), [
    /cursor\.param: "param" has no effect: "read" applies the cursor condition itself/,
  ]);
});

t.test('paging is an argument of its own, where the method has one', async (t) => {
  const list = 'connector: api, method: list, args: {path: /c}';
  t.same(problemsOf(`${list}, paginate: {type: page, size_param: "{{ run.id }}"}`), []);
  t.match(problemsOf(`${list}, paginate: {type: pages}`), [
    /paginate\.type: "type" of "paginate" must be one of none, page, offset, cursor, link_header, next_url, keyset/,
  ]);
  t.match(problemsOf(`${list}, paginate: {type: page, sise: 3}`), [/paginate\.sise: Unknown key "sise"/]);
  t.match(problemsOf(`${list}, paginate: {type: cursor, max_pages: 0}`), [
    /paginate\.max_pages: .*at least 1/,
  ]);
  t.match(problemsOf(`${LIST}, paginate: {type: page}`), [/paginate: "list" has no argument "paginate"/]);
  const both = list.replace('/c', '/c, paginate: {type: none}');
  t.match(problemsOf(`${both}, paginate: {type: page}`), [/paginate: "paginate" is among "args" already/]);
  const expression = 'connector: api, method: list, args: "{{ args }}", paginate: {type: page}';
  t.match(problemsOf(expression), [
    /paginate: "paginate" has no effect: a single expression provides all of "args"/,
  ]);
  t.match(problemsOf(`${list}, paginate: 3`), [/paginate: "paginate" must be a map, not a number/]);
});

t.test('a load that deletes what does not come needs all rows', (t) => {
  t.match(problemsOf(`${LIST}, ${cursor()}`, `${MERGE}, delete_missing: soft`), [
    /steps\[0\]\.cursor: A cursor reads only new rows, so "w" would delete all others as missing/,
  ]);
  t.same(problemsOf(LIST, `${MERGE}, delete_missing: soft`), []);
  t.end();
});

t.test('arguments that read the cursor alone decide what is read', async (t) => {
  t.match(problemsOf(`${HAND}, ${cursor()}`), [/steps\[0\]\.cursor: "initial" is required/]);
  t.match(problemsOf(`${HAND}, ${cursor(', initial: 0, end: 9, order: asc, window: 5')}`), [
    /cursor\.end: "end" has no effect/,
    /cursor\.order: "order" has no effect/,
    /cursor\.window: "window" has no effect/,
  ]);
  t.match(problemsOf(`${HAND.replace('cursor }', 'curser }')}, ${cursor(', initial: 0')}`), [
    /args\.params\[0\]: There is no value "curser" to read as "state\.curser"; did you mean "cursor"\?/,
  ]);
});

t.test('arguments that read a value of set_state alone leave the cursor to act', async (t) => {
  const own = (args: string, more = cursor(', order: none')) =>
    parseTask(
      `version: 1
name: t
connectors: { db: {type: sqlite} }
steps:
  - { id: r, kind: extract, connector: db, method: list, args: ${args}, ${more} }
  - { id: w, kind: load, input: r, connector: db, object: t }
  - { id: k, kind: set_state, values: { last: 1 } }
`,
      { connectorTypes },
    );
  t.equal(own('{table: state, filter: {a: "{{ state.last }}", state: x}}').ok, true);
  t.equal(own("\"{{ {'table': 't', 'filter': {'a': state.`last`}} }}\"", cursor()).ok, true);
  t.match(own('{table: s, filter: {a: "{{ state.last }}", id: "{{ state.cursor }}"}}'), {
    problems: [/"initial" is required/, /"order" has no effect/].map((message) => ({ message })),
  });
  t.match(own('{table: s, filter: {id: "{{ $lookup(state, \'cursor\') }}"}}', cursor()), {
    problems: [{ message: /"initial" is required/ }],
  });
});

t.test('keys that cannot act beside others are refused', async (t) => {
  t.match(problemsOf(`${FILE}, ${cursor(', order: asc')}`), [
    /"order" has no effect: "read" reads rows in their stored order/,
  ]);
  const args = (more: string) => LIST.replace('table: s', `table: s, ${more}`);
  t.match(problemsOf(`${args('sort: [id]')}, ${cursor(', order: asc')}`), [/"order" has no effect: "sort"/]);
  t.match(problemsOf(`${args('limit: 5')}, ${cursor()}`), [/args\.limit: "limit" with a cursor/]);
  t.match(problemsOf(`${args('columns: [v]')}, ${cursor()}`), [/args\.columns: "columns" must include "id"/]);
  t.match(problemsOf(`${args('sort: [v]')}, ${cursor('', 'string')}`), [
    /args\.sort: A cursor of type string/,
  ]);
  t.match(problemsOf(`${LIST}, ${cursor(', order: none', 'string')}`), [
    /cursor\.order: A cursor of type string/,
  ]);
});

t.test('a window needs rows in order, and a measure of its type', async (t) => {
  const inOrder = /cursor\.window: "window" needs rows ordered by "id"/;
  t.match(problemsOf(`${FILE}, ${cursor(', window: 5')}`), [inOrder]);
  t.match(problemsOf(`${LIST}, ${cursor(', order: none, window: 5')}`), [inOrder]);
  t.match(problemsOf(`${LIST}, ${cursor(', window: 5m')}`), [/"window" must be a number/]);
  t.match(problemsOf(`${LIST}, ${cursor(', window: 5', 'datetime')}`), [/cursor\.window/]);
  t.match(problemsOf(`${LIST}, ${cursor(', window: 5', 'string')}`), [
    /"window" has no effect: texts have no distance/,
  ]);
  t.same(problemsOf(`${LIST}, ${cursor(', window: 5')}`), []);
  t.same(problemsOf(`${LIST}, ${cursor(', window: 1d', 'datetime')}`), []);
});

t.test('rows that every run reads again need a key', async (t) => {
  const again = cursor(', lookback: 5m, on_missing: include', 'datetime');
  t.match(problemsOf(`${FILE}, ${again}`), [
    /cursor\.lookback: "lookback" rereads rows, and "w" would append them again/,
    /cursor\.on_missing: Every run rereads the rows without a value/,
  ]);
  t.same(problemsOf(`${FILE}, ${again}`, MERGE), []);
});

t.test('a source that keeps its own state needs no field, and takes none', async (t) => {
  const read = 'connector: air, method: read, args: {stream: s}';
  t.same(problemsOf(`${read}, cursor: {state: true}`), []);
  t.match(problemsOf(`${read}, ${cursor()}`), [
    /cursor: "read" of an airbyte connector tracks new rows with its own state: write "cursor: \{state: true\}"/,
  ]);
  t.match(problemsOf(`${read}, cursor: {state: true, field: id, lookback: 1h}`), [
    /cursor\.field: "field" has no effect: the source keeps its own state/,
    /cursor\.lookback: "lookback" has no effect/,
  ]);
  t.match(problemsOf(`${FILE}, cursor: {state: true}`), [
    /cursor\.state: "read" of a csv connector keeps no state of its own: use "field" and "type"/,
  ]);
  t.match(problemsOf(`${FILE}, cursor: {state: false}`), [
    /cursor\.field: "field" is required/,
    /cursor\.type: "type" is required/,
  ]);
  t.match(
    problemsOf('connector: air, method: read, args: {stream: "{{ state.cursor }}"}, cursor: {state: true}'),
    [/args: "state\.cursor" is the source’s state/],
  );
  t.match(problemsOf(`${read}, cursor: {state: true}`, `${MERGE}, delete_missing: hard`), [
    /"w" would delete all others as missing/,
  ]);
});
