import t from 'tap';
import { parseTask } from '../../../src/language/task/parse-task.ts';

const HEAD = 'name: x\nconnectors: {db: {type: sqlite}}\nsteps:\n';

function problemsOf(...steps: string[]): readonly string[] {
  const parsed = parseTask(HEAD + steps.map((step) => `  - ${step}\n`).join(''));
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path} ${message}`);
}

t.test('"concurrency" of a step that acts once, or in one transaction, says what to use', (t) => {
  const given = problemsOf(
    '{id: a, kind: extract, connector: db, method: query, concurrency: 2}',
    '{id: b, kind: transform, input: a, ops: [{drop: [x]}], concurrency: 2}',
    '{id: c, kind: load, input: b, connector: db, object: o, concurrency: 2}',
    '{id: d, kind: call, connector: db, method: execute, concurrency: 2}',
    '{id: e, kind: log, message: m, concurrency: 2}',
    '{id: f, kind: branch, cases: [{when: "true", steps: [{id: g, kind: log, message: m}]}], concurrency: 2}',
    '{id: h, kind: run_task, task: other, concurrency: 2}',
    '{id: i, kind: sql, inputs: {t: a}, query: select 1, concurrency: 2}',
  );
  const uses = ['partition', 'lookup', 'partition', 'foreach', 'parallel', 'parallel', 'foreach', 'engine'];
  t.equal(given.length, uses.length, given.join('\n'));
  for (const [at, use] of uses.entries())
    t.match(
      given[at],
      new RegExp(`steps\\[${at}\\]\\.concurrency "concurrency" has no effect here: .*${use}`),
    );
  t.end();
});

t.test('a batch is bounded by rows and by bytes, each by itself', (t) => {
  const step = (batch: string) => {
    const parsed = parseTask(
      `${HEAD}  - {id: a, kind: extract, connector: db, method: query, batch: ${batch}}`,
    );
    return parsed.ok ? parsed.task.steps[0] : parsed.problems;
  };
  t.match(step('{max_bytes: 8000000}'), { batchRows: 1_000, batchRowsGiven: false, batchBytes: 8_000_000 });
  t.match(step('{size: 5}'), { batchRows: 5, batchRowsGiven: true, batchBytes: null });
  t.match(
    problemsOf(
      '{id: a, kind: extract, connector: db, method: query, batch: {max_bytes: 8MB}}',
      '{id: b, kind: extract, connector: db, method: query, batch: {max_bytes: 100}}',
    ),
    [/"max_bytes" must be a whole number/, /"max_bytes" must be from 1024 to 33554432, not 100/],
  );
  t.end();
});
