import type { CallStep } from '../../language/task/steps/call-step.ts';
import { closeConnection, openConnection, releaseConnection } from '../open-connection.ts';
import { type RunState, runScope, stateOf } from '../run-state.ts';
import { untilAborted } from '../until-aborted.ts';

/** One call of a connector; what it gives is `steps.<id>.output`, and the length of a list its count. */
export async function runCall(step: CallStep, run: RunState, signal: AbortSignal): Promise<void> {
  const state = stateOf(run, step.id);
  const args = await step.args.render(runScope(run));
  const connection = await openConnection(run, step, signal);
  try {
    const calling = run.tally.time(step.connector, state.meter, () =>
      connection.call(step.method, args, signal),
    );
    const output = await untilAborted(calling, signal);
    state.output = output ?? null;
    if (Array.isArray(output)) state.figures.rows_out = output.length;
  } catch (error) {
    await closeConnection(connection);
    throw error;
  }
  await releaseConnection(run, step.connector, connection);
}
