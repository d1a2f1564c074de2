import { isRecord } from '../../base/json.ts';
import { listOf, map } from '../declare/map.ts';
import { special, type Value } from '../declare/value.ts';
import { anything, text } from '../declare/values.ts';
import { type MapReader, typeName } from '../yaml/map-reader.ts';
import type { Step } from './steps/steps.ts';

/** Rows of one step in one example. */
const ROWS_MAX = 100;

export type TestRow = Readonly<Record<string, unknown>>;
/** Step id to rows. */
export type TestRows = Readonly<Record<string, readonly TestRow[]>>;

/** An example: what the extracts give, and what steps must make of it. */
export interface TaskTest {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly jobConfig: Readonly<Record<string, unknown>>;
  /** By extract, or transform whose lookups find them; one that is missing has no rows. */
  readonly input: TestRows;
  /** By extract, transform, sql or script, in their order. */
  readonly expect: TestRows;
}

const ROWS = {
  description: 'Rows, each a map of column to value.',
  type: 'array',
  items: { type: 'object' },
  maxItems: ROWS_MAX,
};

/** Rows by step, or a list of them for one step, which is found once the steps are known. */
function rows(words: string, listWords: string): Value<unknown> {
  const byStep = {
    description: words,
    type: 'object',
    additionalProperties: ROWS,
  };
  return special(`${words} ${listWords}`, { anyOf: [ROWS, byStep] }, (reader, key) => reader.value(key), {
    required: true,
  });
}

const EXAMPLE = map(
  'An example.',
  {
    name: text('What the example shows; unique within the task.', { required: true, charsMax: 200 }),
    args: anything('Arguments of the run.'),
    job_config: anything('The configuration of the job.'),
    input: rows(
      'The rows returned by each extract, and found by a transform’s lookups, by step id; `<id>/<step>` for a step of a task run by `run_task`.',
      'A list is for the only extract.',
    ),
    expect: rows(
      'The rows expected from each extract, transform, sql or script step, by step id.',
      'A list is for the last transform, sql or script step, or the last extract if there is none.',
    ),
  },
  {
    make:
      ({ name, args, job_config }, reader) =>
      (steps: readonly Step[]): TaskTest => ({
        name,
        args,
        jobConfig: job_config,
        input: readRows(
          reader,
          'input',
          steps,
          ['extract'],
          (step) => step.kind === 'transform' && step.ops.some(({ op }) => op === 'lookup'),
        ),
        expect: readRows(reader, 'expect', steps, ['extract', 'transform', 'sql', 'script']),
      }),
  },
);

/** `tests`; each is a function of the task's steps. */
export const TESTS = listOf('Examples run by `headgate test`.', EXAMPLE, {
  max: 100,
  distinct: ['name', 'test name'],
});

function readRows(
  test: MapReader,
  key: 'input' | 'expect',
  steps: readonly Step[],
  kinds: readonly Step['kind'][],
  isNamed: (step: Step) => boolean = () => false,
): TestRows {
  const known = steps.filter((step) => kinds.includes(step.kind));
  const value = test.value(key);
  if (value === null) return test.wrong(key, `"${key}" is required`) ?? {};
  if (Array.isArray(value)) {
    const id = soleStep(known, key);
    if (id !== null) return { [id]: rowsOf(test, value, [key]) };
    // Steps that could not be read are reported elsewhere.
    const message = `"${key}" must assign its rows to a step: write a map of extract to rows`;
    return (known.length === 0 ? null : test.wrong(key, message)) ?? {};
  }
  const rows: Record<string, readonly TestRow[]> = {};
  for (const [id, list] of test.entries(key)) {
    if (![...known, ...steps.filter(isNamed)].some((step) => step.id === id) && !isOfOtherTask(steps, id))
      test.check.add(test.at(key, id), `There is no step "${id}" of the kind ${kinds.join(' or ')}`, 'key');
    else if (Array.isArray(list)) rows[id] = rowsOf(test, list, [key, id]);
    else test.check.add(test.at(key, id), `"${id}" must be a list of rows, not ${typeName(list)}`);
  }
  return rows;
}

/** `<id>/<step>` is a step of the task that the step `<id>` runs, which this document does not have. */
function isOfOtherTask(steps: readonly Step[], id: string): boolean {
  const [own, ...inside] = id.split('/');
  return inside.length > 0 && steps.some((step) => step.kind === 'run_task' && step.id === own);
}

function soleStep(known: readonly Step[], key: 'input' | 'expect'): string | null {
  if (key === 'input') return known.length === 1 ? (known[0]?.id ?? null) : null;
  const last = known.findLast((step) => step.kind !== 'extract') ?? known.at(-1);
  return last?.id ?? null;
}

function rowsOf(test: MapReader, list: readonly unknown[], at: readonly string[]): readonly TestRow[] {
  const [key = ''] = at;
  if (list.length > ROWS_MAX)
    test.check.add(test.at(...at), `"${key}" has more than ${ROWS_MAX} rows of one step`);
  return list.flatMap((row, index) => {
    if (isRecord(row)) return [row];
    test.check.add(test.at(...at, index), `A row must be a map of column to value, not ${typeName(row)}`);
    return [];
  });
}
