import { MALFORMED_RECORD, type RunFailure } from '../../base/run-report.ts';
import type { Batch, Column, MalformedRecord, Row } from '../../drivers/driver.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { Step } from '../../language/task/steps/steps.ts';
import type { TransformStep } from '../../language/task/steps/transform-step.ts';
import { rangedArgs, rangeOf } from '../cursor/cursor-range.ts';
import { linkedController } from '../linked-controller.ts';
import { closeConnection, openConnection } from '../open-connection.ts';
import { RowProgram } from '../ops/row-program.ts';
import { itemFault } from '../pipeline/item-errors.ts';
import { type MalformedItem, malformedItem } from '../pipeline/malformed-item.ts';
import type { PipelineUnit } from '../plan/group-steps.ts';
import { planFault } from '../plan/plan-fault.ts';
import { planTask } from '../plan/plan-task.ts';
import type { RunInput, RunPorts } from '../run.ts';
import type { RunContext } from '../run-context.ts';
import { RunFault, toRunFault } from '../run-fault.ts';
import { createRunState, type RunState, runScope, stateOf } from '../run-state.ts';
import { isTrue } from '../truth.ts';
import { untilAborted } from '../until-aborted.ts';

/** Rows of one extract that a preview reads at most. */
export const PREVIEW_ROWS_MAX = 100;
/** Item errors of one step that a preview tells. */
export const PREVIEW_ERRORS_MAX = 20;
/** Time of a preview without one of its own, in milliseconds. */
export const PREVIEW_TIMEOUT_MS = 12_000;

export interface PreviewStep {
  readonly step_id: string;
  readonly kind: Step['kind'];
  /** `skipped`: not executed, since it has effects or its input was not executed, or its condition is false. */
  readonly status: 'success' | 'warning' | 'error' | 'skipped';
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly rows_in: number;
  readonly rows_failed: number;
  readonly rows_skipped: number;
  readonly rows_filtered: number;
  readonly errors: readonly {
    readonly code: string;
    readonly message: string;
    readonly item: Row | MalformedItem;
  }[];
  readonly warnings: readonly string[];
  readonly duration_ms: number;
}

export interface PreviewOutcome {
  /** null where every step that a preview executes went through. */
  readonly failure: RunFailure | null;
  readonly steps: readonly PreviewStep[];
}

export interface PreviewOptions {
  /** Rows of one extract, 1 to 100. */
  readonly rowsMax: number;
  /** What extracts give, by step id: then no connector is opened, and an extract that is missing gives no rows. */
  readonly given?: ReadonlyMap<string, readonly Row[]> | undefined;
}

/**
 * Shows what a task would do: its extracts read at most `rowsMax` rows (1 to 100) each, read-only, and its transforms change
 * them; loads, calls, asserts and logs are not executed. Item errors are reported and never end it. Cursors start at `initial`.
 */
export async function previewTask(
  input: RunInput,
  context: RunContext,
  { rowsMax, given }: PreviewOptions,
): Promise<PreviewOutcome> {
  const planned = planTask(input, context);
  if (!planned.ok) return { failure: failureOf(planFault(planned.problems)), steps: [] };
  const control = linkedController(context.signal);
  const timer = setTimeout(
    () =>
      control.abort(
        new RunFault('TIMEOUT', 'The preview did not finish in time', { reason: 'timeout', stepId: '' }),
      ),
    input.timeoutMs > 0 ? input.timeoutMs : PREVIEW_TIMEOUT_MS,
  );
  try {
    const run = createRunState(input, silentPorts, context, planned.plan, control.signal);
    const limit = Math.max(1, Math.min(PREVIEW_ROWS_MAX, Math.trunc(rowsMax)));
    return await previewUnits(run, { rowsMax: limit, given });
  } finally {
    clearTimeout(timer);
    control.unlink();
  }
}

async function previewUnits(run: RunState, options: PreviewOptions): Promise<PreviewOutcome> {
  const shown = new Map<string, PreviewStep>();
  let failure: RunFailure | null = null;
  for (const unit of run.plan.units) {
    if (failure !== null || unit.kind !== 'pipeline') continue;
    failure = await previewPipeline(unit, run, options, shown);
  }
  const steps = run.plan.task.steps.map((step) => shown.get(step.id) ?? notExecuted(step));
  return { failure, steps };
}

async function previewPipeline(
  unit: PipelineUnit,
  run: RunState,
  options: PreviewOptions,
  shown: Map<string, PreviewStep>,
): Promise<RunFailure | null> {
  const given = new Map<string, readonly Batch[]>();
  const { clock } = run.context;
  for (const step of unit.steps) {
    if (step.kind === 'load') continue;
    const from = clock.now();
    try {
      if (step.when !== null && !step.whenPerItem && !isTrue(await step.when.evaluate(runScope(run))))
        continue;
      const input = step.input === null ? [] : given.get(step.input);
      if (input === undefined) continue;
      const made =
        step.kind === 'extract' ? await readSome(step, run, options) : await transform(step, run, input);
      given.set(step.id, made.batches);
      shown.set(step.id, previewed(step, made, clock.now() - from));
      const state = stateOf(run, step.id);
      state.figures.rows_out = made.batches.reduce((sum, batch) => sum + batch.rows.length, 0);
      state.end('success', clock.now());
    } catch (error) {
      const { code, message } = run.context.signal.aborted
        ? { code: 'CANCELLED', message: 'The preview was cancelled' }
        : toRunFault(run.signal.aborted ? run.signal.reason : error, step.id);
      shown.set(step.id, { ...notExecuted(step), status: 'error', duration_ms: clock.now() - from });
      return { code, message, step_id: step.id };
    }
  }
  return null;
}

interface Made {
  readonly batches: readonly Batch[];
  readonly rows_in: number;
  readonly rows_failed: number;
  readonly rows_skipped: number;
  readonly rows_filtered: number;
  readonly errors: PreviewStep['errors'];
  readonly warnings: readonly string[];
}

async function readSome(
  step: ExtractStep,
  run: RunState,
  { rowsMax: limit, given }: PreviewOptions,
): Promise<Made> {
  if (given !== undefined) return madeOf(given.get(step.id) ?? []);
  const { signal } = run;
  const args = await previewArgs(step, run);
  const connection = await openConnection(run, step, signal);
  const batches: Batch[] = [];
  let rows = 0;
  let rows_failed = 0;
  const errors: PreviewStep['errors'][number][] = [];
  const tell = (record: MalformedRecord) => {
    rows_failed++;
    if (errors.length >= PREVIEW_ERRORS_MAX) return;
    errors.push({ code: MALFORMED_RECORD, message: record.error.message, item: malformedItem(record) });
  };
  try {
    const onMalformed = step.onError.action === 'fail' ? undefined : tell;
    const request = {
      method: step.method,
      args,
      signal,
      readOnly: true,
      limit,
      batchRows: limit,
      onMalformed,
    };
    const iterator = connection.read(request)[Symbol.asyncIterator]();
    while (rows + rows_failed < limit) {
      const next = await untilAborted<IteratorResult<Batch>>(iterator.next(), signal);
      if (next.done === true) break;
      batches.push({ columns: next.value.columns, rows: next.value.rows.slice(0, limit - rows) });
      rows += next.value.rows.length;
    }
    iterator.return?.().then(undefined, () => undefined);
  } finally {
    await closeConnection(connection);
  }
  return {
    batches,
    rows_in: Math.min(rows, limit) + rows_failed,
    rows_failed,
    rows_skipped: 0,
    rows_filtered: 0,
    errors,
    warnings: [],
  };
}

/** The arguments of a first run, whose cursor starts at `initial`. */
async function previewArgs(step: ExtractStep, run: RunState): Promise<unknown> {
  if (step.cursor === null) return step.args.render(runScope(run));
  const range = await rangeOf(run, step, null);
  const rendered = await step.args.render(runScope(run, { cursor: range.from }));
  return rangedArgs(run, step, rendered, range).args;
}

/** Rows as a connector would give them: all with the same columns. */
function madeOf(given: readonly Row[]): Made {
  const names = [...new Set(given.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => ({ name, type: 'unknown', nullable: true }) as const);
  const rows = given.map((row) =>
    Object.fromEntries(names.map((name) => [name, Object.hasOwn(row, name) ? row[name] : null])),
  );
  const batches = rows.length === 0 ? [] : [{ columns, rows }];
  return {
    batches,
    rows_in: rows.length,
    rows_failed: 0,
    rows_skipped: 0,
    rows_filtered: 0,
    errors: [],
    warnings: [],
  };
}

async function transform(step: TransformStep, run: RunState, input: readonly Batch[]): Promise<Made> {
  const errors: { code: string; message: string; item: Row }[] = [];
  const warnings = new Set<string>();
  let rows_failed = 0;
  const program = new RowProgram({
    ops: step.ops,
    condition: step.whenPerItem ? step.when : null,
    scope: runScope(run),
    signal: run.signal,
    stepId: step.id,
    mappings: run.plan.mappings,
    warn: (message) => warnings.add(message),
  });
  const onError = (item: Row, error: unknown) => {
    const fault = itemFault(error);
    if (fault === null) throw error;
    rows_failed++;
    if (errors.length < PREVIEW_ERRORS_MAX) errors.push({ ...fault, item });
  };
  const batches: Batch[] = [];
  for (const batch of input) batches.push(await program.apply(batch, onError));
  const rows_in = input.reduce((sum, batch) => sum + batch.rows.length, 0);
  const { skipped: rows_skipped, filtered: rows_filtered } = program;
  const counts = { rows_in, rows_failed, rows_skipped, rows_filtered };
  return { batches, ...counts, errors, warnings: [...warnings] };
}

function previewed(step: Step, made: Made, duration_ms: number): PreviewStep {
  const { batches, ...counts } = made;
  return {
    step_id: step.id,
    kind: step.kind,
    status: made.rows_failed > 0 ? 'warning' : 'success',
    columns: batches.at(-1)?.columns ?? [],
    rows: batches.flatMap((batch) => batch.rows),
    ...counts,
    duration_ms,
  };
}

function notExecuted(step: Step): PreviewStep {
  const counts = { rows_in: 0, rows_failed: 0, rows_skipped: 0, rows_filtered: 0 };
  const nothing = { columns: [], rows: [], errors: [], warnings: [], duration_ms: 0 };
  return { step_id: step.id, kind: step.kind, status: 'skipped', ...counts, ...nothing };
}

function failureOf({ code, message, stepId }: RunFault): RunFailure {
  return { code, message, step_id: stepId };
}

/** A preview reports by its outcome alone. */
const silentPorts: RunPorts = {
  log: () => undefined,
  progress: () => undefined,
  metric: () => undefined,
  deadLetters: async () => undefined,
  checkpoint: async () => ({ value: null, version: 0 }),
  saveCheckpoint: async (_name, _value, expectedVersion) => ({ version: expectedVersion, stored: false }),
  replayRows: async () => [],
};
