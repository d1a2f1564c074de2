import type { Connection } from '../drivers/driver.ts';
import { type RunState, stateOf } from './run-state.ts';
import { untilAborted, withinGrace } from './until-aborted.ts';

/** How long a connection may take to close before it is left to itself. */
export const CLOSE_GRACE_MS = 2_000;

/** Opens a connection for one step. A connection that opens after the signal has aborted is closed at once. */
export async function openConnection(
  run: RunState,
  { id: stepId, connector }: { readonly id: string; readonly connector: string },
  signal: AbortSignal,
): Promise<Connection> {
  const planned = run.plan.connectors.get(connector);
  if (planned === undefined) throw new Error(`The plan has no connector "${connector}"`);
  const connecting = run.tally.time(connector, stateOf(run, stepId).meter, () =>
    planned.driver.connect(planned.config, run.context.connectContext),
  );
  try {
    return await untilAborted(connecting, signal);
  } catch (error) {
    connecting.then(closeConnection, () => undefined);
    throw error;
  }
}

/** Never rejects: nothing of value hangs on it any more. */
export async function closeConnection(connection: Connection): Promise<void> {
  await withinGrace(() => connection.close(), CLOSE_GRACE_MS);
}
