import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Batch, ColumnType, Connection, MalformedRecord, ReadRequest } from '../../drivers/driver.ts';
import type { Whole } from '../../drivers/engine-file.ts';
import type { SourceState } from '../../drivers/plugins/source-state.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import { rangedArgs } from '../cursor/cursor-range.ts';
import { closeConnection, openConnection, releaseConnection } from '../open-connection.ts';
import { partArgs } from '../partition/part-source.ts';
import { emit, type Flow, type Stage } from '../pipeline/flow.ts';
import { Rebatch } from '../pipeline/rebatch.ts';
import { withOrigins } from '../pipeline/row-origins.ts';
import { logStarted, tellProgress } from '../report/step-report.ts';
import { untilAborted } from '../until-aborted.ts';

/** Longest stretch in which a source that never waits may keep timers and messages (cancel, heartbeat) from running. */
export const TURN_MS_MAX = 10;

/** Reads the connector batch by batch, at the pace of the consumers, to the end. */
export async function runExtract(stage: Stage<ExtractStep>, flow: Flow): Promise<void> {
  const { step, state } = stage;
  const { run, signal } = flow;
  logStarted(run, state, { connector: step.connector, method: step.method });
  const reads = readsOf(stage, flow, await step.args.render(flow.scope));
  const connection = await openConnection(run, step, signal);
  let isFree = false;
  try {
    let isRead = !(await handOver(stage, flow, connection, reads));
    if (isRead) for (const read of reads) isRead = (await pump(stage, flow, connection, read)) && isRead;
    stage.errors.atEnd();
    isFree = isRead;
  } finally {
    // A state means something to its source alone, and may be long.
    if (flow.cursor !== null && step.cursor?.isState !== true)
      state.cursor = { from: flow.cursor.range.from, to: flow.cursor.tracker.greatest };
    await (isFree ? releaseConnection(run, step.connector, connection) : closeConnection(connection));
  }
  logMissing(stage, flow);
  logFull(stage, flow);
}

/** The next step may take a file or a copy by itself, which spares making rows of it. False where it did not. */
async function handOver(
  { step, state, outputs }: Stage<ExtractStep>,
  { run, signal }: Flow,
  connection: Connection,
  reads: readonly Read[],
): Promise<boolean> {
  const [queue] = outputs;
  const [read] = reads;
  if (read === undefined || queue === undefined || queue.takes === null) return false;
  const { engineFile, rowsCopy } = connection;
  const request = { ...read, method: step.method, signal };
  const find = queue.takes === 'file' ? engineFile?.bind(connection) : rowsCopy?.bind(connection);
  if (find === undefined) return false;
  const from = performance.now();
  const looking = run.tally.time<Whole | null>(step.connector, state.meter, () => find(request));
  const whole = await untilAborted(looking, signal);
  if (whole === null) {
    const message =
      'The rows pass through the step: the engine cannot read this file, or this part of it, directly';
    if (queue.takes === 'file') run.ports.log('info', step.id, message);
    return false;
  }
  const rows = await untilAborted(queue.offer(whole), signal);
  if (rows === null) return false;
  state.meter.items.add(rows, performance.now() - from);
  state.figures.rows_in += rows;
  state.figures.rows_out += rows;
  tellProgress(run, state);
  return true;
}

type Read = Pick<ReadRequest, 'args' | 'limit' | 'files'>;

/** With the condition of the cursor, where the engine makes it. One row without a value is enough to fail, before any other is read. */
function readsOf({ step }: Stage<ExtractStep>, { run, cursor }: Flow, rendered: unknown): readonly Read[] {
  if (run.part !== null)
    return [{ args: partArgs(run, step, run.part, rendered), files: run.part.files ?? undefined }];
  if (cursor === null) return [{ args: rendered }];
  const { args, isSorted, missing } = rangedArgs(run, step, rendered, cursor.range);
  cursor.tracker.begin(isSorted, cursor.range.saved);
  if (missing === null) return [{ args }];
  return step.cursor?.onMissing === 'fail'
    ? [{ args: missing, limit: 1 }, { args }]
    : [{ args }, { args: missing }];
}

/** False where the source was left before its end: it may still be at work. */
async function pump(
  stage: Stage<ExtractStep>,
  flow: Flow,
  connection: Connection,
  read: Read,
): Promise<boolean> {
  const { step, state, errors } = stage;
  const { run, signal, cursor } = flow;
  const rows = connection.read({
    ...read,
    method: step.method,
    signal,
    batchRows: step.batchRows,
    batchBytes: step.batchBytes ?? undefined,
    onMalformed: step.onError.action === 'fail' ? undefined : (record) => failRecord(stage, flow, record),
    state: step.cursor?.isState === true ? sourceState(cursor) : undefined,
    log: (level, message) => run.ports.log(level, step.id, message),
  });
  const iterator = rows[Symbol.asyncIterator]();
  const wasFull = cursor?.tracker.isFull;
  const types = new Map<string, readonly ColumnType[]>();
  let turnAt = performance.now();
  let given = 0;
  try {
    for (;;) {
      const from = performance.now();
      const next = await untilAborted<IteratorResult<Batch>>(
        run.tally.time(step.connector, state.meter, () => iterator.next()),
        signal,
      );
      if (next.done === true) return true;
      tellOfTypes(stage, flow, types, next.value);
      const before = cursor?.tracker.seen ?? 0;
      const placed = withOrigins(next.value, given, step.cursor?.field || null);
      const batch = cursor?.tracker.see(placed) ?? placed;
      const seen = cursor === null ? batch.rows.length : cursor.tracker.seen - before;
      given += seen;
      state.meter.items.add(seen, performance.now() - from);
      state.figures.rows_in += seen;
      state.figures.rows_out += batch.rows.length;
      state.figures.rows_skipped += seen - batch.rows.length;
      const flushed = errors.afterBatch();
      if (flushed !== undefined) await flushed;
      if (batch.rows.length > 0 || (stage.feedsQuery && given === 0))
        for (const some of piecesOf(batch, step)) await emit(stage, some);
      tellProgress(run, state);
      if (cursor?.tracker.isFull === true && !wasFull) return false;
      if (performance.now() - turnAt >= TURN_MS_MAX) {
        await nextTurn();
        turnAt = performance.now();
      }
    }
  } finally {
    // Not awaited: a source that hangs would hang here too, and closing the connection ends it.
    iterator.return?.().then(undefined, () => undefined);
  }
}

/** What a driver gives that does not hold to the bytes of a batch itself, cut to them. */
function piecesOf(batch: Batch, step: ExtractStep): readonly Batch[] {
  if (step.batchBytes === null || batch.rows.length === 0) return [batch];
  const rebatch = Rebatch.of(step);
  const pieces = rebatch.push(batch);
  const rest = rebatch.rest();
  return rest === null ? pieces : [...pieces, rest];
}

/** A replay has no cursor, and reads with none saved. */
function sourceState(cursor: Flow['cursor']): SourceState {
  return { saved: cursor?.range.saved ?? null, onState: (state) => cursor?.tracker.follow(state) };
}

/** A source that has no types guesses them from its beginning, and may be wrong of what comes later. Told once a column and type. */
function tellOfTypes(
  { step }: Stage<ExtractStep>,
  { run }: Flow,
  types: Map<string, readonly ColumnType[]>,
  { columns, originOf }: Batch,
): void {
  for (const { name, type } of columns) {
    const seen = types.get(name) ?? [];
    // A column of numbers that has whole ones for a while is still one.
    if (seen.includes(type) || (type === 'integer' && seen.includes('number'))) continue;
    types.set(name, [...seen, type]);
    const [before] = seen;
    if (before === undefined) continue;
    const at = originOf?.(0);
    const from = at?.line === undefined ? '' : ` from line ${at.line} of ${at.file} on`;
    const message = `Column "${name}" was inferred as ${before} at first and is ${type}${from}; add a cast to fix its type`;
    run.ports.log('warn', step.id, message, { column: name, before, type, ...at });
  }
}

function failRecord({ state, errors }: Stage<ExtractStep>, { cursor }: Flow, record: MalformedRecord): void {
  if (record.hidesRows === true && cursor !== null) throw record.error;
  state.figures.rows_in++;
  errors.failRecord(record);
}

function logFull({ step }: Stage<ExtractStep>, { run, cursor }: Flow): void {
  if (cursor?.tracker.isFull !== true) return;
  const to = String(cursor.tracker.greatest);
  run.ports.log('info', step.id, `The cursor window ends at ${to}: the next run continues from there`);
}

function logMissing({ step }: Stage<ExtractStep>, { run, cursor }: Flow): void {
  const rows = cursor?.tracker.missing ?? 0;
  if (rows === 0) return;
  const what = step.cursor?.onMissing === 'skip' ? 'left out' : 'read, as in every run';
  run.ports.log('info', step.id, `Rows without a value in "${step.cursor?.field}": ${rows}, ${what}`, {
    rows,
  });
}
