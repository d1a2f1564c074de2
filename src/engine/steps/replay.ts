import { isRecord } from '../../base/json.ts';
import type { ReplayRow, RunReplay } from '../../base/run-report.ts';
import type { Batch, Column, Row } from '../../drivers/driver.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import { inferColumn } from '../ops/column-types.ts';
import { emit, type Flow, type Stage } from '../pipeline/flow.ts';
import { logStarted } from '../report/step-report.ts';
import { RunFault } from '../run-fault.ts';
import { untilAborted } from '../until-aborted.ts';

/**
 * Hands the rows of a replay to `give`, at its pace. Throws a `RunFault` where not all of them come: some would be taken for
 * settled.
 */
export async function feedReplay(
  replay: RunReplay,
  give: (batch: Batch) => Promise<void> | undefined,
  flow: Flow,
): Promise<void> {
  const { run, signal } = flow;
  let after = 0;
  let count = 0;
  for (;;) {
    const page = await untilAborted(rowsAfter(after, flow, replay.step_id), signal);
    if (page.length === 0) break;
    after = page.at(-1)?.letter_id ?? after;
    count += page.length;
    for (const batch of batchesOf(page, run.origins)) {
      const room = give(batch);
      if (room !== undefined) await room;
    }
  }
  if (count !== replay.letters) {
    const message = `Only ${count} of the ${replay.letters} rows to replay still exist`;
    throw new RunFault('REPLAY_INCOMPLETE', message, { reason: 'task_error', stepId: replay.step_id });
  }
}

/** In place of an extract: gives the rows that its malformed records have been corrected to. */
export async function replayExtract(stage: Stage<ExtractStep>, replay: RunReplay, flow: Flow): Promise<void> {
  const { state } = stage;
  logStarted(flow.run, state);
  const give = (batch: Batch) => {
    state.figures.rows_in += batch.rows.length;
    state.figures.rows_out += batch.rows.length;
    return emit(stage, batch);
  };
  await feedReplay(replay, give, flow);
}

async function rowsAfter(after: number, { run }: Flow, stepId: string): Promise<readonly ReplayRow[]> {
  try {
    return await run.ports.replayRows(after);
  } catch (cause) {
    if (cause instanceof RunFault) throw cause;
    const message = 'The rows to replay could not be read';
    throw new RunFault('REPORT_FAILED', message, { reason: 'task_error', stepId, runRetry: true, cause });
  }
}

/** Rows that follow one another and have the same fields make one batch. */
function batchesOf(page: readonly ReplayRow[], origins: WeakMap<Row, number> | null): Batch[] {
  const batches: { names: string; rows: Row[] }[] = [];
  for (const { letter_id, item } of page) {
    // A row that never was an object is shown to the step as one without fields, which tells by itself what it misses.
    const row: Row = isRecord(item) ? item : {};
    const names = JSON.stringify(Object.keys(row));
    const last = batches.at(-1);
    if (last?.names === names) last.rows.push(row);
    else batches.push({ names, rows: [row] });
    origins?.set(row, letter_id);
  }
  return batches.map(({ rows }) => ({ columns: columnsOf(rows), rows }));
}

/** The types of the values: what the columns were called where the rows came from is not kept with a dead letter. */
function columnsOf(rows: readonly Row[]): Column[] {
  return Object.keys(rows[0] ?? {}).map((name) => ({
    name,
    type: inferColumn(rows, name, 'unknown'),
    nullable: true,
  }));
}
