import type { Batch } from '../../drivers/driver.ts';
import { isSetOp, type Op } from '../../language/task/steps/ops/transform-ops.ts';
import type { TransformStep } from '../../language/task/steps/transform-step.ts';
import { Lookups } from '../lookup/lookups.ts';
import type { OnRowError } from '../ops/op-part.ts';
import { emit, type Flow, type Stage } from '../pipeline/flow.ts';
import { Rebatch } from '../pipeline/rebatch.ts';
import { logStarted, tellProgress } from '../report/step-report.ts';
import { rowProgram } from './step-program.ts';

/** Changes the rows that come and hands them on, until the input ends. */
export async function runTransform(stage: Stage<TransformStep>, flow: Flow): Promise<void> {
  const { step, state } = stage;
  const { run } = flow;
  logStarted(run, state);
  const rowsMayFail = step.onError.action !== 'fail';
  const lookups = new Lookups({
    run,
    stepId: step.id,
    scope: flow.scope,
    signal: flow.signal,
    rowsMayFail,
    mayRetry: true,
  });
  let isWhole = false;
  try {
    if (step.ops.some(isSetOp)) {
      const { runSetOps } = await import('../sets/run-set-ops.ts');
      await runSetOps(stage, flow, lookups);
    } else await runRows(stage, flow, lookups);
    isWhole = true;
  } finally {
    await lookups.close(isWhole);
  }
}

/** Batch by batch, where no operation needs more. */
async function runRows(stage: Stage<TransformStep>, flow: Flow, lookups: Lookups): Promise<void> {
  const { step, state, input, errors } = stage;
  const { run } = flow;
  const ops = step.ops.filter((op) => !isSetOp(op));
  const program = rowProgram(stage, flow, { ops, finderOf: (op) => lookups.finderOf(op) });
  const rebatch = ops.some(makesMany) ? Rebatch.of(step) : Rebatch.ifGiven(step);
  const give = async (batch: Batch) => {
    if (batch.rows.length > 0 || stage.feedsQuery) await emit(stage, batch);
  };
  for (let batch = await input?.next(); batch; batch = await input?.next()) {
    const { originOf } = batch;
    const onError: OnRowError = (row, error, index) => errors.fail(row, error, originOf?.(index));
    state.figures.rows_in += batch.rows.length;
    const from = performance.now();
    const made = program.apply(batch, onError);
    const out = made instanceof Promise ? await made : made;
    state.meter.items.add(batch.rows.length, performance.now() - from);
    state.figures.rows_out += out.rows.length;
    state.figures.rows_skipped = program.skipped;
    state.figures.rows_filtered = program.filtered;
    const flushed = errors.afterBatch();
    if (flushed !== undefined) await flushed;
    if (out.rows.length === 0) await give(out);
    else for (const whole of rebatch?.push(out) ?? [out]) await give(whole);
    tellProgress(run, state);
  }
  const rest = rebatch?.rest() ?? null;
  if (rest !== null) await give(rest);
  errors.atEnd();
}

/** Whether a row may become many. */
function makesMany(op: Op): boolean {
  return op.op === 'unnest' || (op.op === 'lookup' && op.onSeveral === 'all');
}
