import type { Batch } from '../../drivers/driver.ts';
import type { TransformStep } from '../../language/task/steps/transform-step.ts';
import type { Lookups } from '../lookup/lookups.ts';
import type { BatchQueue } from '../pipeline/batch-queue.ts';
import { emit, type Flow, type Stage } from '../pipeline/flow.ts';
import { Rebatch } from '../pipeline/rebatch.ts';
import { tellProgress } from '../report/step-report.ts';
import { openSqlInstance, runInEngine } from '../sql/sql-instance.ts';
import { engineOptions } from '../steps/sql.ts';
import { rowProgram } from '../steps/step-program.ts';
import { untilAborted } from '../until-aborted.ts';
import { createOpRows, type OpRows } from './op-rows.ts';

/** A transform of which an operation needs all rows at once: it is carried out by the engine of queries. */
export async function runSetOps(stage: Stage<TransformStep>, flow: Flow, lookups: Lookups): Promise<void> {
  const { step, errors } = stage;
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
      await giveRows(stage, flow, made);
    } finally {
      stop.abort();
      await made.settled();
    }
    errors.atEnd();
  });
}

async function giveRows(stage: Stage<TransformStep>, { run }: Flow, made: OpRows): Promise<void> {
  const { step, state } = stage;
  const rebatch = Rebatch.of(step);
  const give = async (batch: Batch) => {
    state.figures.rows_out += batch.rows.length;
    if (batch.rows.length > 0 || stage.feedsQuery) await emit(stage, batch);
    tellProgress(run, state);
  };
  let from = performance.now();
  for await (const batch of made.rows) {
    state.meter.items.add(batch.rows.length, performance.now() - from);
    if (batch.rows.length === 0) await give(batch);
    for (const whole of rebatch.push(batch)) await give(whole);
    from = performance.now();
  }
  const rest = rebatch.rest();
  if (rest !== null) await give(rest);
  state.figures.rows_skipped = made.skipped;
  state.figures.rows_filtered = made.filtered;
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
