import fc from 'fast-check';
import t from 'tap';
import type { StepResult } from '../../src/base/run-report.ts';
import { fewOrMany } from '../support/fault-list.ts';
import { createKeeper, runYaml } from './support/task-run.ts';

/* Random tasks on the engine itself: each row that comes into a step is counted once, by what became of it. */

const RUNS = fewOrMany(40, 1_500);

const row = fc.record({
  n: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom('7', 'x', '', null)),
  s: fc.constantFrom('a', 'b', '2024-01-01', null),
  m: fc.constantFrom({ a: 1 }, { a: { b: 'x' }, c: [1] }, { n: 1 }, {}, null, 'text'),
});

/** Each may find no such field, a value that it refuses, or a row that it leaves out. */
const op = fc.constantFrom(
  { filter: 'item.n > 0' },
  { filter: 'item.id % 2 = 0' },
  { filter: '$count($filter([1, 2, 3], function($v) { $v > item.id })) > 0' },
  { set: { twice: '$number(item.n) * 2' } },
  { set: { sorted: '$sort([item.n, 1], function($a, $b) { $a > $b })' } },
  { cast: { n: 'integer' } },
  { cast: { s: 'date' } },
  { rename: { s: 'text' } },
  { drop: ['n'] },
  { map: { id: 'item.id', n: '$string(item.n)' } },
  { flatten: { fields: ['m'] } },
  { flatten: { fields: ['m'], depth: 1, separator: '' } },
  { validate: { schema: { properties: { n: { type: 'integer', minimum: -2 } } } } },
  { validate: { schema: { required: ['m'], properties: { s: { enum: ['a', 'b'] } } } } },
);

const common = {
  when: fc.option(fc.constantFrom('item.id > 3', 'item.n != 0', 'index % 3 = 0'), { nil: undefined }),
  on_error: fc.constantFrom('skip', 'dead_letter'),
  batch: fc.record({ size: fc.integer({ min: 1, max: 7 }) }),
  /** Which of the steps before it feeds it. */
  from: fc.nat(),
};
const transform = fc.record({
  kind: fc.constant('transform'),
  ...common,
  ops: fc.array(op, { minLength: 1, maxLength: 4 }),
});
const load = fc.record({
  kind: fc.constant('load'),
  ...common,
  connector: fc.constant('target'),
  object: fc.constant('all'),
});

const pipeline = fc.record({
  rows: fc.array(row, { maxLength: 40 }).map((rows) => rows.map((one, id) => ({ ...one, id }))),
  size: fc.integer({ min: 1, max: 9 }),
  malformed: fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { maxLength: 4 }),
  refused: fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { maxLength: 9 }),
  onError: common.on_error,
  later: fc.array(fc.oneof(transform, load), { minLength: 1, maxLength: 6 }),
});
type Pipeline = typeof pipeline extends fc.Arbitrary<infer P> ? P : never;

function stepsOf({ size, later, onError: on_error }: Pipeline) {
  const feeding = ['read'];
  const steps = later.map(({ from, ...step }, at) => {
    const made = { id: `step_${at}`, input: feeding[from % feeding.length] as string, ...step };
    if (step.kind === 'transform') feeding.push(made.id);
    return made;
  });
  const read = { id: 'read', kind: 'extract', connector: 'source', method: 'list', batch: { size } };
  return [{ ...read, input: null, on_error }, ...steps];
}

function imbalanceOf({ rows_in, rows_out, rows_failed, rows_skipped, rows_filtered }: StepResult): number {
  return rows_in - rows_out - rows_failed - rows_skipped - rows_filtered;
}

t.test('in a step that has ended, each row in is out, failed, skipped or filtered', async (t) => {
  const folder = t.testdir();
  const property = fc.asyncProperty(pipeline, async (given) => {
    const steps = stepsOf(given);
    const plain = steps.map(({ input, ...step }) => (input === null ? step : { ...step, input }));
    // JSON is YAML.
    const yaml = JSON.stringify({
      version: 1,
      name: 'random',
      connectors: { source: { type: 'dummy' }, target: { type: 'dummy' } },
      steps: plain,
    });
    const keeper = createKeeper();
    const outcome = await runYaml({
      folder,
      yaml,
      connectors: {
        source: {
          type: 'dummy',
          config: { rows: given.rows, malformed_rows: { field: 'id', values: given.malformed } },
        },
        target: { type: 'dummy', config: { fail_rows: { field: 'id', values: given.refused } } },
      },
      keeper,
    });
    if (outcome.status !== 'success' && outcome.status !== 'warning')
      throw new Error(`${outcome.status}: ${outcome.failure?.message}`);
    const results = new Map(outcome.steps.map((step) => [step.step_id, step]));
    for (const { id, input, on_error } of steps) {
      const result = results.get(id) as StepResult;
      if (imbalanceOf(result) !== 0) throw new Error(`${id} is out of balance: ${JSON.stringify(result)}`);
      const fed = input === null ? given.rows.length : results.get(input)?.rows_out;
      if (result.rows_in !== fed) throw new Error(`${id} got ${result.rows_in} rows of ${fed}`);
      const letters = keeper.letters.filter(({ step_id }) => step_id === id).length;
      const wanted = on_error === 'dead_letter' ? result.rows_failed : 0;
      if (letters !== wanted) throw new Error(`${id} has ${letters} dead letters, not ${wanted}`);
    }
    const read = given.rows.filter(({ id }) => !given.malformed.includes(id)).map(({ id }) => id);
    for (const { step_id, item, origin } of keeper.letters) {
      const { id } = item as { id: number };
      if (step_id !== 'read' && origin?.record !== read.indexOf(id) + 1)
        throw new Error(`row ${id} of ${step_id} is said to be record ${origin?.record}`);
    }
    const filtered = outcome.steps.reduce((sum, step) => sum + step.rows_filtered, 0);
    if (outcome.rows_filtered !== filtered) throw new Error('the run does not sum up its steps');
  });
  await fc.assert(property, { numRuns: RUNS });
  t.pass(`${RUNS} tasks`);
});
