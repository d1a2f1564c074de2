import type { RowOrigin } from '../../base/run-report.ts';
import type { Batch, Row } from '../../drivers/driver.ts';
import type { ScriptStep } from '../../language/task/steps/script/script-step.ts';
import { RowProgram } from '../ops/row-program.ts';
import { itemFault } from '../pipeline/item-errors.ts';
import { type RunState, runScope } from '../run-state.ts';
import { ScriptSession, scriptFault } from '../script/script-session.ts';
import { type Made, PREVIEW_ERRORS_MAX, type PreviewStep } from './preview-steps.ts';

/** What the script makes of rows. */
export async function scriptSome(step: ScriptStep, run: RunState, input: readonly Batch[]): Promise<Made> {
  const errors: PreviewStep['errors'][number][] = [];
  let rows_failed = 0;
  const fail = (item: Row, error: unknown, origin?: RowOrigin) => {
    const fault = itemFault(error, item, origin);
    if (fault === null) throw error;
    rows_failed++;
    if (errors.length < PREVIEW_ERRORS_MAX) errors.push({ ...fault, item });
  };
  const condition = step.whenPerItem ? conditionOf(step, run) : null;
  const script = await ScriptSession.open({ ...step, concurrency: 1 }, run, runScope(run));
  const batches: Batch[] = [];
  const { signal } = run;
  const onAbort = () => script.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (const batch of input) {
      const given = await (condition?.apply(batch, (row, error, index) =>
        fail(row, error, batch.originOf?.(index)),
      ) ?? batch);
      batches.push(script.settle(given, await script.call(given), (row, error) => fail(row, error)));
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : scriptFault(error, step.id);
  } finally {
    signal.removeEventListener('abort', onAbort);
    script.close();
  }
  const rows_in = input.reduce((sum, batch) => sum + batch.rows.length, 0);
  const counts = {
    rows_in,
    rows_failed,
    rows_skipped: condition?.skipped ?? 0,
    rows_filtered: script.filtered,
  };
  return { batches, ...counts, errors, warnings: [] };
}

/** Leaves out the rows for which the step's `when` is false. */
function conditionOf({ id, when }: ScriptStep, run: RunState): RowProgram {
  return new RowProgram({
    ops: [],
    condition: when,
    scope: runScope(run),
    signal: run.signal,
    stepId: id,
    mappings: run.plan.mappings,
    warn: () => undefined,
  });
}
