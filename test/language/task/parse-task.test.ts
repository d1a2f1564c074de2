import t from 'tap';
import type { Task } from '../../../src/language/task/parse-task.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import type { ExtractStep } from '../../../src/language/task/steps/extract-step.ts';
import type { LoadStep } from '../../../src/language/task/steps/load/load-step.ts';
import type { TransformStep } from '../../../src/language/task/steps/transform-step.ts';

const CONTACTS = `version: 1
name: sync_contacts
description: Contacts into the warehouse
labels: { team: sales }
connectors: { crm: {type: http}, warehouse: {type: postgres} }
args: { since: {type: string, default: "2024-01-01"} }
timeout: 2h
retry: { max_attempts: 3, delay: 5s, factor: 2, max_delay: 5m, jitter: 0.2 }
metrics: [{ backend: statsd, config: { host: localhost } }]
steps:
  - id: contacts
    kind: extract
    connector: crm
    method: list
    args: { path: /contacts, query: { updated_after: "{{ state.cursor }}" } }
    cursor: { field: updated_at, type: datetime, initial: "{{ args.since }}", lookback: 10m }
  - id: shape
    kind: transform
    input: contacts
    when: item.archived != true
    ops:
      - filter: "item.archived = false or job_config.source.include_archived"
      - mapping: contact_map
      - map: { id: item.id, n: 1 }
      - set: { full: "item.first & ' ' & item.last" }
      - rename: { a: b }
      - drop: [c]
      - cast: { signup_date: date }
    on_error: { action: dead_letter, max_error_rate: 0.02 }
    batch: { size: 500 }
  - id: write
    kind: load
    input: shape
    connector: warehouse
    object: public.contacts
    mode: merge
    key: [id]
    on_error: skip
  - { id: notify, kind: call, connector: crm, method: request, args: {body: "{{ steps.write.count }}"} }
  - { id: fresh, kind: assert, check_expr: "steps.write.count > 0", severity: warn, message: "only {{ steps.write.count }}" }
  - { id: note, kind: log, message: "wrote {{ steps.write.count }}" }
`;

function parse(text: string): Task {
  const parsed = parseTask(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems, null, 1));
  return parsed.task;
}

/** "line:column path message" of every problem. */
function problemsOf(text: string): readonly string[] {
  const parsed = parseTask(text);
  if (parsed.ok) return [];
  return parsed.problems.map(({ path, message, line, column }) => `${line}:${column} ${path} ${message}`);
}

const HEAD = 'name: x\nconnectors: {db: {type: sqlite}}\nsteps:\n';
/** Problems of steps, one flow map a line; the first stands on line 4. */
function stepProblems(...steps: string[]): readonly string[] {
  return problemsOf(HEAD + steps.map((step) => `  - ${step}\n`).join(''));
}
const EXTRACT = '{id: a, kind: extract, connector: db, method: query}';

t.test('a task of every kind of step is read, with its defaults', async (t) => {
  const task = parse(CONTACTS);
  t.match(task, {
    version: 1,
    name: 'sync_contacts',
    labels: { team: 'sales' },
    connectors: { crm: { type: 'http' } },
    args: { since: { type: 'string', required: false, default: '2024-01-01', description: null } },
    timeoutMs: 7_200_000,
    retry: { maxAttempts: 3, delayMs: 5_000, factor: 2, maxDelayMs: 300_000, jitter: 0.2 },
    metrics: [{ backend: 'statsd', config: { host: 'localhost' } }],
  });
  const [contacts, shape, write, notify, fresh, note] = task.steps;
  t.match(contacts, {
    id: 'contacts',
    kind: 'extract',
    connector: 'crm',
    method: 'list',
    needs: [],
    input: null,
  });
  t.same(contacts?.retry, { maxAttempts: 3, delayMs: 1_000, factor: 2, maxDelayMs: 60_000, jitter: 0.2 });
  t.equal(contacts?.batchRows, 1_000);
  t.same(contacts?.onError, { action: 'fail', maxErrors: null, maxErrorRate: null });
  t.match((contacts as ExtractStep).cursor, { field: 'updated_at', type: 'datetime', lookbackMs: 600_000 });
  t.same(await (contacts as ExtractStep).args.render({ state: { cursor: 7 } }), {
    path: '/contacts',
    query: { updated_after: 7 },
  });
  t.same(
    [...(shape as TransformStep).ops].map((op) => op.op),
    ['filter', 'mapping', 'map', 'set', 'rename', 'drop', 'cast'],
  );
  t.match(shape, { needs: ['contacts'], whenPerItem: true, batchRows: 500 });
  t.same(shape?.onError, { action: 'dead_letter', maxErrors: null, maxErrorRate: 0.02 });
  t.match(write, { mode: 'merge', key: ['id'], allowEmpty: false, onError: { action: 'skip' } });
  t.equal(await (write as LoadStep).object.render({}), 'public.contacts');
  t.match(notify, { needs: ['write'], whenPerItem: false });
  t.match(fresh, { severity: 'warn', retry: { maxAttempts: 1 } });
  t.match(note, { kind: 'log', level: 'info', needs: ['fresh'] });
});

t.test('a task needs a name and steps; retry is one attempt where nothing is said', async (t) => {
  t.same(parse(`${HEAD}  - {id: a, kind: log, message: hi}`).retry.maxAttempts, 1);
  t.same(problemsOf('{}'), ['1:1 name "name" is required', '1:1 steps "steps" is required']);
  t.same(problemsOf(''), ['1:1  The document must be a map, not nothing']);
  t.same(problemsOf('name: x\nsteps: []'), ['2:8 steps "steps" must not be empty']);
  t.same(problemsOf('version: 2\nname: x\nsteps: [{id: a, kind: log, message: m}]'), [
    '1:10 version "version" must be 1, not "2"',
  ]);
});

t.test('all problems come at once, with path, line and column', async (t) => {
  const problems = problemsOf(
    'name: x\nstepz: 1\nretry: {max_attempts: 0}\nargs: {n: {type: int}}\nsteps:\n  - id: a\n    kind: extract\n    connector: crm\n',
  );
  t.same(problems, [
    '2:1 stepz Unknown key "stepz"; did you mean "steps"?',
    '3:23 retry.max_attempts "max_attempts" must be from 1 to 100, not 0',
    '4:18 args.n.type "type" must be one of string, number, integer, boolean, object, array, not "int"',
    '6:5 steps[0].method "method" is required',
    '8:16 steps[0].connector There is no connector "crm"; declare it under "connectors"',
  ]);
});

t.test('a task limits its runs: how many at once, and how long', async (t) => {
  const steps = 'steps: [{id: a, kind: log, message: m}]';
  t.match(parse(`name: x\n${steps}`), { concurrency: null, deadlineMs: null });
  t.match(parse(`name: x\nconcurrency: 3\ndeadline: 2h\n${steps}`), {
    concurrency: 3,
    deadlineMs: 7_200_000,
  });
  t.match(parse(`name: x\nconcurrency: {limit: 1}\n${steps}`), { concurrency: 1 });
  t.same(problemsOf(`name: x\nconcurrency: {limit: 0, key_expr: a}\ndeadline: soon\n${steps}`), [
    '2:15 concurrency.limit "limit" must be from 1 to 1000, not 0'.replace('2:15', '2:22'),
    '2:25 concurrency.key_expr Unknown key "key_expr"',
    '3:11 deadline "deadline" must be a duration such as 30s, 5m, 2h or 1d, not "soon"',
  ]);
  t.same(problemsOf(`name: x\nconcurrency: {}\n${steps}`), ['2:14 concurrency.limit "limit" is required']);
  t.same(problemsOf(`name: x\nconcurrency: many\n${steps}`), [
    '2:14 concurrency "concurrency" must be a whole number, not a text',
  ]);
});

t.test('what the language has and this version has not is named as such', async (t) => {
  t.same(problemsOf('name: x\nfinally: []\noutputs: []\nsteps: [{id: a, kind: log, message: m}]'), [
    '2:10 finally "finally" must not be empty',
    '3:10 outputs "outputs" must be a map, not a list',
  ]);
});

t.test('unknown kinds and operations get a suggestion', async (t) => {
  t.match(stepProblems('{id: a, kind: extrct}'), [/Unknown kind "extrct"; did you mean "extract"\?/]);
  t.match(stepProblems('{id: a}'), [/"kind" is required/]);
  t.match(stepProblems(EXTRACT, '{id: b, kind: transform, input: a, ops: [{fliter: x}]}'), [
    /Unknown operation "fliter"; did you mean "filter"\?/,
  ]);
  t.match(stepProblems(EXTRACT, '{id: b, kind: transform, input: a, ops: [{filter: item.x, drop: [y]}]}'), [
    /An operation is a map with one key/,
  ]);
});

t.test('keys that cannot act are errors', async (t) => {
  const load = (rest: string) =>
    stepProblems(EXTRACT, `{id: b, kind: load, input: a, connector: db, object: t, ${rest}}`);
  t.same(load('mode: append'), []);
  t.match(load('mode: append, key: [id]'), [/"key" has no effect: "mode" is append/]);
  t.match(load('key: [id]'), [/"key" has no effect: "mode" is append/]);
  t.match(load('mode: merge'), [/"key" is required: "mode" is merge/]);
  t.match(load('mode: upsert, key: []'), [/"key" is required: "mode" is upsert/]);
  t.same(load('mode: replace, allow_empty: true'), []);
  t.same(load('mode: truncate_insert, allow_empty: true'), []);
  t.match(load('mode: merge, key: [id], allow_empty: true'), [/"allow_empty" has no effect/]);
  t.match(load('mode: truncate_insert, key: [id]'), [/"key" has no effect/]);
  t.match(load('mode: merge, key: [id], delete_missing: none, allow_empty: true'), [
    /"allow_empty" has no effect/,
  ]);
  t.same(load('mode: merge, key: [id], delete_missing: soft, allow_empty: true'), []);
  t.same(
    load('mode: scd2, key: [id], delete_missing: {action: soft, max_share: 1}, history: {track: [a]}'),
    [],
  );
  t.match(load('mode: scd2'), [/"key" is required: "mode" is scd2/]);
  t.match(load('mode: append, delete_missing: hard'), [/"delete_missing" has no effect: "mode" is append/]);
  t.match(load('mode: insert_only, key: [id], delete_missing: soft'), [/"delete_missing" has no effect/]);
  t.match(load('mode: scd2, key: [id], delete_missing: hard'), [/"hard" would remove the history/]);
  t.match(load('mode: scd2, key: [id], delete_missing: {action: soft, column: x}'), [
    /delete_missing\.column "column" has no effect/,
  ]);
  t.match(load('mode: merge, key: [id], delete_missing: {action: hard, column: x}'), [
    /"column" has no effect: "action" is hard/,
  ]);
  t.match(load('mode: merge, key: [id], delete_missing: {action: hard, max_share: 2}'), [/from 0 to 1/]);
  t.match(load('mode: merge, key: [id], delete_missing: sotf'), [/did you mean "soft"/]);
  t.match(load('mode: merge, key: [id], history: {track: [a]}'), [
    /"history" has no effect: "mode" is merge/,
  ]);
  t.match(load('mode: scd2, key: [id], history: {valid_to: valid_from}'), [
    /history\.valid_to "valid_from" names another column of the history/,
  ]);
  t.same(load('schema: {columns: freeze}, audit: true'), []);
  t.same(load('schema: {columns: discard_row}, on_error: {action: skip}, audit: {run_id: run}'), []);
  t.match(load('schema: {columns: discard_row}, on_error: fail'), [
    /^\d+:\d+ steps\[1\]\.schema\.columns "discard_row" needs "on_error"/,
  ]);
  t.match(load('schema: {columns: ignore}'), [/"columns" must be one of evolve, freeze, /]);
  t.same(load('schema: {types: variant}'), []);
  t.same(load('schema: {types: evolve}'), []);
  t.match(load('schema: {types: wider}'), [/"types" must be one of evolve, freeze, variant, discard_row/]);
  t.match(load('schema: {types: discard_row}'), [
    /^\d+:\d+ steps\[1\]\.schema\.types "discard_row" needs "on_error"/,
  ]);
  t.match(load('schema: {types: variant, columns: freeze}'), [
    /schema\.types "variant" adds columns, and "columns" is freeze; use freeze or discard_row/,
  ]);
  t.match(load('schema: {columns: freeze, on_change: notify}'), [/"on_change" .*no column changes/]);
  t.match(load('schema: {on_change: later}'), [/"on_change" must be one of continue, pause_trigger, notify/]);
  t.same(load('schema: {columns: freeze, types: evolve, on_change: notify}'), []);
  t.match(load('audit: yes please'), [/"audit" must be true or a map of names, not a text/]);
  t.match(load('audit: {run_id: at, loaded_at: at}'), [/"at" is the column of the run id/]);
  t.match(load('audit: {run_id: "a b"}'), [/"a b" is not a name/]);
  t.match(load('mode: delete, key: [id], audit: true'), [/"audit" has no effect: "mode" is delete/]);
  t.match(load('mode: delete'), [/"key" is required: "mode" is delete/]);
  t.same(load('mode: delete, key: [id]'), []);
  t.match(load('on_error: {action: fail, max_errors: 3}'), [/"max_errors" has no effect: "action" is fail/]);
  t.match(load('retry: {max_attempts: 1, delay: 5s}'), [/"delay" has no effect: "max_attempts" is 1/]);
  t.match(load('retry: {delay: 5m, max_delay: 1m}'), [/"max_delay" must not be less than "delay"/]);
  t.match(stepProblems('{id: a, kind: log, message: m, batch: {size: 5}}'), [
    /"batch" has no effect: the step is of kind "log"/,
  ]);
  t.match(stepProblems('{id: a, kind: log, message: m, input: a}'), [/"input" has no effect/]);
  t.match(stepProblems('{id: a, kind: log, message: m, on_error: dead_letter}'), [
    /"dead_letter" needs rows/,
  ]);
  t.match(
    stepProblems(
      '{id: a, kind: extract, connector: db, method: q, cursor: {field: i, type: integer, lookback: 5m}}',
    ),
    [/"lookback" has no effect: a cursor of type integer has no time/],
  );
  t.match(
    problemsOf(
      'name: x\nargs: {a: {type: string, required: true, default: z}}\nsteps: [{id: a, kind: log, message: m}]',
    ),
    [/"default" has no effect: the argument is required/],
  );
});

t.test('limits of numbers hold', async (t) => {
  const extract = (rest: string) => stepProblems(`{id: a, kind: extract, connector: db, method: q, ${rest}}`);
  t.same(extract('batch: {size: 50000}'), []);
  t.match(extract('batch: {size: 50001}'), [/from 1 to 50000/]);
  t.match(extract('batch: {size: 0}'), [/from 1 to 50000/]);
  t.match(extract('batch: {size: 1.5}'), [/whole number/]);
  t.match(extract('on_error: {action: skip, max_error_rate: 2}'), [/from 0 to 1/]);
  t.match(extract('timeout: 30'), [/must be a duration/]);
});

t.test('references between steps are checked', async (t) => {
  const transform = (id: string, input: string, rest = '') =>
    `{id: ${id}, kind: transform, input: ${input}, ops: [{drop: [x]}]${rest}}`;
  t.match(stepProblems(EXTRACT, EXTRACT), [/Duplicate step id "a"/]);
  t.match(stepProblems(transform('b', 'a'), EXTRACT), [/"input" must name an earlier step; "a" comes later/]);
  t.match(stepProblems(EXTRACT, transform('b', 'aa')), [
    /There is no step "aa" before this one; did you mean "a"\?/,
  ]);
  t.match(stepProblems(EXTRACT, '{id: l, kind: log, message: m}', transform('b', 'l')), [
    /"l" is of kind "log", which produces no rows/,
  ]);
  t.match(stepProblems('{id: a, kind: log, message: m, needs: [b]}'), [/There is no step "b"/]);
  t.match(stepProblems('{id: a, kind: log, message: m, needs: [a]}'), [/A step cannot need itself/]);
  t.match(
    stepProblems(
      '{id: c, kind: log, message: m, needs: [b]}',
      '{id: a, kind: log, message: m, needs: [c]}',
      '{id: b, kind: log, message: m, needs: [a]}',
    ),
    [/The steps depend on each other in a cycle: a -> c -> b -> a/],
  );
  t.same(
    stepProblems('{id: f, kind: nosuch}', transform('b', 'f')).length,
    1,
    'no second problem behind a step that is not read',
  );
});

t.test('a step may not wait for what waits for its own rows', async (t) => {
  const load = (id: string, rest = '') =>
    `{id: ${id}, kind: load, input: a, connector: db, object: t${rest}}`;
  t.match(stepProblems(EXTRACT, load('b'), load('c', ', needs: [b]')), [
    /"c" consumes rows of "a" as they are produced, so it cannot wait for "b", which waits for "a"/,
  ]);
  t.same(stepProblems(EXTRACT, load('b'), load('c')), []);
  t.same(stepProblems('{id: z, kind: log, message: m}', EXTRACT, load('c', ', needs: [z]')), []);
});

t.test('needs are the step before, or the step that feeds it', async (t) => {
  const task = parse(
    `${HEAD}  - ${EXTRACT}\n  - {id: b, kind: extract, connector: db, method: q}\n  - {id: l, kind: load, input: a, connector: db, object: t}\n  - {id: n, kind: log, message: m, needs: []}\n`,
  );
  t.same(
    task.steps.map((step) => step.needs),
    [[], ['a'], ['a'], []],
  );
});

t.test('expressions are checked where they stand', async (t) => {
  t.match(stepProblems('{id: a, kind: assert, check_expr: "steps.a. > "}'), [
    /^4:39 steps\[0\].check_expr Invalid expression "steps.a. > ": /,
  ]);
  t.match(stepProblems('{id: a, kind: assert, check_expr: "{{ steps.a.count > 0 }}"}'), [
    /bare expression: remove the "{{" and "}}"/,
  ]);
  t.match(stepProblems('{id: a, kind: assert, check_expr: stpes.a.count > 0}'), [
    /There is no "stpes" to read here; did you mean "steps"\?/,
  ]);
  t.match(stepProblems('{id: a, kind: log, message: "{{ 1 + }}"}'), [/^4:33 steps\[0\].message /]);
  t.match(stepProblems('{id: a, kind: log, message: m, when: item.x}'), [/There is no "item" to read here/]);
  t.match(
    problemsOf(
      `${HEAD}  - id: a\n    kind: extract\n    connector: db\n    method: q\n    args:\n      a.b:\n        - "{{ 1 + }}"\n`,
    ),
    [/^10:11 steps\[0\].args\["a.b"\]\[0\] /],
  );
});
