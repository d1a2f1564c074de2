import type { Clock } from '../../base/clock.ts';
import type { Tx } from '../../store/store.ts';
import type { Actor } from './audit.ts';
import { insertAudit } from './audit-store.ts';

/**
 * Creates the function that writes the audit row of a change, in its transaction: `audit(tx, actor, 'task.delete', 7, { name
 * })`. The action is the type of the changed record and a verb; `id` is the record's.
 */
export function createAudit(clock: Clock) {
  return async function audit(
    tx: Tx,
    actor: Actor,
    action: `${string}.${string}`,
    id: number | string | null,
    diff?: object,
  ): Promise<void> {
    const resourceType = action.slice(0, action.indexOf('.'));
    const entry = { action, resourceType, resourceId: id };
    await insertAudit(tx, actor, diff === undefined ? entry : { ...entry, diff: { ...diff } }, clock.now());
  };
}
