import type { Batch, Row } from '../../drivers/driver.ts';
import { isSetOp, type Op, type SetOp } from '../../language/task/steps/ops/transform-ops.ts';
import type { TransformStep } from '../../language/task/steps/transform-step.ts';
import { GivenFinder } from '../lookup/given-finder.ts';
import { Lookups } from '../lookup/lookups.ts';
import { RecordedFinder } from '../lookup/recorded-finder.ts';
import type { OpPart } from '../ops/op-part.ts';
import { createOpPart } from '../ops/op-parts.ts';
import { itemFault } from '../pipeline/item-errors.ts';
import { type RunState, runScope } from '../run-state.ts';
import { createOpRows, type OpRowsOptions } from '../sets/op-rows.ts';
import { openSqlInstance, runInEngine } from '../sql/sql-instance.ts';
import { engineOptions } from '../steps/sql.ts';
import { type Made, PREVIEW_ERRORS_MAX, PREVIEW_QUERY_ROWS_MAX } from './preview-steps.ts';

/** What a transform of a preview reads besides its rows. */
export interface Beside {
  /** The rows of the steps before, which joins read. */
  readonly given: ReadonlyMap<string, readonly Batch[]>;
  /** The rows that lookups find, where no connector is opened; else null. */
  readonly found: readonly Row[] | null;
}

/** The rows for which the step's condition holds, changed by `ops`. */
export async function transformSome(
  step: Pick<TransformStep, 'id' | 'when' | 'whenPerItem' | 'onError'>,
  run: RunState,
  input: readonly Batch[],
  ops: TransformStep['ops'],
  { given, found }: Beside,
): Promise<Made> {
  const scope = runScope(run);
  const looked: Row[] = [];
  const rowsMayFail = step.onError.action !== 'fail';
  const lookups = new Lookups({
    run,
    stepId: step.id,
    scope,
    signal: run.signal,
    rowsMayFail,
    mayRetry: false,
  });
  const errors: { code: string; message: string; item: Row }[] = [];
  const warnings = new Set<string>();
  let rows_failed = 0;
  const partOf = (own: readonly Exclude<Op, SetOp>[], isFirst: boolean) =>
    createOpPart({
      ops: own,
      finderOf: (op) =>
        found === null ? new RecordedFinder(op, lookups.finderOf(op), looked) : new GivenFinder(op, found),
      condition: isFirst && step.whenPerItem ? step.when : null,
      scope,
      signal: run.signal,
      stepId: step.id,
      mappings: run.plan.mappings,
      warn: (message) => warnings.add(message),
    });
  const onError: OpRowsOptions['onError'] = (item, error, index, originOf) => {
    const fault = itemFault(error, item, originOf?.(index));
    if (fault === null) throw error;
    rows_failed++;
    if (errors.length < PREVIEW_ERRORS_MAX) errors.push({ ...fault, item });
  };
  const made = await (ops.some(isSetOp)
    ? gatherSome({ stepId: step.id, ops }, run, input, given, partOf, onError)
    : changeSome(
        partOf(
          ops.filter((op) => !isSetOp(op)),
          true,
        ),
        input,
        onError,
      )
  ).finally(() => lookups.close(false));
  const joined = ops.flatMap((op) => (op.op === 'join' ? (given.get(op.with) ?? []) : []));
  const rows_in = [...input, ...joined].reduce((sum, batch) => sum + batch.rows.length, 0);
  const { batches, skipped: rows_skipped, filtered: rows_filtered } = made;
  const counts = { rows_in, rows_failed, rows_skipped, rows_filtered };
  const recorded = found === null && ops.some(({ op }) => op === 'lookup') ? { looked } : {};
  return { batches, ...counts, errors, warnings: [...warnings], ...recorded };
}

interface Changed {
  readonly batches: readonly Batch[];
  readonly skipped: number;
  readonly filtered: number;
}

async function changeSome(
  part: OpPart,
  input: readonly Batch[],
  onError: OpRowsOptions['onError'],
): Promise<Changed> {
  const batches: Batch[] = [];
  for (const batch of input)
    batches.push(await part.apply(batch, (row, error, index) => onError(row, error, index, batch.originOf)));
  return { batches, skipped: part.skipped, filtered: part.filtered };
}

async function gatherSome(
  { stepId, ops }: { readonly stepId: string; readonly ops: TransformStep['ops'] },
  run: RunState,
  input: readonly Batch[],
  given: ReadonlyMap<string, readonly Batch[]>,
  partOf: OpRowsOptions['partOf'],
  onError: OpRowsOptions['onError'],
): Promise<Changed> {
  const options = engineOptions(run, stepId);
  const engine = await openSqlInstance(options);
  const batches: Batch[] = [];
  const counts = { skipped: 0, filtered: 0 };
  await runInEngine(engine, run.signal, stepId, async () => {
    const joined = (index: number) => {
      const op = ops[index];
      return iterated(op?.op === 'join' ? (given.get(op.with) ?? []) : []);
    };
    const afterBatch = () => undefined;
    const joinRowsMax = options.limits.joinRows;
    const made = createOpRows(
      { stepId, ops, engine, joinRowsMax, partOf, joined, onError, afterBatch },
      iterated(input),
    );
    let rows = 0;
    for await (const batch of made.rows) {
      batches.push({ ...batch, rows: batch.rows.slice(0, PREVIEW_QUERY_ROWS_MAX - rows) });
      rows += batch.rows.length;
      if (rows >= PREVIEW_QUERY_ROWS_MAX) break;
    }
    await made.settled();
    counts.skipped = made.skipped;
    counts.filtered = made.filtered;
  });
  return { batches, ...counts };
}

async function* iterated(batches: readonly Batch[]): AsyncGenerator<Batch, void, undefined> {
  yield* batches;
}
