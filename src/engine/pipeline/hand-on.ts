import type { Batch } from '../../drivers/driver.ts';
import type { SqlStep } from '../../language/task/steps/sql/sql-step.ts';
import type { TransformStep } from '../../language/task/steps/transform-step.ts';
import { tellProgress } from '../report/step-report.ts';
import { emit, type Flow, type Stage } from './flow.ts';
import { Rebatch } from './rebatch.ts';

/** Hands on what the engine of queries has made, in batches of the step's size. */
export async function handOn(
  stage: Stage<SqlStep | TransformStep>,
  flow: Flow,
  rows: AsyncIterable<Batch>,
): Promise<void> {
  const { step, state, feedsQuery } = stage;
  const rebatch = Rebatch.of(step);
  const give = async (batch: Batch) => {
    state.figures.rows_out += batch.rows.length;
    if (batch.rows.length > 0 || feedsQuery) await emit(stage, batch);
    tellProgress(flow.run, state);
  };
  let from = performance.now();
  for await (const batch of rows) {
    flow.signal.throwIfAborted();
    state.meter.items.add(batch.rows.length, performance.now() - from);
    if (batch.rows.length === 0) await give(batch);
    for (const whole of rebatch.push(batch)) await give(whole);
    from = performance.now();
  }
  const rest = rebatch.rest();
  if (rest !== null) await give(rest);
}
