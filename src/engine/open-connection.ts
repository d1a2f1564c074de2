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
  const waiting = run.idle?.take(connector);
  if (waiting !== undefined) return waiting;
  const shared = run.shared.of(connector);
  const connecting = run.tally.time(
    connector,
    stateOf(run, stepId).meter,
    () => planned.driver.connect(planned.config, { ...run.context.connectContext, shared }),
    { opens: true },
  );
  try {
    return await untilAborted(connecting, signal);
  } catch (error) {
    connecting.then(closeConnection, () => undefined);
    throw error;
  }
}

/** Lets go of a connection after a use that went well: inside a foreach the next item has it. */
export async function releaseConnection(
  run: RunState,
  connector: string,
  connection: Connection,
): Promise<void> {
  if (run.idle === null) await closeConnection(connection);
  else run.idle.give(connector, connection);
}

/** Never rejects: nothing of value hangs on it any more. */
export async function closeConnection(connection: Connection): Promise<void> {
  await withinGrace(() => connection.close(), CLOSE_GRACE_MS);
}
