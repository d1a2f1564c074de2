import type { Batch } from '../../drivers/driver.ts';
import type { TransformStep } from '../../language/task/steps/transform-step.ts';
import type { Lookups } from '../lookup/lookups.ts';
import type { BatchQueue } from '../pipeline/batch-queue.ts';
import type { Flow, Stage } from '../pipeline/flow.ts';
import { handOn } from '../pipeline/hand-on.ts';
import { tellProgress } from '../report/step-report.ts';
import { openSqlInstance, runInEngine } from '../sql/sql-instance.ts';
import { engineOptions } from '../steps/sql.ts';
import { rowProgram } from '../steps/step-program.ts';
import { untilAborted } from '../until-aborted.ts';
import { createOpRows } from './op-rows.ts';

/** A transform of which an operation needs all rows at once: it is carried out by the engine of queries. */
export async function runSetOps(stage: Stage<TransformStep>, flow: Flow, lookups: Lookups): Promise<void> {
  const { step, state, errors } = stage;
  const { run, signal } = flow;
  const options = engineOptions(run, step.id);
  const engine = await openSqlInstance(options);
  // What still fills a table when the step fails must end before the engine does.
  const stop = new AbortController();
  const taken = (queue: BatchQueue | null | undefined) => takenRows(stage, flow, queue ?? null, stop.signal);
  await runInEngine(engine, signal, step.id, async () => {
    const made = createOpRows(
      {
        stepId: step.id,
        ops: step.ops,
        engine,
        joinRowsMax: options.limits.joinRows,
        partOf: (ops, hasCondition) =>
          rowProgram(stage, flow, { ops, hasCondition, finderOf: (op) => lookups.finderOf(op) }),
        joined: (index) => taken(stage.tables.get(String(index))),
        onError: (row, error, index, originOf) => errors.fail(row, error, originOf?.(index)),
        afterBatch: () => errors.afterBatch(),
      },
      taken(stage.input),
    );
    try {
      await handOn(stage, flow, made.rows);
      state.figures.rows_skipped = made.skipped;
      state.figures.rows_filtered = made.filtered;
    } finally {
      stop.abort();
      await made.settled();
    }
    errors.atEnd();
  });
}

async function* takenRows(
  { state }: Stage,
  { run, signal }: Flow,
  queue: BatchQueue | null,
  stop: AbortSignal,
): AsyncGenerator<Batch, void, undefined> {
  while (queue !== null) {
    const batch = await untilAborted(queue.next(), stop);
    if (batch === null) return;
    signal.throwIfAborted();
    state.figures.rows_in += batch.rows.length;
    yield batch;
    tellProgress(run, state);
  }
}
