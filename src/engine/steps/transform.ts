import type { Batch, Row } from '../../drivers/driver.ts';
import { isSetOp, type Op } from '../../language/task/steps/ops/transform-ops.ts';
import type { TransformStep } from '../../language/task/steps/transform-step.ts';
import { Lookups } from '../lookup/lookups.ts';
import type { OnRowError, OpPart } from '../ops/op-part.ts';
import { createOpPart, type OpPartsOptions } from '../ops/op-parts.ts';
import type { BatchQueue } from '../pipeline/batch-queue.ts';
import { emit, type Flow, type Stage } from '../pipeline/flow.ts';
import { Rebatch } from '../pipeline/rebatch.ts';
import { logStarted, tellProgress } from '../report/step-report.ts';
import { createOpRows, type OpRows } from '../sets/op-rows.ts';
import { openSqlInstance, runInEngine } from '../sql/sql-instance.ts';
import { untilAborted } from '../until-aborted.ts';
import { engineOptions } from './sql.ts';

/** Warnings of one step that the log shows. */
const WARNINGS_MAX = 20;

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
    await (step.ops.some(isSetOp) ? runGathering(stage, flow, lookups) : runRows(stage, flow, lookups));
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

/** The same where an operation needs all rows at once: it is carried out by the engine of queries. */
async function runGathering(stage: Stage<TransformStep>, flow: Flow, lookups: Lookups): Promise<void> {
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

/** Whether a row may become many. */
function makesMany(op: Op): boolean {
  return op.op === 'unnest' || (op.op === 'lookup' && op.onSeveral === 'all');
}

interface RowOps extends Pick<OpPartsOptions, 'ops' | 'finderOf'> {
  /** Default true. */
  readonly hasCondition?: boolean;
}

/** The program of a step's `when` per item, where it has no operations. */
export function conditionProgram(stage: Stage, flow: Flow): OpPart {
  const finderOf = () => {
    throw new Error('Only a transform looks up');
  };
  return rowProgram(stage, flow, { ops: [], finderOf });
}

/** The program of a step's `when` per item and its operations. */
function rowProgram(stage: Stage, flow: Flow, { ops, hasCondition = true, finderOf }: RowOps): OpPart {
  const { step } = stage;
  const { origins } = flow.run;
  const told = new Set<string>();
  return createOpPart({
    ops,
    finderOf,
    condition: hasCondition && step.whenPerItem ? step.when : null,
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
