import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import type { RunFailure } from '../../base/run-report.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { Driver, Row } from '../../drivers/driver.ts';
import type { Task } from '../../language/task/parse-task.ts';
import type { ScriptAccess } from '../../language/task/steps/script/script-access.ts';
import type { TaskTest, TestRow } from '../../language/task/task-tests.ts';
import type { RunInput } from '../run.ts';
import { PREVIEW_ROWS_MAX, type PreviewStep } from './preview-steps.ts';
import { previewTask } from './preview-task.ts';
import { unopened } from './unopened.ts';

/** What one step made of an example. */
export interface TestedStep {
  readonly step_id: string;
  readonly holds: boolean;
  readonly expected: readonly TestRow[];
  readonly found: readonly Row[];
  /** Rows that the step could not take. */
  readonly errors: PreviewStep['errors'];
  /** True where the step was not executed, since its input was not, its condition is false, or the task was stopped. */
  readonly skipped: boolean;
}

export interface TestOutcome {
  readonly holds: boolean;
  /** Why the example could not be run to its end; else null. */
  readonly failure: RunFailure | null;
  /** Those that the example expects something of. */
  readonly steps: readonly TestedStep[];
}

export interface TestContext {
  readonly drivers: { get(type: string): Driver | undefined };
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What script steps may use; absent: they may not run. */
  readonly scripts?: ScriptAccess | undefined;
  /** As of a run. */
  readonly tasks?: RunInput['tasks'];
}

/**
 * Runs one example of a task: extracts give its rows instead of their connectors', transforms change them, and what has effects is not
 * executed. A step holds where its rows are those expected, in their order, with the same columns and values.
 */
export async function testTask(
  task: Task,
  test: TaskTest,
  { drivers, clock, signal, scripts, tasks = {} }: TestContext,
): Promise<TestOutcome> {
  const connectors = Object.entries(task.connectors).map(([name, { type }]) => [
    name,
    { name, type, config: {} },
  ]);
  const { failure, steps } = await previewTask(
    {
      parsed: { ok: true, task },
      args: test.args,
      jobConfig: test.jobConfig,
      connectors: Object.fromEntries(connectors),
      run: { id: 1, attempt: 1 },
      timeoutMs: 0,
      tasks,
    },
    {
      drivers: unopened(drivers),
      connectContext: { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1, ...(scripts && { scripts }) },
      clock,
      // No step of a preview is tried again.
      random: () => 0,
      signal,
    },
    {
      rowsMax: PREVIEW_ROWS_MAX,
      given: new Map(Object.entries(test.input).map(([id, rows]) => [id, [...rows]])),
    },
  );
  const tested = Object.entries(test.expect).map(([id, expected]) =>
    testedStep(
      id,
      expected,
      steps.find((step) => step.step_id === id),
    ),
  );
  return { holds: failure === null && tested.every((step) => step.holds), failure, steps: tested };
}

function testedStep(
  step_id: string,
  expected: readonly TestRow[],
  step: PreviewStep | undefined,
): TestedStep {
  const found = step?.rows ?? [];
  const skipped = step === undefined || step.status === 'skipped';
  const errors = step?.errors ?? [];
  const holds = !skipped && step.status !== 'error' && isDeepStrictEqual(plain(found), plain(expected));
  return { step_id, holds, expected, found, errors, skipped };
}

/** Rows as JSON has them: the order of columns, and whether a value is a Date or its text, make no difference. */
function plain(rows: readonly TestRow[]): unknown {
  return parseJsonText(
    JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? value.toString() : value)),
  );
}
