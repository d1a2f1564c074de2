import type { Clock } from '../../base/clock.ts';
import { AppError, requireFound } from '../../base/errors.ts';
import type { Cancel } from '../../protocol/control-plane.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { DELETIONS_CHANNEL, deleteRuns } from '../deletions/deletion-store.ts';
import { lockRunInJobRun } from './queue/run-lease-store.ts';
import { isActive, type RunRow } from './run.ts';
import { type CancelRequest, cancelRunInside } from './run-cancel.ts';
import type { OnRunFinished } from './run-completion.ts';
import { selectReplayOf, selectRun } from './run-store.ts';

export interface RunsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly onRunFinished: OnRunFinished;
  /** Tells the executor that holds the run, after the commit. */
  readonly sendCancel: (executorId: number, cancel: Cancel) => void;
  /** Runs that have just ended or moved on, after the commit. */
  readonly published: (runId: number) => void;
}

export type Runs = ReturnType<typeof createRuns>;

/** What people do with runs: cancel and delete. Starting them belongs to jobs and tasks. */
export function createRuns(deps: RunsDeps) {
  const { store, clock } = deps;

  async function cancel(id: number, request: CancelRequest, actor: Actor): Promise<RunRow> {
    const { run, sent } = await store.write(async (tx) => {
      const found = requireFound(await lockRunInJobRun(tx, store.dialect, id), 'run', id);
      if (!isActive(found.status))
        throw new AppError('CONFLICT', `The run "${id}" has ended already: ${found.status}`);
      const now = await selectNow(tx, store.dialect);
      const { onRunFinished } = deps;
      const sent = await cancelRunInside(tx, found, request, { now, onRunFinished });
      const diff = { mode: request.mode, grace_ms: request.graceMs };
      const entry = { action: 'run.cancel', resourceType: 'run', resourceId: id, diff };
      await insertAudit(tx, actor, entry, clock.now());
      return { run: (await selectRun(tx, id)) ?? found, sent };
    });
    if (sent !== null) deps.sendCancel(sent.executorId, sent.cancel);
    deps.published(id);
    return run;
  }

  /** What belongs to it follows in the background. `VALIDATION_ERROR` while the run is active, by contract, or while its job run is: that would run the task again. `CONFLICT` while its dead letters are replayed. */
  async function remove(id: number, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const run = requireFound(await lockRunInJobRun(tx, store.dialect, id), 'run', id);
      if (isActive(run.status)) {
        throw new AppError(
          'VALIDATION_ERROR',
          `The run "${id}" is ${run.status}: cancel it before you delete it`,
        );
      }
      if (await isNeeded(tx, run)) {
        throw new AppError(
          'VALIDATION_ERROR',
          `The run "${id}" belongs to the job run "${run.job_run_id}", which has not ended: cancel that before you delete it`,
        );
      }
      const replay = await selectReplayOf(tx, [id]);
      if (replay !== null) throw beingReplayed(`run "${id}"`, replay);
      await deleteRuns(tx, [id], clock.now());
      const entry = { action: 'run.delete', resourceType: 'run', resourceId: id };
      await insertAudit(tx, actor, entry, clock.now());
    });
    store.notify(DELETIONS_CHANNEL);
  }

  return { cancel, remove };
}

async function isNeeded(tx: Tx, run: RunRow): Promise<boolean> {
  if (run.job_run_id === null) return false;
  const row = await tx
    .selectFrom('job_runs')
    .select('ended_at')
    .where('id', '=', run.job_run_id)
    .executeTakeFirst();
  return row !== undefined && row.ended_at === null;
}

/** Its letters go with a run: a replay that has them in hand comes first. */
export function beingReplayed(what: string, replay: number): AppError {
  return new AppError(
    'CONFLICT',
    `The run "${replay}" replays dead letters of the ${what}: wait for its end, or cancel it, before you delete that`,
  );
}
