import type { Batch } from '../../drivers/driver.ts';
import type { ScriptStep } from '../../language/task/steps/script/script-step.ts';
import { emit, type Flow, type Stage } from '../pipeline/flow.ts';
import { Rebatch } from '../pipeline/rebatch.ts';
import { logStarted, tellProgress } from '../report/step-report.ts';
import type { ScriptAnswer } from '../script/script-process.ts';
import { ScriptSession, scriptFault } from '../script/script-session.ts';
import { untilAborted } from '../until-aborted.ts';
import { conditionProgram } from './step-program.ts';

/** Batches that are with a process at once: it works on one while the next is written. */
const BATCHES_AT_ONCE = 2;

interface HandedBatch {
  readonly batch: Batch;
  readonly answer: Promise<ScriptAnswer>;
  readonly at: number;
}

/** Hands the rows that come to the function of the script, and what it gives on, until the input ends. */
export async function runScript(stage: Stage<ScriptStep>, flow: Flow): Promise<void> {
  const { step, state, input } = stage;
  const { run, signal } = flow;
  logStarted(run, state);
  const script = await ScriptSession.open(step, run, flow.scope);
  const condition = step.whenPerItem ? conditionProgram(stage, flow) : null;
  const rebatch = Rebatch.ifGiven(step);
  const handed: HandedBatch[] = [];
  const handOver = async (batch: Batch) => {
    const answer = script.call(batch);
    answer.catch(() => undefined);
    handed.push({ batch, answer, at: performance.now() });
    if (handed.length >= BATCHES_AT_ONCE * step.concurrency) await settleOldest(stage, flow, script, handed);
  };
  const onAbort = () => script.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (let batch = await input?.next(); batch; batch = await input?.next()) {
      state.figures.rows_in += batch.rows.length;
      const { errors } = stage;
      const given = await (condition?.apply(batch, (row, error, at) =>
        errors.fail(row, error, batch?.originOf?.(at)),
      ) ?? batch);
      state.figures.rows_skipped = condition?.skipped ?? 0;
      // An empty one tells a query its columns.
      const whole = rebatch === null || given.rows.length === 0 ? [given] : rebatch.push(given);
      for (const one of whole) await handOver(one);
    }
    const rest = rebatch?.rest() ?? null;
    if (rest !== null) await handOver(rest);
    while (handed.length > 0) await settleOldest(stage, flow, script, handed);
    await script.finish();
  } catch (error) {
    throw signal.aborted ? signal.reason : scriptFault(error, step.id);
  } finally {
    signal.removeEventListener('abort', onAbort);
    script.close();
  }
  stage.errors.atEnd();
}

async function settleOldest(
  stage: Stage<ScriptStep>,
  { run, signal }: Flow,
  script: ScriptSession,
  handed: HandedBatch[],
): Promise<void> {
  const { state, errors, feedsQuery } = stage;
  const { batch, answer, at } = handed.shift() as HandedBatch;
  const answered = await untilAborted(answer, signal);
  state.meter.items.add(batch.rows.length, performance.now() - at);
  const out = script.settle(batch, answered, (row, error, index) =>
    errors.fail(row, error, batch.originOf?.(index)),
  );
  state.figures.rows_out += out.rows.length;
  state.figures.rows_filtered = script.filtered;
  const flushed = errors.afterBatch();
  if (flushed !== undefined) await flushed;
  if (out.rows.length > 0 || feedsQuery) await emit(stage, out);
  tellProgress(run, state);
}
