import type { SchemaChange } from '../../../base/run-report.ts';
import {
  type Batch,
  type Connection,
  ConnectorError,
  type RefusedRow,
  type Row,
  type Writer,
} from '../../../drivers/driver.ts';
import type { WiderColumn } from '../../../drivers/types/type-bounds.ts';
import type { LoadStep } from '../../../language/task/steps/load/load-step.ts';
import type { OnRowError } from '../../ops/op-part.ts';
import type { BatchQueue } from '../../pipeline/batch-queue.ts';
import type { Flow, Stage } from '../../pipeline/flow.ts';
import { Rebatch } from '../../pipeline/rebatch.ts';
import { fromRow } from '../../pipeline/row-origins.ts';
import { tellProgress } from '../../report/step-report.ts';
import { untilAborted } from '../../until-aborted.ts';
import type { LoadVerifier } from '../../verify/verify-load.ts';
import { conditionProgram } from '../step-program.ts';
import type { TargetColumns } from '../target/target-columns.ts';
import { withNulls } from './absent-rows.ts';
import type { Audit } from './audit-columns.ts';

/** Length of the values that a batch of the driver's size may have, in UTF-16 units. */
export const BATCH_CHARS_MAX = 4 * 1024 * 1024;

/** What the rows of a load go through, and where they go. */
export interface Target {
  /** null where rows of any columns may go in. */
  readonly columns: TargetColumns | null;
  readonly audit: Audit;
  readonly connection: Connection;
  readonly writer: Writer;
  readonly object: string;
  /** Takes what was written, to compare the target with it. */
  readonly verifier: LoadVerifier | null;
  /** Columns of `lossy` that no row has had so far. */
  readonly lossyLeft: Set<string>;
  /** Of its columns, once it commits. */
  readonly changes: SchemaChange[];
}

/** A step that names a size gets it; else the driver says what suits it, within what may be held of long rows. */
function rebatchFor(step: LoadStep, { run }: Flow): Rebatch {
  const { batchRowsGiven, batchBytes } = step;
  const suits = run.plan.connectors.get(step.connector)?.driver.capabilities.writeBatchRows;
  if (batchRowsGiven || suits === undefined) return Rebatch.of(step);
  return batchBytes === null
    ? new Rebatch(suits, BATCH_CHARS_MAX)
    : Rebatch.of({ batchRows: suits, batchBytes });
}

/** The rows that were written. One batch is on its way to the target while the next one is gathered. */
export async function writeAll(stage: Stage<LoadStep>, flow: Flow, target: Target): Promise<number> {
  const { step, state, input, errors } = stage;
  const program = step.whenPerItem ? conditionProgram(stage, flow) : null;
  const rebatch = rebatchFor(step, flow);
  let written = 0;
  let writing: Promise<void> | null = null;
  const write = async (batch: Batch) => {
    written += await writeBatch(stage, flow, target, batch);
    state.figures.rows_out = written;
    const flushed = errors.afterBatch();
    if (flushed !== undefined) await flushed;
    tellProgress(flow.run, state);
  };
  const begin = async (batch: Batch) => {
    await writing;
    writing = write(batch);
    // Its failure is met at the next wait.
    writing.catch(() => undefined);
  };
  try {
    for (let batch = await input?.next(); batch; batch = await nextUnlessFailed(input, writing)) {
      state.figures.rows_in += batch.rows.length;
      const { originOf } = batch;
      const onError: OnRowError = (row, error, index) => errors.fail(row, error, originOf?.(index));
      const wanted = program === null ? batch : await program.apply(batch, onError);
      state.figures.rows_skipped = program?.skipped ?? 0;
      const fitting =
        target.columns?.fit(wanted, (row, error, origin) => errors.fail(row, error, origin)) ?? wanted;
      for (const { name } of fitting.columns) target.lossyLeft.delete(name);
      noteAdded(stage, flow, target);
      const wider = target.columns?.takeChanges() ?? [];
      if (wider.length > 0) {
        const before = rebatch.rest();
        if (before !== null) await begin(before);
        await writing;
        await widen(stage, flow, target, wider);
      }
      const whole = step.absentIsNull ? withNulls(fitting) : fitting;
      for (const next of rebatch.push(whole)) await begin(next);
    }
    const rest = rebatch.rest();
    if (rest !== null) await begin(rest);
    await writing;
  } finally {
    // The load is not taken back under a write.
    await Promise.allSettled([writing]);
  }
  errors.atEnd();
  return written;
}

/** Columns of the target get wider types before the first rows that need them. */
async function widen(
  { step, state }: Stage<LoadStep>,
  { run, signal }: Flow,
  { writer, object, changes }: Target,
  columns: readonly WiderColumn[],
): Promise<void> {
  const { widen } = writer;
  if (widen === undefined) throw new Error('The plan has a target whose columns cannot get wider types');
  await untilAborted(
    run.tally.time(step.connector, state.meter, () => widen.call(writer, columns)),
    signal,
  );
  for (const { name, from, to } of columns) {
    const old = from === '' ? 'its first type' : from;
    run.ports.log('warn', step.id, `"${name}" of "${object}" becomes ${to} with this load; it was ${old}`);
    changes.push({ object, column: name, from: from || null, to, ...followUpOf(step) });
  }
}

/** Columns that the rows bring to a target that was there before. */
function noteAdded({ step }: Stage<LoadStep>, { run }: Flow, { columns, object, changes }: Target): void {
  for (const { name, type } of columns?.takeAdded() ?? []) {
    run.ports.log('warn', step.id, `"${object}" gets the column "${name}" with this load`);
    changes.push({ object, column: name, from: null, to: type, ...followUpOf(step) });
  }
}

function followUpOf({ onChange }: LoadStep): Pick<SchemaChange, 'on_change'> {
  return onChange === null || onChange === 'continue' ? {} : { on_change: onChange };
}

function withoutRefused(rows: readonly Row[], refused: readonly RefusedRow[]): readonly Row[] {
  if (refused.length === 0) return rows;
  const left = new Set(refused.map(({ index }) => index));
  return rows.filter((_, index) => !left.has(index));
}

/** The next batch; rejects as soon as the write fails. */
function nextUnlessFailed(input: BatchQueue | null, writing: Promise<void> | null): Promise<Batch | null> {
  const next = input?.next() ?? Promise.resolve(null);
  return writing === null ? next : Promise.race([next, writing.then(() => next)]);
}

/**
 * Writes a batch and gives the number of its rows that went in. One that does not fit is halved until the rows that do not
 * fit are alone, and these are item errors.
 */
async function writeBatch(stage: Stage<LoadStep>, flow: Flow, target: Target, batch: Batch): Promise<number> {
  const { step, state, errors } = stage;
  const { rows, columns, originOf } = batch;
  if (rows.length === 0) return 0;
  try {
    const from = performance.now();
    const audited = target.audit(batch);
    const writing = flow.run.tally.time(step.connector, state.meter, () => target.writer.write(audited));
    await untilAborted(writing, flow.signal);
    const refused = target.writer.refused?.() ?? [];
    state.meter.items.add(rows.length, performance.now() - from);
    for (const { index, error } of refused) errors.fail(rows[index] as Row, error, originOf?.(index));
    target.verifier?.keep(columns, withoutRefused(rows, refused));
    return rows.length - refused.length;
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault !== 'DATA') throw error;
    if (rows.length === 1) {
      errors.fail(rows[0] as Row, error, originOf?.(0));
      return 0;
    }
    if (step.onError.action === 'fail') errors.failBatch(batch, error);
  }
  const half = rows.length >> 1;
  const left = await writeBatch(stage, flow, target, { columns, rows: rows.slice(0, half), originOf });
  const right = { columns, rows: rows.slice(half), originOf: fromRow(originOf, half) };
  return left + (await writeBatch(stage, flow, target, right));
}
