import { AppError, requireFound } from '../../../base/errors.ts';
import { selectNow } from '../../../store/select-now.ts';
import type { Store } from '../../../store/store.ts';
import type { Actor } from '../../audit/audit.ts';
import { insertAudit } from '../../audit/audit-store.ts';
import { claimantOf } from '../../runs/queue/run-kind.ts';
import { unmarkFitting } from '../dispatch/unclaimable-store.ts';
import type { ExecutorRow } from '../executor.ts';
import { lockExecutor, updateExecutorDrain } from '../executor-store.ts';

export interface ExecutorDrainsDeps {
  readonly store: Store;
  readonly wakeQueue: () => void;
}

export type ExecutorDrains = ReturnType<typeof createExecutorDrains>;

/**
 * Takes an executor out of the queue and puts it back, from outside: it needs to know nothing of it. It keeps the runs that it has;
 * a new process of its name is not drained. What is so already stays, without an entry in the audit log.
 */
export function createExecutorDrains({ store, wakeQueue }: ExecutorDrainsDeps) {
  /** Claims that begin after this has resolved give it nothing. `NOT_FOUND`, or `CONFLICT` for one that has left. */
  async function drain(id: number, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const now = await selectNow(tx, store.dialect);
      const row = present(await lockExecutor(tx, store.dialect, id), id);
      if (row.drain_requested_at !== null) return;
      await updateExecutorDrain(tx, id, { at: now, by: actor.name });
      await insertAudit(tx, actor, entryOf('executor.drain', row), now);
    });
  }

  /** It is given runs again at once. `NOT_FOUND`, or `CONFLICT` for one that has left. */
  async function resume(id: number, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const now = await selectNow(tx, store.dialect);
      const row = present(await lockExecutor(tx, store.dialect, id), id);
      if (row.drain_requested_at === null) return;
      await updateExecutorDrain(tx, id, null);
      await unmarkFitting(tx, store.dialect, claimantOf(row));
      await insertAudit(tx, actor, entryOf('executor.resume', row), now);
    });
    wakeQueue();
  }

  return { drain, resume };
}

function present(row: ExecutorRow | null, id: number): ExecutorRow {
  const found = requireFound(row, 'executor', id);
  if (found.status !== 'gone') return found;
  throw new AppError('CONFLICT', `The executor "${found.name}" (${id}) has left: it gets no runs any more`);
}

function entryOf(action: string, { id, name, instance_id }: ExecutorRow) {
  return { action, resourceType: 'executor', resourceId: id, diff: { name, instance_id } };
}
