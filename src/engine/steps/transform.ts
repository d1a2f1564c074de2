import type { Batch, Row } from '../../drivers/driver.ts';
import type { TransformStep } from '../../language/task/steps/transform-step.ts';
import type { OnRowError, OpPart } from '../ops/op-part.ts';
import { createOpPart } from '../ops/op-parts.ts';
import { emit, type Flow, type Stage } from '../pipeline/flow.ts';
import { Rebatch } from '../pipeline/rebatch.ts';
import { logStarted, tellProgress } from '../report/step-report.ts';

/** Warnings of one step that the log shows. */
const WARNINGS_MAX = 20;

/** Changes the rows that come and hands them on, until the input ends. */
export async function runTransform(stage: Stage<TransformStep>, flow: Flow): Promise<void> {
  const { step, state, input, errors } = stage;
  const { run } = flow;
  logStarted(run, state);
  const program = rowProgram(stage, flow, step.ops);
  // A row may have become many.
  const rebatch = step.ops.some(({ op }) => op === 'unnest') ? new Rebatch(step.batchRows) : null;
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

/** The program of a step's `when` per item and its operations; a load has the condition alone. */
export function rowProgram(stage: Stage, flow: Flow, ops: TransformStep['ops']): OpPart {
  const { step } = stage;
  const { origins } = flow.run;
  const told = new Set<string>();
  return createOpPart({
    ops,
    condition: step.whenPerItem ? step.when : null,
    scope: flow.scope,
    signal: flow.signal,
    stepId: step.id,
    mappings: flow.run.plan.mappings,
    onChanged: origins === null ? undefined : (from, to) => inherit(origins, from, to),
    warn: (message) => {
      if (told.has(message) || told.size >= WARNINGS_MAX) return;
      told.add(message);
      flow.run.ports.log('warn', step.id, message);
    },
  });
}

/** What a row has become comes from the same dead letter. */
function inherit(origins: WeakMap<Row, number>, from: Row, to: Row): void {
  const letterId = origins.get(from);
  if (letterId !== undefined) origins.set(to, letterId);
}
