import { isRecord } from '../../base/json.ts';
import { type MapReader, readMap, typeName } from '../yaml/map-reader.ts';
import type { Step, Task } from './task.ts';

/** Examples of one task. */
export const TESTS_MAX = 100;
/** Rows of one step in one example. */
export const TEST_ROWS_MAX = 100;

export type TestRow = Readonly<Record<string, unknown>>;
/** Step id to rows. */
export type TestRows = Readonly<Record<string, readonly TestRow[]>>;

/** An example: what the extracts give, and what steps must make of it. */
export interface TaskTest {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly jobConfig: Readonly<Record<string, unknown>>;
  /** By extract; one that is missing gives no rows. */
  readonly input: TestRows;
  /** By extract or transform, in their order. */
  readonly expect: TestRows;
}

const KEYS = ['name', 'args', 'job_config', 'input', 'expect'];

/**
 * Reads `tests`. A list in place of `input` is for the only extract; one in place of `expect` is for the last transform, or the last extract
 * where there is none.
 */
export function readTaskTests(reader: MapReader, steps: Task['steps']): readonly TaskTest[] {
  const list = reader.list('tests', { max: TESTS_MAX }) ?? [];
  const names = new Set<string>();
  return list.flatMap((item, index) => {
    const test = readMap(reader.check, item, reader.at('tests', index), { keys: KEYS });
    if (test === null) return [];
    const name = test.text('name', { required: true, charsMax: 200 }) ?? '';
    if (names.has(name)) test.wrong('name', `Duplicate test name "${name}"; choose another`);
    names.add(name);
    return [
      {
        name,
        args: Object.fromEntries(test.entries('args')),
        jobConfig: Object.fromEntries(test.entries('job_config')),
        input: readRows(test, 'input', steps, ['extract']),
        expect: readRows(test, 'expect', steps, ['extract', 'transform']),
      },
    ];
  });
}

function readRows(
  test: MapReader,
  key: 'input' | 'expect',
  steps: Task['steps'],
  kinds: readonly Step['kind'][],
): TestRows {
  const known = steps.filter((step) => kinds.includes(step.kind));
  const value = test.value(key);
  if (value === null) return test.wrong(key, `"${key}" is required`) ?? {};
  if (Array.isArray(value)) {
    const id = soleStep(known, key);
    if (id !== null) return { [id]: rowsOf(test, value, [key]) };
    // Steps that could not be read are told elsewhere.
    const message = `"${key}" must name a step for its rows: give a map of extract to rows`;
    return (known.length === 0 ? null : test.wrong(key, message)) ?? {};
  }
  const rows: Record<string, readonly TestRow[]> = {};
  for (const [id, list] of test.entries(key, 'key')) {
    if (!known.some((step) => step.id === id))
      test.check.add(test.at(key, id), `There is no step "${id}" of the kind ${kinds.join(' or ')}`, 'key');
    else if (Array.isArray(list)) rows[id] = rowsOf(test, list, [key, id]);
    else test.check.add(test.at(key, id), `"${id}" must be a list of rows, not ${typeName(list)}`);
  }
  return rows;
}

function soleStep(known: readonly Step[], key: 'input' | 'expect'): string | null {
  if (key === 'input') return known.length === 1 ? (known[0]?.id ?? null) : null;
  const last = known.findLast((step) => step.kind === 'transform') ?? known.at(-1);
  return last?.id ?? null;
}

function rowsOf(test: MapReader, list: readonly unknown[], at: readonly string[]): readonly TestRow[] {
  const [key = ''] = at;
  if (list.length > TEST_ROWS_MAX)
    test.check.add(test.at(...at), `"${key}" has more than ${TEST_ROWS_MAX} rows of one step`);
  return list.flatMap((row, index) => {
    if (isRecord(row)) return [row];
    test.check.add(test.at(...at, index), `A row must be a map of column to value, not ${typeName(row)}`);
    return [];
  });
}
