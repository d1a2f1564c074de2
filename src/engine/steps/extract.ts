import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Batch, Connection } from '../../drivers/driver.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import { closeConnection, openConnection } from '../open-connection.ts';
import { emit, type Flow, type Stage } from '../pipeline/flow.ts';
import { logStarted, tellProgress } from '../report/step-report.ts';
import { untilAborted } from '../until-aborted.ts';

/** Longest stretch in which a source that never waits may keep timers and messages (cancel, heartbeat) from running. */
export const TURN_MS_MAX = 10;

/** Reads the connector batch by batch, at the pace of the consumers, to the end. */
export async function runExtract(stage: Stage<ExtractStep>, flow: Flow): Promise<void> {
  const { step, state } = stage;
  const { run, signal } = flow;
  logStarted(run, state, { connector: step.connector, method: step.method });
  const args = await step.args.render(flow.scope);
  const connection = await openConnection(run, step, signal);
  try {
    await pump(stage, flow, connection, args);
  } finally {
    await closeConnection(connection);
  }
  warnOfCursor(stage, flow);
}

async function pump(
  stage: Stage<ExtractStep>,
  flow: Flow,
  connection: Connection,
  args: unknown,
): Promise<void> {
  const { step, state } = stage;
  const { run, signal, tracker } = flow;
  const { clock } = run.context;
  const rows = connection.read({ method: step.method, args, signal, batchRows: step.batchRows });
  const iterator = rows[Symbol.asyncIterator]();
  let turnAt = clock.now();
  try {
    for (;;) {
      const from = performance.now();
      const next = await untilAborted<IteratorResult<Batch>>(
        run.tally.time(step.connector, state.meter, () => iterator.next()),
        signal,
      );
      if (next.done === true) return;
      const batch = next.value;
      state.meter.items.add(batch.rows.length, performance.now() - from);
      state.figures.rows_in += batch.rows.length;
      state.figures.rows_out += batch.rows.length;
      tracker?.see(batch);
      if (batch.rows.length > 0) await emit(stage, batch);
      tellProgress(run, state);
      if (clock.now() - turnAt >= TURN_MS_MAX) {
        await nextTurn();
        turnAt = clock.now();
      }
    }
  } finally {
    // Not awaited: a source that hangs would hang here too, and closing the connection ends it.
    iterator.return?.().then(undefined, () => undefined);
  }
}

function warnOfCursor({ step, state }: Stage<ExtractStep>, { run, tracker }: Flow): void {
  if (tracker === null || tracker.without === 0) return;
  const which = tracker.without === state.figures.rows_in ? 'No row has' : `${tracker.without} rows have not`;
  run.ports.log('warn', step.id, `${which} a cursor value in "${step.cursor?.field}"`, {
    rows: tracker.without,
  });
}
